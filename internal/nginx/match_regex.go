package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/internal/nginx/pcre"
)

// regexProgram is a regular expression with the variables that its named
// groups set.
type regexProgram struct {
	regex  *pcre.Regex // nil: it cannot be run here
	text   string
	groups []regexGroup
}

type regexGroup struct{ v, group int }

func (p *program) regex(re *pcre.Regex, pattern string) *regexProgram {
	out := &regexProgram{regex: re, text: pattern}
	if re == nil {
		return out
	}
	for _, n := range re.Names() {
		p.named[strings.ToLower(n.Name)] = true
		out.groups = append(out.groups, regexGroup{p.variable(n.Name), n.Group})
	}
	return out
}

// compileRegex compiles a pattern of a rewrite directive or a map.
func (p *program) compileRegex(pattern string, caseless bool) *regexProgram {
	re, err := pcre.Compile(pattern, caseless)
	if err != nil {
		re = nil
	}
	return p.regex(re, pattern)
}

// match runs r and, on a match, leaves its captures behind; no match leaves
// the old ones (src/http/ngx_http_variables.c:ngx_http_regex_exec).
func (s *state) match(r *regexProgram, subject datum) pcre.Result {
	why := subject.miss
	if r.regex == nil && why == "" {
		why = "regular expression " + r.text
	}
	if why != "" {
		if s.choose(2, why) == 0 {
			return pcre.NoMatch
		}
		s.captureNothing(r, why)
		return pcre.Match
	}
	if result, _ := r.regex.Match(subject.b, nil); result != pcre.Match {
		return result
	}
	_, ovector := r.regex.Match(subject.b, make([]int, 0, 2+2*r.regex.NumCaptures()))
	s.capture(r, subject.b, ovector)
	return pcre.Match
}

func (s *state) capture(r *regexProgram, subject []byte, ovector []int) {
	s.caps = captures{subject: subject, ovector: ovector}
	for _, g := range r.groups {
		s.assign(g.v, s.caps.group(g.group))
	}
}

func (s *state) captureNothing(r *regexProgram, why string) {
	s.caps = captures{miss: why}
	for _, g := range r.groups {
		s.assign(g.v, missing(why))
	}
}
