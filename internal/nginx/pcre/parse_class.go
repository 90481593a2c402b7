package pcre

import "strings"

// rangeState is what a hyphen in a class may mean
// (pcre2_compile.c:parse_regex, class_range_state).
type rangeState uint8

const (
	rangeNo      rangeState = iota // literal
	rangeOK                        // start of a range
	rangeStarted                   // a range awaits its end
)

// class is a bracket expression under construction.
type class struct {
	set   set
	state rangeState
	low   rune // last single character
}

func (p *parser) classItem() (*item, error) {
	start := p.pos
	if p.eat("[[:<:]]") {
		return p.wordEdge(false), nil
	}
	if p.eat("[[:>:]]") {
		return p.wordEdge(true), nil
	}
	if end := posixEnd(p.src[p.pos:]); end > 0 {
		if p.src[p.pos+1] == ':' {
			return nil, p.fail(start, "POSIX named classes are supported only within a class")
		}
		return nil, p.fail(start, collating)
	}
	p.pos++
	negate := p.classStart()
	var c class
	for first := true; ; first = false {
		if !p.more() {
			return nil, p.fail(p.pos, "missing terminating ] for character class")
		}
		if !p.quoting && !first && p.eat("]") {
			break
		}
		if err := p.classMember(&c); err != nil {
			return nil, err
		}
	}
	if c.state == rangeStarted {
		p.addRange(&c, '-', '-')
	}
	s := c.set.normal()
	if negate {
		s = s.not(p.limit())
	}
	return p.setItem(s), nil
}

const collating = "POSIX collating elements are not supported"

// wordEdge is [[:<:]] or [[:>:]]: \b(?=\w) or \b(?<=\w).
func (p *parser) wordEdge(behind bool) *item {
	look := &node{kind: kindLook, behind: behind, subs: []*node{{kind: kindSet, set: wordSet()}}}
	return &item{node: &node{kind: kindCat, edge: true, subs: []*node{{kind: kindWord}, look}}, repeatable: true}
}

// classStart passes over ^ and empty quotes after the bracket.
func (p *parser) classStart() (negate bool) {
	for {
		switch {
		case p.eat(`\E`), p.eat(`\Q\E`):
		case !negate && p.eat("^"):
			negate = true
		default:
			return negate
		}
	}
}

// posixEnd is the offset of the ":]" that closes a "[:" at the start of s, with
// . or = in place of : as well, or 0 (pcre2_compile.c:check_posix_syntax).
func posixEnd(s string) int {
	if len(s) < 2 || !strings.ContainsRune(":.=", rune(s[1])) {
		return 0
	}
	mark := s[1]
	for i := 2; i+1 < len(s); i++ {
		switch {
		case s[i] == '\\' && (s[i+1] == ']' || s[i+1] == '\\'):
			i++
		case s[i] == '[' && s[i+1] == mark || s[i] == ']':
			return 0
		case s[i] == mark && s[i+1] == ']':
			return i
		}
	}
	return 0
}

// classMember reads one member or half a range.
func (p *parser) classMember(c *class) error {
	if p.quoting {
		if p.eat(`\E`) {
			p.quoting = false
			return nil
		}
		return p.classChar(c, p.next())
	}
	if p.flags.extendedMore && (p.peek(" ") || p.peek("\t")) {
		p.pos++
		return nil
	}
	if p.peek("[") {
		if end := posixEnd(p.src[p.pos:]); end > 0 {
			return p.posixMember(c, end)
		}
	}
	if p.peek("-") && c.state == rangeOK {
		p.pos++
		c.state = rangeStarted
		return nil
	}
	if p.peek(`\`) {
		return p.classEscapeMember(c)
	}
	return p.classChar(c, p.next())
}

// classChar adds one character or ends a range with it.
func (p *parser) classChar(c *class, r rune) error {
	if c.state != rangeStarted {
		c.state, c.low = rangeOK, r
		p.addRange(c, r, r)
		return nil
	}
	if r < c.low {
		return p.fail(p.pos-1, "range out of order in character class")
	}
	c.state = rangeNo
	p.addRange(c, c.low, r)
	return nil
}

func (p *parser) addRange(c *class, lo, hi rune) {
	s := set{{lo, hi}}
	if p.flags.caseless {
		s = s.fold(p.utf)
	}
	c.set = append(c.set, s...)
}

const invalidRange = "invalid range in character class"

func (p *parser) posixMember(c *class, end int) error {
	if c.state == rangeStarted {
		return p.fail(p.pos+1, invalidRange)
	}
	name := p.src[p.pos+2 : p.pos+end]
	if p.src[p.pos+1] != ':' {
		return p.fail(p.pos, collating)
	}
	negate := strings.HasPrefix(name, "^")
	s := posixSet(strings.TrimPrefix(name, "^"))
	if s == nil {
		return p.fail(p.pos+2, "unknown POSIX class name")
	}
	p.pos += end + 2
	if p.flags.caseless {
		s = s.fold(false) // [:upper:] and [:lower:] become [:alpha:]
	}
	if negate {
		s = s.not(p.limit())
	}
	return p.addClass(c, s)
}

// addClass adds a set that cannot bound a range. A hyphen after it is refused
// unless it is the last member.
func (p *parser) addClass(c *class, s set) error {
	if p.pos < len(p.src)-1 && p.src[p.pos] == '-' && p.src[p.pos+1] != ']' {
		return p.fail(p.pos, invalidRange)
	}
	c.set = append(c.set, s...)
	c.state = rangeNo
	return nil
}

func (p *parser) classEscapeMember(c *class) error {
	p.pos++
	if !p.more() {
		return p.fail(p.pos, `\ at end of pattern`)
	}
	s, ok, err := p.classEscape()
	if err != nil {
		return err
	}
	if ok {
		if c.state == rangeStarted {
			return p.fail(p.pos, invalidRange)
		}
		return p.addClass(c, s)
	}
	switch e := p.src[p.pos]; e {
	case 'b':
		p.pos++
		return p.classChar(c, '\b')
	case 'Q', 'E':
		p.pos++
		p.quoting = e == 'Q'
		return nil
	case '8', '9', 'g':
		p.pos++
		return p.classChar(c, rune(e))
	case 'N':
		p.pos++
		if p.peek("{") && countedLength(p.src[p.pos:]) == 0 && !p.peek("{U+") {
			return p.fail(p.pos, noPerlEscape)
		}
		return p.fail(p.pos, `\N is not supported in a class`)
	case 'A', 'B', 'C', 'G', 'K', 'R', 'X', 'Z', 'k', 'z':
		if c.state == rangeStarted && !strings.ContainsRune("BRX", rune(e)) {
			return p.fail(p.pos+1, invalidRange)
		}
		return p.fail(p.pos, "escape sequence is invalid in character class")
	}
	r, err := p.escapedChar()
	if err != nil {
		return err
	}
	return p.classChar(c, r)
}
