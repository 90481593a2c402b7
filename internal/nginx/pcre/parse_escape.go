package pcre

import (
	"strings"
	"unicode"
)

// escapeItem reads a backslash sequence outside a class.
func (p *parser) escapeItem() (*item, error) {
	p.pos++
	if !p.more() {
		return nil, p.fail(p.pos, `\ at end of pattern`)
	}
	c := p.src[p.pos]
	p.types |= typeOf(c)
	if s, ok, err := p.classEscape(); ok || err != nil {
		if err != nil {
			return nil, err
		}
		return p.setItem(s), nil
	}
	if k, ok := assertion(c); ok {
		p.pos++
		return &item{node: &node{kind: k}}, nil
	}
	switch c {
	case 'Q', 'E':
		p.pos++
		p.quoting = c == 'Q'
		return nil, nil
	case 'K':
		return p.keep(), nil
	case 'N':
		return p.notNewline()
	case 'R':
		p.pos++
		return &item{node: newlineSequence(p.utf), repeatable: true}, nil
	case 'C':
		return p.oneByte()
	case 'X':
		p.pos++
		p.refuse(`\X`)
		return p.placeholder(), nil
	case 'g', 'k':
		p.pos++
		return p.referenceEscape(c)
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if it, err := p.numberedBackref(); it != nil || err != nil {
			return it, err
		}
	}
	r, err := p.escapedChar()
	if err != nil {
		return nil, err
	}
	return p.literal(r), nil
}

// assertion gives the kind of the zero-width escapes. \G is where the match
// starts, which is offset 0 for nginx.
func assertion(c byte) (kind, bool) {
	switch c {
	case 'A', 'G':
		return kindBegin, true
	case 'z':
		return kindEnd, true
	case 'Z':
		return kindFinalEnd, true
	case 'b':
		return kindWord, true
	case 'B':
		return kindNotWord, true
	}
	return kindEmpty, false
}

// placeholder stands for something refused, so that reading can go on.
func (p *parser) placeholder() *item {
	return &item{node: &node{kind: kindFail}, repeatable: true}
}

// keep reads \K. It moves the start of group 0, which nginx has no variable
// for, so that it changes nothing that can be seen.
func (p *parser) keep() *item {
	p.pos++
	if p.looking > 0 {
		p.late(p.fail(len(p.src), `\K is not allowed in lookarounds (but see PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK)`))
	}
	return &item{node: &node{kind: kindEmpty}}
}

func (p *parser) notNewline() (*item, error) {
	p.pos++
	if p.peek("{") && countedLength(p.src[p.pos:]) == 0 {
		if p.peek("{U+") {
			if p.utf {
				p.refuse(`\N{U+…}`)
				return p.placeholder(), nil
			}
			return nil, p.fail(p.pos, `\N{U+dddd} is supported only in Unicode (UTF) mode`)
		}
		return nil, p.fail(p.pos, noPerlEscape)
	}
	return p.setItem(single('\n').not(p.limit())), nil
}

const noPerlEscape = `PCRE2 does not support \F, \L, \l, \N{name}, \U, or \u`

// oneByte reads \C: any byte, which under (*UTF) may be part of a character.
func (p *parser) oneByte() (*item, error) {
	p.pos++
	if p.utf {
		p.refuse(`\C under (*UTF)`)
		return p.placeholder(), nil
	}
	return p.setItem(set{{0, maxByte}}), nil
}

// newlineSequence is \R: (?>\r\n|[\n-\r\x85]), with PCRE2 built for BSR_UNICODE.
func newlineSequence(utf bool) *node {
	crlf := cat([]*node{{kind: kindSet, set: single('\r')}, {kind: kindSet, set: single('\n')}})
	one := &node{kind: kindSet, set: verticalSet(utf)}
	return &node{kind: kindAtomic, subs: []*node{{kind: kindAlt, subs: []*node{crlf, one}}}}
}

