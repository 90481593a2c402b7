package nginx

// Router finds out what nginx does with requests. It remembers what it has
// seen, so it serves one goroutine; each of several workers has its own.
type Router struct {
	prog  *program
	state state
	plans planTree
	extra fieldTable // fields that callers name and the configuration does not use
}

// NewRouter makes a router for a configuration.
func NewRouter(c *Config) *Router { return newRouter(compileProgram(c)) }

func newRouter(p *program) *Router {
	r := &Router{prog: p, extra: fieldTable{index: map[string]int{}}}
	r.state = state{
		prog: p, memos: make([]mapMemo, len(p.maps)), cells: make([]cell, len(p.vars)),
		seen: make([]uint64, derivedSlots+len(p.fields.names)), arena: make([]byte, 0, 1024),
	}
	return r
}

// Fork makes another router for the same configuration, with nothing
// remembered, without preparing the configuration again.
func (r *Router) Fork() *Router { return newRouter(r.prog) }

// Field is the index of a variable in Request.Values, given without "$". Every
// name has one, also when the configuration does not use it.
func (r *Router) Field(variable string) int {
	if i, ok := r.prog.fields.index[canonicalField(variable)]; ok {
		return i
	}
	return len(r.prog.fields.names) + r.extra.field(variable)
}

// Fields lists the variables that this configuration needs of a request, in
// order of their names: what keys, maps and conditions use, and what the
// choice of server and location depends on.
func (r *Router) Fields() []string { return r.prog.needed() }

// Route works out where a request goes and which limits it meets there. It
// fills out, whose Limits are used again: keys are valid until the next call.
func (r *Router) Route(req *Request, out *Route) {
	s := &r.state
	s.begin(req)
	p := r.plans.find(s)
	if p == nil {
		p = s.explore()
		p = r.plans.keep(s, p)
		s.restart()
	}
	s.apply(p, out)
}

// apply evaluates the keys of a plan for the request at hand.
func (s *state) apply(p *plan, out *Route) {
	limits, block := out.Limits[:0], p.block.block
	*out = Route{
		Server: p.server(), Location: p.location(), Block: block, Limits: limits,
		ReqDryRun: block.LimitReqDryRun.Value, ConnDryRun: block.LimitConnDryRun.Value,
		Bypass: p.bypass, Unknown: p.unknown,
	}
	if p.bypass != "" || p.open {
		return
	}
	s.resume(p)
	decided := s.keys(p, out, anyKind)
	if s.failed {
		out.Limits, out.Bypass = limits, "error"
		return
	}
	if decided != anyKind && len(p.sequels) > 0 {
		s.sequels(p, out, anyKind&^decided)
	}
}

// keys adds the limits of a plan, and returns the kinds that now are decided:
// those with a key that is neither empty nor too long. Limits of the kinds
// that are not open get an empty key, so that a route's list of limits depends
// on its blocks alone.
func (s *state) keys(p *plan, out *Route, open kinds) (decided kinds) {
	for i := range p.block.limits {
		l := &p.block.limits[i]
		b := l.bound
		if kind := b.kind(); open&kind != 0 {
			key := s.value(l.key)
			if s.failed {
				return decided
			}
			s.noteKey(&b, key)
			b.Key, b.Unknown = key.b, key.miss
			if kind.decides(key) {
				decided |= kind
			}
		}
		out.Limits = append(out.Limits, b)
	}
	return decided
}

// sequels adds the limits of the first of the later locations that decides,
// if it is certain that the request comes there; otherwise the route is
// uncertain.
func (s *state) sequels(p *plan, out *Route, open kinds) {
	before := len(out.Limits)
	for _, next := range p.sequels {
		why := s.settled(p, next)
		if why == notTaken {
			continue
		}
		s.restart()
		s.resume(next.plan)
		if next.plan.open {
			out.Unknown = next.plan.unknown
			return
		}
		decided := s.keys(next.plan, out, open)
		switch {
		case decided == 0 && len(next.plan.sequels) > 0:
			out.Limits = out.Limits[:before]
			if s.sequels(next.plan, out, open); out.Unknown == "" && len(out.Limits) == before {
				continue
			}
			if why != "" {
				out.Limits, out.Unknown = out.Limits[:before], why
			}
			return
		case decided == 0:
			out.Limits = out.Limits[:before]
			continue
		case why == "" && s.splits(p, next.plan, open, decided):
			why = unknownFile
		}
		if why != "" {
			out.Limits, out.Unknown = out.Limits[:before], why
			return
		}
		out.settle(next.plan.block.block)
		return
	}
}

// splits tells whether the two locations would have to share the decision:
// such a route is left uncertain, for its settings would come from both.
func (s *state) splits(p, next *plan, open, decided kinds) bool {
	if open&^decided != 0 && next.block.surely != anyKind && len(next.sequels) > 0 {
		return true
	}
	a, b := p.block.block, next.block.block
	return open&reqKind == 0 && a.LimitReqDryRun.Value != b.LimitReqDryRun.Value ||
		open&connKind == 0 && a.LimitConnDryRun.Value != b.LimitConnDryRun.Value
}

// settle takes the settings of the location that decides.
func (r *Route) settle(b *Block) {
	r.Block = b
	r.ReqDryRun, r.ConnDryRun = b.LimitReqDryRun.Value, b.LimitConnDryRun.Value
}
