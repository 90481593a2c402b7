package nginx

import "github.com/nglimit/nglimit/parser"

// Reach says which limits are in force for the requests that a block answers,
// and what keeps limits from being looked at.
type Reach struct {
	Block *Block
	// Limits are the limits in force: limit_req in order, then limit_conn.
	Limits []Reached
	// ReplacedReq and ReplacedConn are limits of the enclosing level that the
	// block's own ones put out of force.
	ReplacedReq  []*ReqLimit
	ReplacedConn []*ConnLimit
	// Causes are what holds for all limits of the block.
	Causes []Cause
}

// Reached is one limit in force in a block.
type Reached struct {
	Req    *ReqLimit // one of Req and Conn is set
	Conn   *ConnLimit
	Key    *KeyFacts // nil when the zone is not defined
	DryRun bool
	// Causes are what keeps this limit from refusing anybody, in addition to
	// those of the block.
	Causes []Cause
}

// Why says what keeps a limit from being looked at or from refusing.
type Why uint8

// The reasons.
const (
	EndsInServer     Why = iota // the server's rewrite directives end the request
	EndsInLocation              // the location's do
	LatchedBefore               // the limits of another location decided, then an internal redirect led here
	ShadowedByRegex             // a regular expression takes the location's own path
	NeverChosen                 // a prefix inside a regular expression is not looked for
	KeyAlwaysEmpty              // the key is empty whenever a limit looks
	KeySometimesOpen            // some requests have an empty key
	InDryRun                    // nothing is refused
	ZoneMissing                 // no such zone is defined
)

// Cause is one reason.
type Cause struct {
	Why    Why
	Always bool              // it holds for every request of the block
	Dir    *parser.Directive // who says so; nil where nobody does
	// Other is the block whose limits decided before, or the location that
	// takes the path.
	Other *Block
	// Conn and Req tell which module's limits a latch holds for.
	Req, Conn bool
	// Key is the emptiness of a key.
	Empty *Emptiness
}

// Dead is the reason for which no request of the block is ever refused by
// the limit; nil when some may be.
func (r *Reach) Dead(l *Reached) *Cause {
	for _, causes := range [][]Cause{r.Causes, l.Causes} {
		for i := range causes {
			c := &causes[i]
			if c.Always && (c.Why != LatchedBefore || c.Req && l.Req != nil || c.Conn && l.Conn != nil) {
				return c
			}
		}
	}
	return nil
}

// Reach says what the limits in force in a block come to: a location, an "if"
// in one, or a server for the requests that no location takes.
func (c *Config) Reach(b *Block) Reach {
	r := Reach{Block: b}
	r.replaced()
	r.ends()
	r.place()
	r.latches(c)
	for _, l := range b.LimitReq.Items {
		at := Reached{Req: l, DryRun: b.LimitReqDryRun.Value}
		r.limit(c, &at, l.Zone, l.Dir, b.LimitReqDryRun.Dir)
	}
	for _, l := range b.LimitConn.Items {
		at := Reached{Conn: l, DryRun: b.LimitConnDryRun.Value}
		r.limit(c, &at, l.Zone, l.Dir, b.LimitConnDryRun.Dir)
	}
	return r
}

// limit adds a limit with what its zone, key and dry run come to.
func (r *Reach) limit(c *Config, l *Reached, z *Zone, dir, dryRun *parser.Directive) {
	if z == nil {
		l.Causes = append(l.Causes, Cause{Why: ZoneMissing, Always: true, Dir: dir})
	} else {
		l.Key = c.KeyAt(z.Key, r.Block)
		l.emptiness(z.Dir)
	}
	if l.DryRun {
		l.Causes = append(l.Causes, Cause{Why: InDryRun, Always: true, Dir: dryRun})
	}
	r.Limits = append(r.Limits, *l)
}

func (l *Reached) emptiness(zone *parser.Directive) {
	if len(l.Key.UnknownVars) > 0 {
		return
	}
	always := l.Key.AlwaysEmpty()
	for i := range l.Key.Empty {
		why := KeySometimesOpen
		if always {
			why = KeyAlwaysEmpty
		}
		l.Causes = append(l.Causes, Cause{Why: why, Always: always, Dir: zone, Empty: &l.Key.Empty[i]})
	}
	if always && len(l.Key.Empty) == 0 {
		l.Causes = append(l.Causes, Cause{Why: KeyAlwaysEmpty, Always: true, Dir: zone})
	}
}

func (r *Reach) replaced() {
	b := r.Block
	if b.Parent == nil {
		return
	}
	if b.LimitReq.From == b {
		for _, outer := range b.Parent.LimitReq.Items {
			if !uses(b.LimitReq.Items, outer, func(l *ReqLimit) string { return l.ZoneName }) {
				r.ReplacedReq = append(r.ReplacedReq, outer)
			}
		}
	}
	if b.LimitConn.From == b {
		for _, outer := range b.Parent.LimitConn.Items {
			if !uses(b.LimitConn.Items, outer, func(l *ConnLimit) string { return l.ZoneName }) {
				r.ReplacedConn = append(r.ReplacedConn, outer)
			}
		}
	}
}

func uses[T any](limits []T, outer T, zone func(T) string) bool {
	for _, l := range limits {
		if zone(l) == zone(outer) {
			return true
		}
	}
	return false
}

// ends notes where the rewrite phase takes requests away.
func (r *Reach) ends() {
	b := r.Block
	if b.Server == nil {
		return
	}
	if b.Level != ServerLevel {
		r.end(EndsInServer, b.Server.RewriteEnds())
		r.end(EndsInLocation, b.RewriteEnds())
		return
	}
	r.end(EndsInServer, b.RewriteEnds())
}

func (r *Reach) end(why Why, e Ends) {
	for _, d := range e.Sometimes {
		r.Causes = append(r.Causes, Cause{Why: why, Dir: d})
	}
	if e.Always != nil {
		r.Causes = append(r.Causes, Cause{Why: why, Always: true, Dir: e.Always})
	}
}

// place notes what keeps requests from choosing the location.
func (r *Reach) place() {
	l := r.Block.Location
	if l == nil || l.Server == nil || l.Dir == nil {
		return
	}
	isRegex := l.Modifier == RegexMatch || l.Modifier == RegexNoCase
	for outer := l.Outer; outer != nil && !isRegex; outer = outer.Outer {
		if outer.Modifier == RegexMatch || outer.Modifier == RegexNoCase {
			r.Causes = append(r.Causes, Cause{Why: NeverChosen, Always: true, Dir: outer.Dir, Other: outer.Block})
			return
		}
	}
	if l.Modifier != Prefix {
		return
	}
	if taken, sure := l.Server.Find(l.Pattern); sure && taken != nil && taken != l && taken.Modifier >= RegexMatch {
		r.Causes = append(r.Causes, Cause{Why: ShadowedByRegex, Dir: taken.Dir, Other: taken.Block})
	}
}
