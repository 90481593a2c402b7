package pcre

import "strings"

// parenthesis reads what "(" starts: a group, a lookaround, an option, a
// comment, a verb.
func (p *parser) parenthesis() (*item, error) {
	rest := p.src[p.pos:]
	if strings.HasPrefix(rest, "(*") && len(rest) > 2 && rest[2] != ')' {
		return p.verb()
	}
	if !strings.HasPrefix(rest, "(?") {
		p.pos++
		if p.flags.noCapture {
			return p.bare(false)
		}
		return p.capture("")
	}
	start := p.pos
	p.pos += 2
	switch {
	case !p.more():
		return nil, p.fail(p.pos, "missing closing parenthesis")
	case p.eat("#"):
		return p.comment()
	case p.eat(":"):
		return p.bare(false)
	case p.eat("|"):
		return p.bare(true)
	case p.eat(">"):
		return p.group(func(n *node) *node { return &node{kind: kindAtomic, subs: []*node{n}} })
	case p.eat("="):
		return p.look(start, false, false)
	case p.eat("!"):
		return p.look(start, false, true)
	case p.eat("<="):
		return p.look(start, true, false)
	case p.eat("<!"):
		return p.look(start, true, true)
	case p.eat("("):
		return p.condition()
	case p.eat("P"):
		return p.python()
	case p.eat("*"), p.eat("<*"):
		p.refuse("a non-atomic lookaround")
		return p.bare(false)
	case p.eat("<"):
		return p.named('>')
	case p.eat("'"):
		return p.named('\'')
	case p.eat("C"):
		p.refuse("a callout")
		return p.skip(')'), nil
	case p.peek("R"), p.peek("&"), p.peek("+"), isDigit(p.src[p.pos]),
		p.peek("-") && p.pos+1 < len(p.src) && isDigit(p.src[p.pos+1]):
		return p.call(')')
	}
	return p.options()
}

// comment passes over (?#…), which leaves the item before it open to a
// quantifier.
func (p *parser) comment() (*item, error) {
	p.pos -= len("(?#")
	if !p.skipComment() {
		return nil, p.fail(len(p.src), "missing ) after (?# comment")
	}
	return nil, nil
}

// skipComment passes over a whole (?#…) if there is one.
func (p *parser) skipComment() bool {
	end := strings.IndexByte(p.src[p.pos:], ')')
	if !p.peek("(?#") || end < 0 {
		return false
	}
	p.pos += end + 1
	return true
}

// skip passes over a construct that is refused anyway, up to what ends it. It
// may not have understood it, so that errors after it are no longer certain.
func (p *parser) skip(end byte) *item {
	p.unsure = true
	if i := strings.IndexByte(p.src[p.pos:], end); i >= 0 {
		p.pos += i + 1
	} else {
		p.pos = len(p.src)
	}
	return p.placeholder()
}

// group reads alternatives and the closing parenthesis; options set inside end
// with it.
func (p *parser) group(wrap func(*node) *node) (*item, error) {
	n, err := p.body(false)
	if err != nil {
		return nil, err
	}
	return &item{node: wrap(n), repeatable: true}, nil
}

// bare reads a group that neither captures nor asserts.
func (p *parser) bare(reset bool) (*item, error) {
	n, err := p.body(reset)
	if err != nil {
		return nil, err
	}
	if n.edge || n.kind == kindLook {
		// A quantifier belongs to the group, not to the assertion in it.
		n = &node{kind: kindCat, subs: []*node{n}}
	}
	n.grouped = true
	return &item{node: n, repeatable: true}, nil
}

func (p *parser) body(reset bool) (*node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, p.fail(p.pos, "parentheses are too deeply nested")
	}
	saved := p.flags
	n, err := p.alternation(reset)
	if err != nil {
		return nil, err
	}
	p.flags = saved
	p.depth--
	if !p.eat(")") {
		return nil, p.fail(p.pos, "missing closing parenthesis")
	}
	return n, nil
}

func (p *parser) look(start int, behind, negative bool) (*item, error) {
	p.looking++
	defer func() { p.looking-- }()
	return p.group(func(n *node) *node {
		return &node{kind: kindLook, behind: behind, negative: negative, subs: []*node{n}, offset: start}
	})
}

func (p *parser) capture(name string) (*item, error) {
	p.captures++
	number := p.captures
	if name != "" {
		if err := p.addName(name, number); err != nil {
			return nil, err
		}
	}
	return p.group(func(n *node) *node {
		return &node{kind: kindCapture, group: number, subs: []*node{n}}
	})
}

