package pcre

import (
	"cmp"
	"regexp"
	"slices"
	"unicode/utf8"
)

// Result is what a match gave.
type Result uint8

// The three results of pcre2_match as nginx tells them apart.
const (
	NoMatch Result = iota
	Match
	// Failed stands for an error of pcre2_match: the match limit, or a subject
	// that is no UTF-8 under (*UTF). nginx answers 500 to it in a location and
	// takes the default value in a map.
	Failed
)

// String names the result.
func (r Result) String() string { return [...]string{"no match", "match", "failed"}[r] }

// Name is a named group.
type Name struct {
	Name  string
	Group int // 1 and up
}

// Regex is a compiled pattern, safe for concurrent use.
type Regex struct {
	pattern  string
	captures int
	names    []Name
	utf      bool
	exhausts bool

	linear  *program // nil if only the backtracker will do
	filter  *prefilter
	tail    *program // in place of linear when the subject ends in a newline
	backing *backtracker
}

// program is a translation that Go's regexp runs.
type program struct {
	re    *regexp.Regexp
	slots []int
}

// Compile parses the pattern as nginx gives it to PCRE2; caseless is ~*. The
// error is a *SyntaxError if nginx refuses the pattern too and an *UnsupportedError
// if it cannot be run here.
func Compile(pattern string, caseless bool) (*Regex, error) {
	p, err := parse(pattern, caseless)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(p.names, func(a, b Name) int { return cmp.Compare(a.Group, b.Group) })
	re := &Regex{pattern: pattern, captures: p.captures, names: p.names, utf: p.utf, exhausts: p.root.exhausts()}
	re.linear = compileLinear(p, dialectGo)
	if re.linear != nil && p.endSensitive() && !p.utf {
		re.tail = compileLinear(p, dialectTail)
	}
	re.filter = newPrefilter(p, re.linear)
	if re.linear != nil && (re.tail != nil || !p.endSensitive()) {
		return re, nil
	}
	if re.backing, err = compileBacktracker(p); err != nil {
		return nil, refusal(pattern, err)
	}
	return re, nil
}

// refusal turns any error of an engine into the one type for it.
func refusal(pattern string, err error) error {
	return &UnsupportedError{Pattern: pattern, Construct: err.Error()}
}

// compileLinear gives nil where Go's regexp cannot run the pattern.
func compileLinear(p *parsed, d dialect) *program {
	expr, slots, refused := translate(p, d)
	if refused != "" {
		return nil
	}
	re, err := regexp.Compile(expr)
	if err != nil { // too large: {n} above 1000
		return nil
	}
	return &program{re: re, slots: slots}
}

// endSensitive tells whether a newline at the end of the subject is seen by an
// anchor.
func (p *parsed) endSensitive() bool {
	return p.root.has(func(n *node) bool { return n.kind == kindFinalEnd || n.kind == kindLineBegin })
}

// String is the pattern as compiled.
func (re *Regex) String() string { return re.pattern }

// NumCaptures counts the groups, without the whole match.
func (re *Regex) NumCaptures() int { return re.captures }

// Names lists the named groups by number.
func (re *Regex) Names() []Name { return re.names }

// Match looks for the first match in subject. If caps is not nil and there is a
// match, the byte offsets of the whole match and of each group are appended to
// it, two a group, -1 for a group that is not set; with \K the first is still
// that of the whole match, as nginx has no name for it.
func (re *Regex) Match(subject []byte, caps []int) (Result, []int) {
	if re.utf && !utf8.Valid(subject) {
		return Failed, caps
	}
	if re.filter != nil && !re.filter.admits(subject) {
		return NoMatch, caps
	}
	if prog := re.pick(subject); prog != nil {
		return prog.match(re, subject, caps)
	}
	return re.backing.match(re, subject, caps)
}

// pick chooses the linear program for a subject, nil for the backtracker.
func (re *Regex) pick(subject []byte) *program {
	if n := len(subject); n == 0 || subject[n-1] != '\n' || re.linear == nil {
		return re.linear
	}
	if re.tail == nil && re.backing == nil {
		return re.linear // the end is not looked at
	}
	return re.tail
}

func (prog *program) match(re *Regex, subject []byte, caps []int) (Result, []int) {
	text, buf := re.expanded(subject, prog == re.tail)
	if buf != nil {
		defer buffers.Put(buf)
	}
	if caps == nil {
		if prog.re.Match(text) {
			return Match, nil
		}
		return NoMatch, nil
	}
	loc := prog.re.FindSubmatchIndex(text)
	if loc == nil {
		return NoMatch, caps
	}
	if len(text) != len(subject) {
		contract(loc, text)
	}
	return Match, place(caps, re.captures, prog.slots, loc)
}

// place appends the offsets of the groups, given those of the emitted captures.
func place(caps []int, captures int, slots, loc []int) []int {
	at := len(caps)
	caps = append(caps, loc[0], loc[1])
	for range captures {
		caps = append(caps, -1, -1)
	}
	for i, group := range slots {
		if loc[2*i+2] >= 0 {
			caps[at+2*group], caps[at+2*group+1] = loc[2*i+2], loc[2*i+3]
		}
	}
	return caps
}
