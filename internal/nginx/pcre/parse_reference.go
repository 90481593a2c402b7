package pcre

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
)

const missingGroup = "reference to non-existent subpattern"

// backref makes the node for a reference that resolve completes.
func (p *parser) backref(r reference) *item {
	r.node = &node{kind: kindBackref, group: r.group, caseless: p.flags.caseless, offset: r.offset}
	p.refs = append(p.refs, r)
	return &item{node: r.node, repeatable: true}
}

// late notes an error that counts only if nothing earlier in PCRE2's second pass
// fails.
func (p *parser) late(err error) { p.refs = append(p.refs, reference{err: err}) }

// resolve gives every reference its group, forward ones too.
func (p *parser) resolve() error {
	for _, r := range p.refs {
		if r.err != nil {
			return r.err
		}
		if r.name == "" {
			if r.group > p.captures {
				return p.fail(r.offset, missingGroup)
			}
			continue
		}
		r.node.group = p.groupOf(r.name)
		if r.node.group == 0 {
			return p.fail(r.offset, missingGroup)
		}
	}
	return p.latest
}

func (p *parser) groupOf(name string) int {
	for _, n := range p.names {
		if n.Name == name {
			return n.Group
		}
	}
	return 0
}

// numberedBackref reads \1 to \9 and beyond. Two digits or more are a reference
// only if that many groups are open, or if the first is 8 or 9; otherwise they
// are octal and nil is returned.
func (p *parser) numberedBackref() (*item, error) {
	width := digits(p.src[p.pos:])
	n, err := strconv.Atoi(p.src[p.pos : p.pos+width])
	if err != nil || n > maxNumber {
		return nil, p.fail(p.pos+width, "subpattern number is too big")
	}
	if n >= 10 && p.src[p.pos] < '8' && n > p.captures {
		return nil, nil
	}
	p.pos += width
	return p.backref(reference{group: n, offset: p.pos - 1}), nil
}

// maxNumber is the largest group number that PCRE2 reads: INT_MAX/10 - 1, ten
// times over.
const maxNumber = (1<<31-1)/10*10 - 1

// referenceEscape reads \g and \k from the delimiter on.
func (p *parser) referenceEscape(letter byte) (*item, error) {
	if letter == 'g' && (p.peek("<") || p.peek("'")) {
		return p.call(closing(p.next()))
	}
	if p.eat("{") {
		if letter == 'g' && p.more() && (isDigit(p.src[p.pos]) || p.peek("-") || p.peek("+")) {
			return p.relativeBackref(true)
		}
		return p.nameBackref('}')
	}
	if letter == 'g' {
		if p.more() && (isDigit(p.src[p.pos]) || p.peek("-") || p.peek("+")) {
			return p.relativeBackref(false)
		}
		return nil, p.fail(p.pos, `\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number`)
	}
	if p.eat("<") {
		return p.nameBackref('>')
	}
	if p.eat("'") {
		return p.nameBackref('\'')
	}
	return nil, p.fail(p.pos, `\k is not followed by a braced, angle-bracketed, or quoted name`)
}

func (p *parser) nameBackref(end byte) (*item, error) {
	start := p.pos
	name, err := p.name(end)
	if err != nil {
		return nil, err
	}
	return p.backref(reference{name: name, offset: start}), nil
}

// relativeBackref reads the number of \g: absolute, or counted from here with a
// sign.
func (p *parser) relativeBackref(braced bool) (*item, error) {
	start := p.pos
	if braced {
		start--
	}
	sign := p.sign()
	if p.more() && isDigit(p.src[p.pos]) {
		n, err := p.groupNumber(sign)
		if invalid := new(SyntaxError); sign == '-' && errors.As(err, &invalid) {
			invalid.Offset = start
		}
		if err != nil {
			return nil, err
		}
		if !braced || p.eat("}") {
			return p.backref(reference{group: n, offset: p.pos - 1}), nil
		}
	}
	if braced && sign != 0 {
		return nil, p.fail(start+1, "subpattern name expected")
	}
	return nil, p.fail(start, `\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number`)
}

// sign reads + or -; 0 for neither.
func (p *parser) sign() byte {
	if !p.peek("+") && !p.peek("-") {
		return 0
	}
	p.pos++
	return p.src[p.pos-1]
}

