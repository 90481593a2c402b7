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

// keys adds the limits of the kinds that are open, and returns the kinds that
// now are decided: those with a key that is not empty.
func (s *state) keys(p *plan, out *Route, open kinds) (decided kinds) {
	for i := range p.block.limits {
		l := &p.block.limits[i]
		kind := l.bound.kind()
		if open&kind == 0 {
			continue
		}
		key := s.value(l.key)
		if s.failed {
			return decided
		}
		s.noteKey(&l.bound, key)
		b := l.bound
		b.Key, b.Unknown = key.b, key.miss
		out.Limits = append(out.Limits, b)
		if kind.decides(key) {
			decided |= kind
		}
	}
	return decided
}

// sequels adds the limits of the locations that come after the first one, in
// case that is certain; otherwise the route is uncertain.
func (s *state) sequels(p *plan, out *Route, open kinds) {
	for _, next := range p.sequels {
		why := s.settled(p, next)
		if why == notTaken {
			continue
		}
		before := len(out.Limits)
		s.restart()
		s.resume(next.plan)
		decided := kinds(0)
		if !next.plan.open {
			decided = s.keys(next.plan, out, open)
		}
		if open&^decided != 0 && len(next.plan.sequels) > 0 && out.Unknown == "" {
			s.sequels(next.plan, out, open&^decided)
		}
		reached := decided != 0 || next.plan.open || len(out.Limits) > before && out.Unknown != ""
		switch {
		case !reached:
			continue
		case why != "":
			out.Limits, out.Unknown = out.Limits[:before], why
			return
		case next.plan.open:
			out.Unknown = next.plan.unknown
			return
		}
		s.inherit(next.plan, out, decided)
		if open &^= decided; open == 0 {
			return
		}
	}
}

// inherit takes the dry run of the location that decides.
func (s *state) inherit(p *plan, out *Route, decided kinds) {
	if decided&reqKind != 0 {
		out.ReqDryRun = p.block.block.LimitReqDryRun.Value
	}
	if decided&connKind != 0 {
		out.ConnDryRun = p.block.block.LimitConnDryRun.Value
	}
}
