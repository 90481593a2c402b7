package nginx

import "slices"

// latches notes from which blocks requests come with their limits decided
// already: nginx looks once for each main request
// (ngx_http_limit_req_module.c:ngx_http_limit_req_handler, limit_req_status).
func (r *Reach) latches(c *Config) {
	l := r.Block.Location
	if l == nil {
		return
	}
	for _, by := range slices.Concat(c.Arrivals(l), c.Callers(l)) {
		req := len(r.Block.LimitReq.Items) > 0 && c.latch(by.From, ReqZone) != Open
		conn := len(r.Block.LimitConn.Items) > 0 && c.latch(by.From, ConnZone) != Open
		if req || conn {
			r.Causes = append(r.Causes, Cause{Why: LatchedBefore, Dir: by.Dir, Other: by.From, Req: req, Conn: conn})
		}
	}
	var always Cause
	if by := c.decidedBefore(l, ReqZone, map[*Location]bool{}); by != nil && len(r.Block.LimitReq.Items) > 0 {
		always = Cause{Why: LatchedBefore, Always: true, Dir: by.Dir, Other: by.From, Req: true}
	}
	if by := c.decidedBefore(l, ConnZone, map[*Location]bool{}); by != nil && len(r.Block.LimitConn.Items) > 0 {
		always = Cause{Why: LatchedBefore, Always: true, Dir: by.Dir, Other: by.From, Req: always.Req, Conn: true}
	}
	if always.Always {
		r.Causes = append(r.Causes, always)
	}
}

// Latch says whether requests leave a block with their limits decided.
type Latch uint8

// The answers.
const (
	Open      Latch = iota // never
	Sometimes              // those whose keys are not empty
	Decided                // all of them
)

// Latch says whether a request that was at preaccess in the block has been
// judged by a limit of that kind there, in dry run as well.
func (c *Config) Latch(b *Block, kind ZoneKind) Latch { return c.latch(b, kind) }

func (c *Config) latch(b *Block, kind ZoneKind) Latch {
	most := Open
	for _, z := range zonesIn(b, kind) {
		facts := c.KeyAt(z.Key, b)
		switch {
		case facts.NeverEmpty && len(facts.UnknownVars) == 0 && fits(facts, kind):
			return Decided
		case !facts.AlwaysEmpty():
			most = Sometimes
		}
	}
	return most
}

// fits tells whether no key is too long to be looked up: limit_conn skips
// those of more than 255 bytes, limit_req those of more than 65535, which no
// request header of the usual size reaches.
func fits(f *KeyFacts, kind ZoneKind) bool {
	return kind == ReqZone || f.MaxLen >= 0 && f.MaxLen <= 255
}

func zonesIn(b *Block, kind ZoneKind) []*Zone {
	var zones []*Zone
	if kind == ReqZone {
		for _, l := range b.LimitReq.Items {
			if l.Zone != nil {
				zones = append(zones, l.Zone)
			}
		}
		return zones
	}
	for _, l := range b.LimitConn.Items {
		if l.Zone != nil {
			zones = append(zones, l.Zone)
		}
	}
	return zones
}

// decidedBefore is a way into the location, when every request that comes to
// it has been judged before; nil when one may not have been. Only named
// locations have no way in from outside, and a script may open one. The way
// starts where a limit decides, be it several redirects before.
func (c *Config) decidedBefore(l *Location, kind ZoneKind, seen map[*Location]bool) *Redirect {
	seen[l] = true
	if l.Modifier != Named || c.defs.scripts || len(c.Tree.Notes) > 0 {
		return nil
	}
	var first *Redirect
	ways := c.Arrivals(l)
	for i := range ways {
		by := &ways[i]
		from := by.From.Location
		switch {
		case seen[from]:
			continue // looked at already, or a loop: who is in it came in by another way
		case by.Kind == ByErrorPage && !afterLimits(by.Codes):
			return nil // it may be for an error before the limits
		case c.latch(by.From, kind) != Decided:
			if from == nil {
				return nil
			}
			if by = c.decidedBefore(from, kind, seen); by == nil {
				return nil
			}
		}
		if first == nil {
			first = by
		}
	}
	return first
}

// afterLimits tells whether answers with all these codes come from behind the
// limits: a gateway's errors, and the limits' own.
func afterLimits(codes []int) bool {
	for _, code := range codes {
		if code != 429 && code != 502 && code != 503 && code != 504 {
			return false
		}
	}
	return len(codes) > 0
}
