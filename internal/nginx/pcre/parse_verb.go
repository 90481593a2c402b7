package pcre

import "strings"

// verb reads (*NAME), (*NAME:text) and the spelled-out assertions (*pla:…).
func (p *parser) verb() (*item, error) {
	p.pos += 2
	start := p.pos
	for p.more() && isWord(p.src[p.pos]) {
		p.pos++
	}
	name := p.src[start:p.pos]
	if name != "" && name[0] >= 'a' && name[0] <= 'z' {
		return p.alphaAssertion(name, start-2)
	}
	known := strings.Contains(" ACCEPT COMMIT F FAIL MARK PRUNE SKIP THEN ", " "+name+" ") || name == "" && p.peek(":")
	switch {
	case (name == "F" || name == "FAIL") && p.eat(")"):
		return &item{node: &node{kind: kindFail}}, nil
	case name == "MARK" && p.peek(")"):
		return nil, p.fail(p.pos, "(*MARK) must have an argument")
	case known && (p.peek(":") || p.peek(")")) && strings.Contains(p.src[p.pos:], ")"):
		p.refuse("a backtracking verb")
		p.skip(')')
		return &item{node: &node{kind: kindFail}}, nil
	}
	return nil, p.fail(p.pos, "(*VERB) not recognized or malformed")
}

// alphaAssertion reads (*positive_lookahead:…) and its like from the colon on.
func (p *parser) alphaAssertion(name string, start int) (*item, error) {
	const unknown = "(*alpha_assertion) not recognized"
	if !p.eat(":") {
		return nil, p.fail(p.pos, unknown)
	}
	switch name {
	case "pla", "positive_lookahead":
		return p.look(start, false, false)
	case "nla", "negative_lookahead":
		return p.look(start, false, true)
	case "plb", "positive_lookbehind":
		return p.look(start, true, false)
	case "nlb", "negative_lookbehind":
		return p.look(start, true, true)
	case "atomic":
		return p.group(func(n *node) *node { return &node{kind: kindAtomic, subs: []*node{n}} })
	case "napla", "naplb", "non_atomic_positive_lookahead", "non_atomic_positive_lookbehind",
		"sr", "script_run", "asr", "atomic_script_run":
		p.refuse("(*" + name + ":")
		return p.bare(false)
	}
	return nil, p.fail(p.pos-1, unknown)
}
