package nginx

import (
	"fmt"

	"github.com/nglimit/nglimit/parser"
)

// Step is one thing that happened to a request on its way to the limits.
type Step struct {
	Phase string            // "server", "post-read", "server rewrite", "find location", "rewrite", "preaccess"
	What  string            // one line, for people
	Dir   *parser.Directive // what made it happen; nil for what nginx does by itself
}

// Trace is Route with every step on the way. It remembers nothing and is slow.
// Of a request that leaves a question open, the first possible course is told.
func (r *Router) Trace(req *Request, out *Route) []Step {
	r.Route(req, out)
	fork := r.Fork()
	var steps []Step
	s := &fork.state
	s.steps = &steps
	s.begin(req)
	end := s.phases()
	p := s.snapshot(end)
	s.noteEnd(end)
	s.apply(p, &Route{})
	if out.Unknown != "" {
		s.note("preaccess", nil, "uncertain for want of $%s", out.Unknown)
	}
	return steps
}

// note tells a listener about a step.
func (s *state) note(phase string, d *parser.Directive, format string, args ...any) {
	if s.steps != nil {
		*s.steps = append(*s.steps, Step{phase, fmt.Sprintf(format, args...), d})
	}
}

func (s *state) noteServer(why requestFault) {
	if s.steps == nil {
		return
	}
	name := string(s.srv.name)
	if name == "" {
		name = "without a name"
	}
	s.note("server", s.srv.server.Dir, "server %s", name)
	if why != accepted {
		s.note("server", nil, "the request is malformed: 400")
		return
	}
	s.note("server", nil, "$uri is %s", s.uri)
	if c := s.client(); c.replaced {
		s.note("post-read", nil, "the client's address is %s instead of %s", c.val, s.peer().val)
	}
}

func (s *state) noteCode(c instruction, v verdict) {
	if s.steps == nil {
		return
	}
	switch code := c.code.(type) {
	case setCode:
		s.note(s.phase, c.dir, "set $%s to %s", s.prog.vars[code.v].name, s.variable(code.v))
	case *rewriteCode:
		if v.bypass == "" {
			s.note(s.phase, c.dir, "after rewrite $uri is %s", s.uri)
			return
		}
		s.note(s.phase, c.dir, "rewrite answers with a redirect, %d", v.status)
	case returnCode:
		s.note(s.phase, c.dir, "return answers, %d", v.status)
	}
}

func (s *state) noteLocation(loc *locationProgram, how outcome) {
	switch {
	case s.steps == nil:
	case how == searchFailed:
		s.note("find location", nil, "a regular expression fails: 500")
	case loc == nil:
		s.note("find location", nil, "no location: the server's own settings")
	default:
		s.note("find location", loc.location.Dir, "location %s", loc.location.Pattern)
	}
}

func (s *state) noteEnd(end ending) {
	switch {
	case end.open != "":
		s.note("find location", nil, "no telling without $%s", end.open)
	case end.bypass != "":
		s.note("find location", nil, "no limit is reached: %s", end.bypass)
	}
}

// noteKey tells about the key of a limit, and before the first one about an
// address that the location's own settings replace.
func (s *state) noteKey(b *Bound, key datum) {
	if s.steps == nil {
		return
	}
	directive, zone, at := "limit_req", "", (*parser.Directive)(nil)
	if b.Req != nil {
		zone, at = b.Req.ZoneName, b.Req.Dir
	} else {
		directive, zone, at = "limit_conn", b.Conn.ZoneName, b.Conn.Dir
	}
	switch {
	case key.unknown():
		s.note("preaccess", at, "%s %s: the key is unknown for want of $%s", directive, zone, key.miss)
	case len(key.b) == 0:
		s.note("preaccess", at, "%s %s: the key is empty, no limit", directive, zone)
	default:
		s.note("preaccess", at, "%s %s: the key is %s", directive, zone, key)
	}
}

// String is for people: quoted, or the name of what is missing.
func (d datum) String() string {
	if d.unknown() {
		return "unknown for want of $" + d.miss
	}
	return fmt.Sprintf("%q", d.b)
}
