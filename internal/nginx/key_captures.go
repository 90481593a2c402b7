package nginx

import (
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// group is what $1 to $9 can be: a group of the entry of a map that is
// followed, or of whatever matched last.
func (a *analysis) group(name string, on assumption) shape {
	n, _ := strconv.Atoi(name)
	if on.groups != nil {
		return cut(*on.groups, mayBeEmpty(on.pattern, n, ""))
	}
	if s, sure := a.groupOfLocation(n); sure {
		return s
	}
	return shape{
		dynamic: true, nonEmpty: true, mayEmpty: true, max: -1, always: []string{name},
		parts: []Source{{Variable: name, Input: CaptureInput, From: "capture"}},
	}
}

// groupOfLocation is a group of the location's own pattern; it is sure only
// where no other regular expression can have been run since, and a location
// without any has none.
func (a *analysis) groupOfLocation(n int) (s shape, sure bool) {
	a.local = true
	if a.at == nil || a.at.Location == nil || a.at.Server == nil || a.redirected() || a.config.defs.regexMaps || runsRegex(a.at.Location.order) {
		return shape{}, false
	}
	l := a.at.Location
	if l.Modifier == RegexMatch || l.Modifier == RegexNoCase {
		s = cut(a.variable("uri", assumption{}), mayBeEmpty(l.Pattern, n, ""))
		s.parts = via(l.Dir.HeadSpan(), s.parts)
		return s, true
	}
	if l.Outer != nil || runsRegex(a.at.Server.order) || hasRegexName(a.at.Server) {
		return shape{}, false
	}
	s = literalShape("")
	s.empties = []Emptiness{{Kind: EmptyUnset, Variable: strconv.Itoa(n), Why: "no regular expression has matched"}}
	return s, true
}

func runsRegex(list []*parser.Directive) bool {
	for _, d := range list {
		if d.Name == "if" || d.Name == "rewrite" {
			return true
		}
	}
	return false
}

func hasRegexName(s *Server) bool {
	for _, name := range s.Names {
		if strings.HasPrefix(name.Text, "~") {
			return true
		}
	}
	return false
}

// captureShape is what a named group can be: a part of the texts that the
// patterns with it are matched with, or nothing when none was.
func (a *analysis) captureShape(name string) shape {
	sum := shape{}
	certain := false
	for i, c := range a.defs.captures[name] {
		s := cut(a.value(c.from, assumption{}), mayBeEmpty(c.pattern, 0, name))
		s.parts = via(c.dir.HeadSpan(), s.parts)
		s.chosen = via(c.dir.HeadSpan(), s.chosen)
		if i == 0 {
			sum = s
		} else {
			sum = sum.or(s)
		}
		certain = certain || a.ran(c)
	}
	sum.mayEmpty = sum.mayEmpty || !certain
	return sum
}

// ran tells whether the location that a request is in was chosen by that
// pattern.
func (a *analysis) ran(c *capture) bool {
	a.local = true
	if c.at == nil || c.at.Level != LocationLevel || a.at == nil {
		return false
	}
	for l := a.at.Location; l != nil; l = l.Outer {
		if l.Block == c.at {
			return true
		}
	}
	return false
}

// cut is a part of a text.
func cut(s shape, mayEmpty bool) shape {
	part := shape{
		dynamic: true, nonEmpty: true, mayEmpty: mayEmpty, max: s.max,
		parts: s.parts, chosen: s.chosen, unknown: s.unknown, late: s.late, fixed: s.fixed,
	}
	if len(s.parts) == 1 && !s.finite() {
		part.always = slices.Clone(s.always)
	}
	return part
}

// mayBeEmpty tells whether a group of a pattern that matched may be empty or
// unset; a pattern that Go cannot read may do anything.
func mayBeEmpty(pattern string, group int, name string) bool {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return true
	}
	found, empty := groupMayBeEmpty(re, group, name)
	return !found || empty
}

// groupMayBeEmpty looks for the group below parts that every match contains.
func groupMayBeEmpty(re *syntax.Regexp, group int, name string) (found, empty bool) {
	switch re.Op {
	case syntax.OpCapture:
		if re.Cap == group || name != "" && re.Name == name {
			return true, shortest(re.Sub[0]) == 0
		}
		return groupMayBeEmpty(re.Sub[0], group, name)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if found, empty := groupMayBeEmpty(sub, group, name); found {
				return true, empty
			}
		}
	case syntax.OpPlus:
		return groupMayBeEmpty(re.Sub[0], group, name)
	case syntax.OpRepeat:
		if re.Min > 0 {
			return groupMayBeEmpty(re.Sub[0], group, name)
		}
	default: // what a match may do without, or what has nothing inside
	}
	return false, true
}

// shortest is the least number of characters a pattern matches.
func shortest(re *syntax.Regexp) int {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1
	case syntax.OpCapture, syntax.OpPlus:
		return shortest(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min * shortest(re.Sub[0])
	case syntax.OpConcat:
		sum := 0
		for _, sub := range re.Sub {
			sum += shortest(sub)
		}
		return sum
	case syntax.OpAlternate:
		least := shortest(re.Sub[0])
		for _, sub := range re.Sub[1:] {
			least = min(least, shortest(sub))
		}
		return least
	default:
		return 0
	}
}
