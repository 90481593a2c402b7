package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/internal/nginx/pcre"
	"github.com/nglimit/nglimit/parser"
)

// conditionKind is the form of an "if".
type conditionKind uint8

const (
	condTrue conditionKind = iota
	condEqual
	condRegex
	condFile
	condBroken // not a condition: nginx would not start
)

// condition is the parenthesis of an "if".
type condition struct {
	kind   conditionKind
	negate bool
	v      int
	value  *text
	regex  *regexProgram
}

// compileCondition follows
// src/http/modules/ngx_http_rewrite_module.c:ngx_http_rewrite_if_condition.
func (p *program) compileCondition(d *parser.Directive) condition {
	words := conditionWords(d)
	switch {
	case len(words) == 1 && isVariable(words[0]):
		return condition{kind: condTrue, v: p.variable(words[0][1:])}
	case len(words) == 3 && isVariable(words[0]):
		return p.compileComparison(p.variable(words[0][1:]), words[1], words[2])
	case len(words) == 2 && strings.HasPrefix(strings.TrimPrefix(words[0], "!"), "-"):
		return condition{kind: condFile, value: p.compileText(words[1])}
	}
	return condition{kind: condBroken}
}

func (p *program) compileComparison(v int, operator, operand string) condition {
	c := condition{v: v, negate: strings.HasPrefix(operator, "!")}
	switch strings.TrimPrefix(operator, "!") {
	case "=":
		c.kind, c.value = condEqual, p.compileText(operand)
	case "~", "~*":
		c.kind, c.regex = condRegex, p.compileRegex(operand, strings.HasSuffix(operator, "*"))
	default:
		c.kind = condBroken
	}
	return c
}

// conditionWords are the arguments without the parentheses around them.
func conditionWords(d *parser.Directive) []string {
	words := argTexts(d.Args)
	if len(words) == 0 {
		return nil
	}
	words[0] = strings.TrimPrefix(words[0], "(")
	last := len(words) - 1
	words[last] = strings.TrimSuffix(words[last], ")")
	if words[last] == "" && last > 0 {
		words = words[:last]
	}
	if len(words) > 1 && words[0] == "" {
		words = words[1:]
	}
	return words
}

func isVariable(word string) bool { return len(word) > 1 && word[0] == '$' }

// holds evaluates the condition; failed when its regular expression ran into
// its limits, which nginx answers with 500.
func (c *condition) holds(s *state) (ok, failed bool) {
	switch c.kind {
	case condTrue:
		s.flush(c.v)
		val := s.variable(c.v)
		return s.decide(val.miss, truthy(val.b)), false
	case condEqual:
		s.flush(c.v)
		left, right := s.variable(c.v), s.quotedValue(c.value)
		why := left.miss
		if why == "" {
			why = right.miss
		}
		return s.decide(why, string(left.b) == string(right.b) != c.negate), false
	case condRegex:
		return c.matches(s)
	case condFile:
		s.quotedValue(c.value)
		return s.decide("request_filename", false), false
	case condBroken:
	}
	return s.decide("if", false), false
}

// matches runs the regular expression; without a match $1 and its like are
// gone (src/http/ngx_http_script.c:ngx_http_script_regex_start_code).
func (c *condition) matches(s *state) (ok, failed bool) {
	s.flush(c.v)
	switch s.match(c.regex, s.variable(c.v)) {
	case pcre.Failed:
		return false, true
	case pcre.Match:
		return !c.negate, false
	case pcre.NoMatch:
	}
	s.caps = captures{}
	return c.negate, false
}

// decide is the answer, or an open question when why names what is missing.
func (s *state) decide(why string, answer bool) bool {
	if why == "" {
		return answer
	}
	return s.choose(2, why) == 1
}

func truthy(b []byte) bool { return len(b) > 0 && (len(b) != 1 || b[0] != '0') }
