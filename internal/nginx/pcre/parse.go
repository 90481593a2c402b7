package pcre

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// flags are the options that a pattern can switch inside itself.
type flags struct {
	caseless, multiline, dotall   bool
	extended, extendedMore        bool
	ungreedy, noCapture, dupNames bool
}

// parser reads a pattern as PCRE2 10.42 does (pcre2_compile.c:parse_regex).
type parser struct {
	src      string
	pos      int
	utf      bool
	quoting  bool // between \Q and \E
	flags    flags
	captures int // groups opened so far
	names    []Name
	depth    int // open parentheses
	looking  int // open lookarounds
	refs     []reference
	refused  string // first construct that cannot be run
	types    types  // escapes met outside classes
	unsure   bool   // something was passed over unread
	latest   error  // found by PCRE2 only when nothing else is wrong
}

// reference is a mention of a group that may come later, or an error that PCRE2
// finds only in its second pass, after all of parse_regex.
type reference struct {
	node   *node
	group  int    // or 0 for a name
	name   string //
	offset int
	err    error // in place of all others
}

// maxDepth is PCRE2's parens_nest_limit.
const maxDepth = 250

// parsed is a pattern that PCRE2 accepts.
type parsed struct {
	root     *node
	captures int
	names    []Name
	utf      bool
}

// parse gives a *SyntaxError where PCRE2 does and an *UnsupportedError for what it
// cannot represent.
func parse(pattern string, caseless bool) (*parsed, error) {
	p := &parser{src: pattern, flags: flags{caseless: caseless}}
	root, err := p.pattern()
	switch {
	case p.refused != "" && (err == nil || p.unsure):
		return nil, &UnsupportedError{Pattern: pattern, Construct: p.refused}
	case err != nil:
		return nil, err
	}
	return &parsed{root: root, captures: p.captures, names: p.names, utf: p.utf}, nil
}

func (p *parser) pattern() (*node, error) {
	p.startOptions()
	if p.utf && !utf8.ValidString(p.src) {
		return nil, p.fail(0, "UTF-8 error")
	}
	root, err := p.alternation(false)
	if err != nil {
		return nil, err
	}
	if p.more() { // alternation stops early only at ")"
		return nil, p.fail(p.pos, "unmatched closing parenthesis")
	}
	if err := p.checkLookbehinds(root); err != nil {
		return nil, err
	}
	if err := p.resolve(); err != nil {
		return nil, err
	}
	p.refuseQuirks(root)
	return root, nil
}

// startOptions reads (*UTF) and its like, which stand only at the very start
// (pcre2_compile.c:pso_list). Those that set limits or newlines change results.
func (p *parser) startOptions() {
	for {
		end := strings.IndexByte(p.src[p.pos:], ')')
		if !strings.HasPrefix(p.src[p.pos:], "(*") || end < 0 {
			return
		}
		name, _, _ := strings.Cut(p.src[p.pos+2:p.pos+end], "=")
		switch name {
		case "UTF", "UTF8":
			p.utf = true
		case "NO_JIT", "NO_START_OPT", "NO_AUTO_POSSESS", "NO_DOTSTAR_ANCHOR":
		case "UCP", "NOTEMPTY", "NOTEMPTY_ATSTART", "CR", "LF", "CRLF", "ANY", "ANYCRLF", "NUL",
			"BSR_ANYCRLF", "BSR_UNICODE", "LIMIT_MATCH", "LIMIT_HEAP", "LIMIT_DEPTH", "LIMIT_RECURSION":
			p.refuse("(*" + name + ")")
		default:
			return
		}
		p.pos += end + 1
	}
}

// refuse notes the first construct that stands in the way; reading goes on, as
// a syntax error further on counts for more.
func (p *parser) refuse(construct string) {
	if p.refused == "" {
		p.refused = construct
	}
}

func (p *parser) fail(offset int, format string, args ...any) error {
	return &SyntaxError{Pattern: p.src, Offset: min(offset, len(p.src)), Message: fmt.Sprintf(format, args...)}
}

func (p *parser) more() bool { return p.pos < len(p.src) }

// peek tells whether the pattern goes on with s.
func (p *parser) peek(s string) bool { return strings.HasPrefix(p.src[p.pos:], s) }

// eat consumes s if the pattern goes on with it.
func (p *parser) eat(s string) bool {
	if !p.peek(s) {
		return false
	}
	p.pos += len(s)
	return true
}

