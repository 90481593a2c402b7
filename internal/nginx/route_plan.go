package nginx

import "bytes"

// plan is what the phases before the limits came to: the part of a route that
// depends only on the inputs that were read on the way.
type plan struct {
	srv     *serverProgram
	loc     *locationProgram
	block   *blockProgram
	bypass  string
	unknown string
	open    bool // the location is not known: no limit can be named

	uri, args   datum
	argsChanged bool
	escapes     bool
	headerless  bool
	errStatus   int
	internal    bool
	method      []byte
	caps        captures
	vars        []planVar
	sequels     []sequel // where the request may go on when no key applies here
}

type planVar struct {
	v    int
	cell cell
}

func (p *plan) server() *Server {
	if p.srv == nil {
		return nil
	}
	return p.srv.server
}

func (p *plan) location() *Location {
	if p.loc == nil {
		return nil
	}
	return p.loc.location
}

// maxRuns bounds the combinations of answers to open questions that are tried.
const maxRuns = 64

// explore runs the phases, once for each way of answering the questions that
// the request leaves open, and records what they read.
func (s *state) explore() *plan {
	s.recording = true
	s.recStamp++
	s.reads = s.reads[:0]
	s.choices = s.choices[:0]
	var best, unlikely *plan
	for runs := 0; ; runs++ {
		s.restart()
		end := s.phases()
		p := s.snapshot(end)
		s.follow(p, 0)
		to := &best
		if len(s.choices) > 0 && s.otherAnswer(end) {
			to = &unlikely
		}
		if *to == nil {
			*to = p
		} else {
			*to = merge(*to, p, s.choices[0].name)
		}
		if runs == maxRuns && s.asked > 0 {
			(*to).unknown = s.choices[0].name
			break
		}
		if !s.nextChoice() {
			break
		}
	}
	s.recording = false
	if best == nil {
		best = unlikely
	}
	return best
}

// nextChoice moves to the next combination of answers.
func (s *state) nextChoice() bool {
	s.choices = s.choices[:s.asked]
	for len(s.choices) > 0 {
		last := &s.choices[len(s.choices)-1]
		if last.try++; last.try < last.n {
			return true
		}
		s.choices = s.choices[:len(s.choices)-1]
	}
	return false
}

// snapshot keeps what the limits may depend on.
func (s *state) snapshot(end ending) *plan {
	block := s.block
	if block == nil {
		block = &blockProgram{block: &Block{}}
	}
	p := &plan{
		srv: s.srv, loc: end.loc, block: block, bypass: end.bypass, unknown: end.open, open: end.open != "",
		uri: s.uri.clone(), args: s.args.clone(), argsChanged: s.argsChanged, escapes: s.escapes, headerless: s.headerless, errStatus: s.errStatus,
		internal: s.internal, method: s.method, caps: s.caps.clone(),
	}
	for i := range s.cells {
		if c := s.cells[i]; c.stamp == s.stamp {
			c.val = c.val.clone()
			p.vars = append(p.vars, planVar{i, c})
		}
	}
	return p
}

func (d datum) clone() datum { return datum{bytes.Clone(d.b), d.miss} }

func (c captures) clone() captures {
	return captures{bytes.Clone(c.subject), append([]int(nil), c.ovector...), c.miss}
}

// resume puts the request where the plan ends.
func (s *state) resume(p *plan) {
	s.srv, s.block = p.srv, p.block
	s.uri, s.args, s.argsChanged = p.uri, p.args, p.argsChanged
	s.escapes, s.internal, s.method, s.headerless, s.errStatus = p.escapes, p.internal, p.method, p.headerless, p.errStatus
	s.caps = p.caps
	for _, v := range p.vars {
		c := v.cell
		c.stamp = s.stamp
		s.cells[v.v] = c
	}
	s.preaccess = true
}

// merge joins the plans for two answers to an open question: what they do not
// share is unknown, for want of the variable why. Of two different places the
// one that has limits to reach is named.
func merge(a, b *plan, why string) *plan {
	if a.srv != b.srv || a.loc != b.loc || a.block != b.block || a.bypass != b.bypass || a.open != b.open {
		if a.bypass != "" && b.bypass == "" {
			a = b
		}
		a.unknown = why
		return a
	}
	a.uri, a.args = merged(a.uri, b.uri, why), merged(a.args, b.args, why)
	if a.argsChanged != b.argsChanged {
		a.args, a.argsChanged = missing(why), true
	}
	if !a.caps.same(b.caps) {
		a.caps = captures{miss: why}
	}
	a.vars = mergeVars(a.vars, b.vars, why)
	if a.unknown == "" {
		a.unknown = b.unknown
	}
	if len(a.sequels)+len(b.sequels) > 0 {
		a.sequels = append(a.sequels, b.sequels...)
		for i := range a.sequels {
			a.sequels[i].why = why
		}
	}
	return a
}

func merged(a, b datum, why string) datum {
	if a.same(b) {
		return a
	}
	return missing(why)
}

func (c captures) same(o captures) bool {
	if len(c.ovector) != len(o.ovector) || c.miss != o.miss {
		return false
	}
	for n := range len(c.ovector) / 2 {
		if !c.group(n).same(o.group(n)) {
			return false
		}
	}
	return true
}

// mergeVars joins two lists that are in order of their variables. A variable
// that only one has was evaluated there alone: whether its value is kept or
// computed anew is an open question, too.
func mergeVars(a, b []planVar, why string) []planVar {
	var out []planVar
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].v < b[0].v:
			out, a = append(out, planVar{a[0].v, cell{val: missing(why)}}), a[1:]
		case len(a) == 0 || b[0].v < a[0].v:
			out, b = append(out, planVar{b[0].v, cell{val: missing(why)}}), b[1:]
		default:
			one := a[0]
			one.cell.val = merged(one.cell.val, b[0].cell.val, why)
			out, a, b = append(out, one), a[1:], b[1:]
		}
	}
	return out
}
