package nginx

import (
	"slices"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// Key says what can be said of a key wherever it is used. Where limits are
// judged block by block KeyAt says more.
func (c *Config) Key(v *Value) *KeyFacts { return c.KeyAt(v, nil) }

// KeyAt says what can be said of a key that is evaluated for requests in that
// block: which "set" has run there, and which captures are there. A value of
// nil has no facts. The facts are shared: they are not to be changed.
func (c *Config) KeyAt(v *Value, at *Block) *KeyFacts {
	if v == nil {
		return &KeyFacts{}
	}
	if f := c.facts.get(v, at); f != nil {
		return f
	}
	a := &analysis{config: c, defs: c.defs, at: at, memo: map[memoID]shape{}, busy: map[string]bool{}, partial: map[string]shape{}}
	f := a.facts(v, a.value(v, assumption{}))
	c.facts.put(v, at, f, a.local)
	return f
}

// analysis follows one key through the definitions.
type analysis struct {
	config *Config
	defs   *definitions
	at     *Block // nil: anywhere
	memo   map[memoID]shape
	busy   map[string]bool // variables being followed: a loop is not followed again
	// partial is what a variable of "set" is before the "set" that is followed.
	partial map[string]shape
	work    int
	local   bool // the answer depends on the block
}

// maxWork bounds the analysis of a configuration made of nothing but maps of
// maps; beyond it variables count as unknown.
const maxWork = 200000

// assumption is what is known of one variable on the way that is followed:
// inside a map's entry the source has the entry's text.
type assumption struct {
	variable string
	exact    bool   // the variable is text
	text     string // compared without case, so only its length is certain
	// groups is set inside the entry of a regular expression: what $1 to $9
	// are parts of, and the pattern that cuts them out.
	groups  *shape
	pattern string
}

type memoID struct {
	name string
	on   assumption
}

func (a *analysis) value(v *Value, on assumption) shape {
	sum := literalShape("")
	for _, p := range v.Parts {
		if p.Var == "" {
			sum = sum.then(literalShape(p.Literal))
		} else {
			sum = sum.then(a.variable(p.Var, on))
		}
	}
	return sum
}

func (a *analysis) variable(name string, on assumption) shape {
	if isDigit(name) {
		return a.group(name, on)
	}
	if on.groups != nil && hasGroup(on.pattern, name) {
		return cut(*on.groups, mayBeEmpty(on.pattern, 0, name))
	}
	s := a.unassumed(name, on)
	if name != on.variable {
		return s
	}
	if on.exact {
		if on.text == "" {
			return literalShape("")
		}
		s.max, s.dynamic, s.literals, s.more = len(on.text), false, []string{on.text}, false
		s.always = nil
	}
	s.nonEmpty, s.mayEmpty, s.empties = true, false, nil
	s.literals = slices.DeleteFunc(slices.Clone(s.literals), func(l string) bool { return l == "" })
	return s
}

// unassumed follows a variable, once for each name and assumption.
func (a *analysis) unassumed(name string, on assumption) shape {
	id := memoID{name, on}
	if s, done := a.memo[id]; done {
		return s
	}
	a.work++
	if s, before := a.partial[name]; before && a.busy[name] {
		return s
	}
	if a.busy[name] || a.work > maxWork {
		return unknownShape(name)
	}
	a.busy[name] = true
	s := a.follow(name, on)
	delete(a.busy, name)
	if len(a.partial) == 0 {
		a.memo[id] = s
	}
	return s
}

// follow sums up all definitions of a variable.
func (a *analysis) follow(name string, on assumption) shape {
	d := a.defs
	if d.scripted[name] || d.scripts && len(d.sets[name]) > 0 {
		return unknownShape(name)
	}
	var ways []shape
	if m := d.maps[name]; m != nil {
		ways = append(ways, a.mapShape(m, on))
	}
	if g := d.geos[name]; g != nil {
		ways = append(ways, a.geoShape(g))
	}
	if s := d.splits[name]; s != nil {
		ways = append(ways, a.splitShape(s))
	}
	if len(d.sets[name]) > 0 {
		ways = append(ways, a.setShape(name))
	}
	if len(d.captures[name]) > 0 {
		ways = append(ways, a.captureShape(name))
	}
	if d.late[name] != nil {
		ways = append(ways, a.lateShape(Variable{Name: name, Max: -1, Absent: "auth_request sets it after the limits"}))
	}
	if len(ways) == 0 {
		return a.stock(name)
	}
	sum := ways[0]
	for _, way := range ways[1:] {
		sum = sum.or(way)
	}
	return sum
}

// stock is the shape of one of nginx's own variables.
func (a *analysis) stock(name string) shape {
	v, known := LookupVariable(name)
	if !known {
		return unknownShape(name)
	}
	switch v.Ready {
	case EmptyYet:
		return a.lateShape(v)
	case ConstantYet:
		if !a.redirected() {
			s := literalShape(v.Constant)
			s.fixed = []string{name}
			return s
		}
	case Ready:
	}
	s := shape{dynamic: true, nonEmpty: true, mayEmpty: !v.Never, max: v.Max, always: []string{name}}
	if v.Kind == KindAddress || v.Kind == KindProxyProto && name == "proxy_protocol_addr" {
		s.always = append(s.always, addressToken)
	}
	s.parts = []Source{{Variable: name, Input: v.Input, From: v.Source}}
	if name == "server_name" {
		a.nameOfServer(&s)
	}
	if v.Absent != "" {
		s.empties = []Emptiness{{Kind: EmptyAbsent, Variable: name, Why: v.Absent}}
	}
	return s
}

// lateShape is a variable that is empty at preaccess, unless an internal
// redirect led here after it was set.
func (a *analysis) lateShape(v Variable) shape {
	if a.redirected() {
		return shape{
			dynamic: true, nonEmpty: true, mayEmpty: true, max: v.Max,
			parts: []Source{{Variable: v.Name, Input: v.Input, From: v.Source}},
		}
	}
	s := literalShape("")
	s.late = []string{v.Name}
	s.empties = []Emptiness{{Kind: EmptyLate, Variable: v.Name, Why: v.Absent}}
	return s
}

// redirected tells whether requests may come to the block from another
// location, with what was set there.
func (a *analysis) redirected() bool {
	a.local = true
	return a.at != nil && a.at.Location != nil && a.config.mayBeTarget(a.at.Location)
}

// nameOfServer narrows $server_name down to the names that servers have: the
// first of each, without a leading dot; none is empty
// (ngx_http_core_module.c:ngx_http_core_merge_srv_conf).
func (a *analysis) nameOfServer(s *shape) {
	a.local = true
	longest, unnamed := 0, false
	for _, server := range a.config.Servers {
		switch {
		case a.at != nil && a.at.Server != server:
		case len(server.Names) == 0 || server.Names[0].Text == "":
			unnamed = true
		default:
			longest = max(longest, len(strings.TrimPrefix(server.Names[0].Text, ".")))
		}
	}
	if a.config.Snippet || longest == 0 && !unnamed {
		return
	}
	s.max, s.mayEmpty = longest, unnamed
	if unnamed && a.at != nil {
		*s = literalShape("")
		s.empties = []Emptiness{{Kind: EmptyAbsent, Variable: "server_name", Why: "the server has no name"}}
	}
}

func via(span parser.Span, sources []Source) []Source {
	through := make([]Source, len(sources))
	for i, s := range sources {
		s.Via = slices.Concat([]parser.Span{span}, s.Via)
		through[i] = s
	}
	return through
}

func isDigit(name string) bool { return len(name) == 1 && name[0] >= '1' && name[0] <= '9' }