// next consumes one character: a byte, or a code point under (*UTF).
func (p *parser) next() rune {
	if p.utf {
		r, size := utf8.DecodeRuneInString(p.src[p.pos:])
		p.pos += size
		return r
	}
	p.pos++
	return rune(p.src[p.pos-1])
}

// limit is the highest character.
func (p *parser) limit() rune {
	if p.utf {
		return maxRune
	}
	return maxByte
}

// alternation reads branches up to ")" or the end. With reset, as in (?|, each
// branch counts its groups from the same number.
func (p *parser) alternation(reset bool) (*node, error) {
	first, highest := p.captures, p.captures
	var branches []*node
	for {
		b, err := p.branch()
		if err != nil {
			return nil, err
		}
		branches = append(branches, b)
		highest = max(highest, p.captures)
		if p.quoting || !p.eat("|") {
			break
		}
		if reset {
			p.captures = first
		}
	}
	p.captures = highest
	if len(branches) == 1 {
		return branches[0], nil
	}
	return &node{kind: kindAlt, subs: branches}, nil
}

// item is one piece of a branch. A piece that stands for nothing, such as a
// comment, has no node and leaves its predecessor open to a quantifier.
type item struct {
	node       *node
	repeatable bool
}

// sequence is a branch under construction.
type sequence struct {
	items      []*node
	repeatable bool // the last item is open to a quantifier
}

func (p *parser) branch() (*node, error) {
	var s sequence
	for p.more() && (p.quoting || !p.peek("|") && !p.peek(")")) {
		if err := p.piece(&s); err != nil {
			return nil, err
		}
	}
	return cat(s.items), nil
}

// piece reads one item or the quantifier of the last.
func (p *parser) piece(s *sequence) error {
	if !p.quoting {
		if p.skipExtended() {
			return nil
		}
		q, ok, err := p.quantifier()
		if err != nil {
			return err
		}
		if ok {
			return p.quantify(s, q)
		}
	}
	it, err := p.item()
	if err != nil || it == nil {
		return err
	}
	if s.repeatable = it.repeatable; it.node != nil {
		s.items = append(s.items, it.node)
	}
	return nil
}

func (p *parser) quantify(s *sequence, q quantifier) error {
	if !s.repeatable {
		return p.fail(q.end-1, "quantifier does not follow a repeatable item")
	}
	last := len(s.items) - 1
	s.items[last] = repeat(s.items[last], q)
	s.repeatable = false
	return nil
}

// item reads the next piece; nil if it was nothing but a comment or the like.
func (p *parser) item() (*item, error) {
	if p.quoting {
		if p.eat(`\E`) {
			p.quoting = false
			return nil, nil
		}
		return p.literal(p.next()), nil
	}
	switch p.src[p.pos] {
	case '\\':
		return p.escapeItem()
	case '[':
		return p.classItem()
	case '(':
		return p.parenthesis()
	case '^':
		p.pos++
		return &item{node: &node{kind: pick(p.flags.multiline, kindLineBegin, kindBegin)}}, nil
	case '$':
		p.pos++
		return &item{node: &node{kind: pick(p.flags.multiline, kindLineEnd, kindFinalEnd)}}, nil
	case '.':
		p.pos++
		if p.flags.dotall {
			return p.setItem(set{{0, p.limit()}}), nil
		}
		p.types |= typeDot
		return p.setItem(single('\n').not(p.limit())), nil
	}
	return p.literal(p.next()), nil
}

func pick(cond bool, yes, no kind) kind {
	if cond {
		return yes
	}
	return no
}

func (p *parser) literal(r rune) *item {
	s := single(r)
	if p.flags.caseless {
		s = s.fold(p.utf)
	}
	return p.setItem(s)
}

func (p *parser) setItem(s set) *item {
	return &item{node: &node{kind: kindSet, set: s}, repeatable: true}
}

// skipExtended passes over white space and # comments under (?x). NEL is white
// space even as a byte.
func (p *parser) skipExtended() bool {
	if !p.flags.extended || !p.more() {
		return false
	}
	c := p.src[p.pos]
	if c == '#' {
		end := strings.IndexByte(p.src[p.pos:], '\n')
		if end < 0 {
			p.pos = len(p.src)
		} else {
			p.pos += end + 1
		}
		return true
	}
	if c == ' ' || c >= '\t' && c <= '\r' || c == 0x85 && !p.utf {
		p.pos++
		return true
	}
	if p.utf && (p.peek("\u0085") || p.peek("\u200e") || p.peek("\u200f") || p.peek("\u2028") || p.peek("\u2029")) {
		p.next()
		return true
	}
	return false
}
