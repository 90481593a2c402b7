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
	s.resume(p)
	limits := out.Limits[:0]
	*out = Route{
		Server: p.server(), Location: p.location(), Block: p.block.block, Limits: limits,
		ReqDryRun: p.block.block.LimitReqDryRun.Value, ConnDryRun: p.block.block.LimitConnDryRun.Value,
		Bypass: p.bypass, Unknown: p.unknown,
	}
	if p.bypass != "" || p.open {
		return
	}
	for i := range p.block.limits {
		l := &p.block.limits[i]
		key := s.value(l.key)
		if s.failed {
			out.Limits, out.Bypass = limits, "error"
			return
		}
		b := l.bound
		b.Key, b.Unknown = key.b, key.miss
		out.Limits = append(out.Limits, b)
	}
}