// classEscape reads \d, \s, \p{…} and the like, in and outside classes. p.pos is
// at the letter.
func (p *parser) classEscape() (set, bool, error) {
	c := p.src[p.pos]
	var s set
	switch c | 0x20 {
	case 'd':
		s = digitSet()
	case 'w':
		s = wordSet()
	case 's':
		s = spaceSet()
	case 'h':
		s = horizontalSet(p.utf)
	case 'v':
		s = verticalSet(p.utf)
	case 'p':
		p.pos++
		property, err := p.property(c == 'P')
		return property, true, err
	default:
		return nil, false, nil
	}
	p.pos++
	if c&0x20 == 0 {
		s = s.not(p.limit())
	}
	return s, true, nil
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// categories are the property names that are evaluated.
const categories = " C Cc Cf Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs "

// nameLetters are what a property name can be made of: there are scripts,
// scx:Greek and bidi classes beside the categories.
const nameLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_&=: -"

// property reads what follows \p or \P.
func (p *parser) property(negate bool) (set, error) {
	name := ""
	switch {
	case p.eat("{"):
		if p.eat("^") {
			negate = !negate
		}
		end := strings.IndexByte(p.src[p.pos:], '}')
		if end < 0 {
			return nil, p.fail(len(p.src), `malformed \P or \p sequence`)
		}
		name = p.src[p.pos : p.pos+end]
		p.pos += end + 1
	case p.more() && isLetter(p.src[p.pos]):
		name = p.src[p.pos : p.pos+1]
		p.pos++
	default:
		return nil, p.fail(min(p.pos+1, len(p.src)), `malformed \P or \p sequence`)
	}
	if strings.Trim(name, nameLetters) != "" {
		return nil, p.fail(p.pos, `unknown property after \P or \p`)
	}
	// Case equivalence of \p{Lu} and the tables beyond Latin-1 depend on the
	// version of PCRE2.
	if !strings.Contains(categories, " "+name+" ") || p.utf || p.flags.caseless && strings.Contains(" Lu Ll Lt ", " "+name+" ") {
		p.refuse(`the property \p{` + name + `}`)
		p.unsure = true
		return nil, nil
	}
	s := propertySet(unicode.Categories[name])
	if negate {
		s = s.not(maxByte)
	}
	return s, nil
}

// escapedChar reads an escape that stands for one character. p.pos is at the
// character after the backslash.
func (p *parser) escapedChar() (rune, error) {
	start := p.pos
	r := p.next()
	switch r {
	case 'a':
		return 7, nil
	case 'e':
		return 27, nil
	case 'f':
		return '\f', nil
	case 'n':
		return '\n', nil
	case 'r':
		return '\r', nil
	case 't':
		return '\t', nil
	case 'c':
		return p.control()
	case 'x':
		return p.hex()
	case 'o':
		return p.bracedOctal()
	case '0', '1', '2', '3', '4', '5', '6', '7':
		p.pos = start
		return p.octal()
	case 'F', 'L', 'l', 'U', 'u':
		return 0, p.fail(p.pos, noPerlEscape)
	}
	if r < 0x80 && isLetter(byte(r)) {
		return 0, p.fail(start, `unrecognized character follows \`)
	}
	return r, nil
}

func (p *parser) control() (rune, error) {
	if !p.more() {
		return 0, p.fail(p.pos, `\c at end of pattern`)
	}
	c := p.src[p.pos]
	if c < 32 || c > 126 {
		return 0, p.fail(p.pos, `\c must be followed by a printable ASCII character`)
	}
	p.pos++
	if c >= 'a' && c <= 'z' {
		c -= 32
	}
	return rune(c ^ 0x40), nil
}

// octal reads up to three octal digits.
func (p *parser) octal() (rune, error) {
	r := rune(0)
	for n := 0; n < 3 && p.more() && p.src[p.pos] >= '0' && p.src[p.pos] <= '7'; n++ {
		r = r*8 + rune(p.src[p.pos]-'0')
		p.pos++
	}
	if r > p.limit() {
		return 0, p.fail(p.pos, `octal value is greater than \377 in 8-bit non-UTF-8 mode`)
	}
	return r, nil
}

func (p *parser) hex() (rune, error) {
	if p.eat("{") {
		return p.braced(16, `non-hex character in \x{} (closing brace missing?)`)
	}
	r := rune(0)
	for n := 0; n < 2 && p.more(); n++ {
		d, ok := digit(p.src[p.pos], 16)
		if !ok {
			break
		}
		r = r*16 + d
		p.pos++
	}
	return r, nil
}

func (p *parser) bracedOctal() (rune, error) {
	if !p.eat("{") {
		return 0, p.fail(min(p.pos, len(p.src)-1), `missing opening brace after \o`)
	}
	return p.braced(8, `non-octal character in \o{} (closing brace missing?)`)
}

// braced reads the digits of \x{…} or \o{…} and the brace.
func (p *parser) braced(base rune, malformed string) (rune, error) {
	if !p.more() || p.peek("}") {
		return 0, p.fail(p.pos, `digits missing in \x{} or \o{} or \N{U+}`)
	}
	r := rune(0)
	for ; p.more(); p.pos++ {
		d, ok := digit(p.src[p.pos], base)
		if !ok {
			break
		}
		if r = r*base + d; r > p.limit() {
			return 0, p.fail(p.pos+len(p.src[p.pos:])-len(strings.TrimLeft(p.src[p.pos:], "0123456789abcdefABCDEF")), `character code point value in \x{} or \o{} is too large`)
		}
	}
	if !p.eat("}") {
		return 0, p.fail(min(p.pos, len(p.src)-1), "%s", malformed)
	}
	if r >= 0xd800 && r <= 0xdfff {
		return 0, p.fail(p.pos, "disallowed Unicode code point (>= 0xd800 && <= 0xdfff)")
	}
	return r, nil
}

func digit(c byte, base rune) (rune, bool) {
	d := rune(99)
	switch {
	case isDigit(c):
		d = rune(c - '0')
	case isLetter(c):
		d = rune(c|0x20-'a') + 10
	}
	return d, d < base
}