// named reads (?<name>…) from the name on.
func (p *parser) named(end byte) (*item, error) {
	name, err := p.name(end)
	if err != nil {
		return nil, err
	}
	return p.capture(name)
}

// maxName is PCRE2's MAX_NAME_SIZE.
const maxName = 32

// name reads a group name and its terminator.
func (p *parser) name(end byte) (string, error) {
	start := p.pos
	if !p.more() {
		return "", p.fail(p.pos, "subpattern name expected")
	}
	if isDigit(p.src[p.pos]) {
		return "", p.fail(p.pos, "subpattern name must start with a non-digit")
	}
	if p.utf && p.src[p.pos] >= 0x80 {
		p.refuse("a group name beyond ASCII")
	}
	for p.more() && (isWord(p.src[p.pos]) || p.utf && p.src[p.pos] >= 0x80) {
		p.pos++
	}
	switch {
	case p.pos > start+maxName:
		return "", p.fail(start+maxName+3, "subpattern name is too long (maximum 32 code units)")
	case p.pos == start:
		return "", p.fail(p.pos, "subpattern name expected")
	case !p.more() || p.src[p.pos] != end:
		return "", p.fail(p.pos, "syntax error in subpattern name (missing terminator?)")
	}
	p.pos++
	return p.src[start : p.pos-1], nil
}

func isWord(c byte) bool { return isDigit(c) || isLetter(c) || c == '_' }

// addName records a name; the same name is allowed twice only for the same
// number, as in (?|(?<a>x)|(?<a>y)).
func (p *parser) addName(name string, number int) error {
	for _, n := range p.names {
		switch {
		case n.Name == name && n.Group == number:
			return nil
		case n.Name == name && p.flags.dupNames:
			p.refuse("duplicate group names")
		case n.Name == name:
			return p.fail(p.pos, "two named subpatterns have the same name (PCRE2_DUPNAMES not set)")
		case n.Group == number:
			return p.fail(p.pos, "different names for subpatterns of the same number are not allowed")
		}
	}
	p.names = append(p.names, Name{Name: name, Group: number})
	return nil
}

// python reads (?P<name>…), (?P=name) and (?P>name).
func (p *parser) python() (*item, error) {
	start := p.pos
	switch {
	case !p.more():
		return nil, p.fail(p.pos, "missing closing parenthesis")
	case p.eat("<"):
		return p.named('>')
	case p.eat("="):
		name, err := p.name(')')
		if err != nil {
			return nil, err
		}
		return p.backref(reference{name: name, offset: start + 1}), nil
	case p.peek(">"):
		return p.call(')')
	}
	return nil, p.fail(p.pos, "unrecognized character after (?P")
}

// options reads (?i), (?i-s:…), (?^…) from the letters on.
func (p *parser) options() (*item, error) {
	saved := p.flags
	on := true
	hyphen := false
	if p.eat("^") {
		p.flags.caseless, p.flags.multiline, p.flags.dotall = false, false, false
		p.flags.extended, p.flags.extendedMore, p.flags.noCapture = false, false, false
		hyphen = true // nothing can be unset after ^
	}
	for p.more() && !p.peek(")") && !p.peek(":") {
		if p.eat("-") {
			if hyphen {
				return nil, p.fail(p.pos-1, "invalid hyphen in option setting")
			}
			hyphen, on = true, false
			continue
		}
		if err := p.option(on); err != nil {
			return nil, err
		}
	}
	switch {
	case !p.more():
		return nil, p.fail(p.pos, "missing closing parenthesis")
	case p.eat(")"):
		return &item{}, nil
	}
	p.pos++
	it, err := p.bare(false)
	p.flags = saved
	return it, err
}

func (p *parser) option(on bool) error {
	f := &p.flags
	switch p.src[p.pos] {
	case 'i':
		f.caseless = on
	case 'm':
		f.multiline = on
	case 's':
		f.dotall = on
	case 'n':
		f.noCapture = on
	case 'J':
		f.dupNames = on
	case 'U':
		f.ungreedy = on
	case 'x':
		f.extended = on
		f.extendedMore = on && p.peek("xx")
		if p.peek("xx") {
			p.pos++
		}
	default:
		return p.fail(p.pos, "unrecognized character after (? or (?-")
	}
	p.pos++
	return nil
}