// groupNumber reads digits and applies the sign (pcre2_compile.c:read_number).
func (p *parser) groupNumber(sign byte) (int, error) {
	width := digits(p.src[p.pos:])
	if width == 0 {
		return 0, p.fail(p.pos, `\g is not followed by a braced, angle-bracketed, or quoted name/number or by a plain number`)
	}
	n, err := strconv.Atoi(p.src[p.pos : p.pos+width])
	p.pos += width
	if err != nil || n > maxCount {
		return 0, p.fail(p.pos, "subpattern number is too big")
	}
	switch {
	case n == 0 && sign == 0:
		return 0, p.fail(p.pos-1, missingGroup)
	case n == 0:
		return 0, p.fail(p.pos, `(?+ or (?- or (?(+ or (?(- must be followed by a non-zero digit`)
	case sign == '+':
		n += p.captures
	case sign == '-' && n > p.captures:
		return 0, p.fail(p.pos, missingGroup)
	case sign == '-':
		n = p.captures - n + 1
	}
	return n, nil
}

// condition reads (?(…)yes|no) from the inner parenthesis on.
func (p *parser) condition() (*item, error) {
	start := p.pos
	var test *node
	switch {
	case !p.more():
		return nil, p.fail(p.pos, "missing closing parenthesis")
	case p.peek("?=") || p.peek("?!") || p.peek("?<=") || p.peek("?<!"):
		p.pos--
		it, err := p.parenthesis()
		if err != nil {
			return nil, err
		}
		test = it.node
	case p.peek("?") || p.peek("*") || p.peek("R") || p.peek("DEFINE)") || p.peek("VERSION"):
		p.refuse("a condition of this kind")
		test = p.skip(')').node
	default:
		var err error
		if test, err = p.conditionGroup(); err != nil {
			return nil, err
		}
	}
	return p.branches(test, start)
}

// conditionGroup reads the number or the name of a condition and its ")".
func (p *parser) conditionGroup() (*node, error) {
	start := p.pos
	if c := p.src[p.pos]; isDigit(c) || c == '+' || c == '-' {
		sign := p.sign()
		if sign == 0 && strings.Trim(p.src[p.pos:p.pos+digits(p.src[p.pos:])], "0") == "" {
			return nil, p.fail(p.pos+1, missingGroup)
		}
		n, err := p.groupNumber(sign)
		if err != nil {
			return nil, err
		}
		if !p.eat(")") {
			return nil, p.fail(p.pos, "missing closing parenthesis for condition")
		}
		return p.groupSet(reference{group: n, offset: start - 1}), nil
	}
	end := byte(')')
	switch {
	case p.eat("<"):
		end = '>'
	case p.eat("'"):
		end = '\''
	}
	at := p.pos
	name, err := p.name(end)
	if err != nil {
		return nil, err
	}
	if end != ')' && !p.eat(")") {
		return nil, p.fail(p.pos, "missing closing parenthesis for condition")
	}
	return p.groupSet(reference{name: name, offset: at}), nil
}

func (p *parser) groupSet(r reference) *node {
	n := p.backref(r).node
	n.kind = kindGroupSet
	return n
}

// branches reads yes|no and builds the conditional.
func (p *parser) branches(test *node, start int) (*item, error) {
	body, err := p.body(false)
	if err != nil {
		return nil, err
	}
	yes, no := body, &node{kind: kindEmpty}
	if body.kind == kindAlt && !body.grouped {
		if len(body.subs) > 2 {
			p.latest = cmp.Or(p.latest, p.fail(start-3, "conditional subpattern contains more than two branches"))
		}
		if len(body.subs) == 2 {
			yes, no = body.subs[0], body.subs[1]
		}
	}
	return &item{node: &node{kind: kindCondition, subs: []*node{yes, no, test}}, repeatable: true}, nil
}

// call reads a recursion or a subroutine call, which no engine here runs.
func (p *parser) call(end byte) (*item, error) {
	p.refuse("a recursion or a subroutine call")
	return p.skip(end), nil
}

// closing is the delimiter that ends what open began.
func closing(open rune) byte {
	if open == '<' {
		return '>'
	}
	return '\''
}
