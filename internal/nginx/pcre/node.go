package pcre

// kind says what a node matches.
type kind uint8

const (
	kindEmpty     kind = iota // nothing, always
	kindFail                  // never
	kindSet                   // one character of set
	kindCat                   // subs one after the other
	kindAlt                   // the first of subs that works
	kindRepeat                // subs[0], min to max times
	kindCapture               // subs[0], remembered as group
	kindAtomic                // subs[0], no backtracking into it
	kindLook                  // lookaround over subs[0]
	kindBegin                 // start of the subject
	kindEnd                   // very end of the subject
	kindFinalEnd              // end of the subject or before a newline that ends it
	kindLineBegin             // ^ under (?m)
	kindLineEnd               // $ under (?m)
	kindWord                  // \b
	kindNotWord               // \B
	kindBackref               // what group matched
	kindCondition             // subs[0] if subs[2] holds, else subs[1]
	kindGroupSet              // the test of a condition: group has matched
)

// mode is the temper of a repeat.
type mode uint8

const (
	greedy mode = iota
	lazy
	possessive
)

// unbounded is the max of *, + and {n,}.
const unbounded = -1

// node is a piece of a parsed pattern. Only the fields that its kind names are
// meaningful.
type node struct {
	kind     kind
	set      set
	subs     []*node
	min, max int
	mode     mode
	group    int
	caseless bool // of a backreference
	behind   bool // of a lookaround
	negative bool // of a lookaround
	edge     bool // of a sequence: [[:<:]], where a quantifier goes to the lookaround
	grouped  bool // of alternatives: they stood in parentheses of their own
	varies   bool // of a lookbehind: a quantifier other than {n} follows
	offset   int  // of a lookbehind, a backreference or a condition: where the pattern has it
}

// cat joins items, dropping what matches nothing.
func cat(items []*node) *node {
	switch len(items) {
	case 0:
		return &node{kind: kindEmpty}
	case 1:
		return items[0]
	}
	return &node{kind: kindCat, subs: items}
}

// walk calls visit for n and everything below it, parents first.
func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, s := range n.subs {
		s.walk(visit)
	}
}

// has tells whether n or anything below satisfies is.
func (n *node) has(is func(*node) bool) bool {
	found := false
	n.walk(func(m *node) { found = found || is(m) })
	return found
}

func isCapture(n *node) bool     { return n.kind == kindCapture }
func isReference(n *node) bool   { return n.kind == kindBackref || n.kind == kindGroupSet }
func isAlternation(n *node) bool { return n.kind == kindAlt }

// loops tells whether the body can run more than once.
func (n *node) loops() bool {
	return n.kind == kindRepeat && (n.max == unbounded || n.max > 1)
}

// mayBeEmpty tells whether n can match without consuming anything; it errs
// towards true.
func (n *node) mayBeEmpty() bool {
	switch n.kind {
	case kindSet, kindFail:
		return false
	case kindCat:
		for _, s := range n.subs {
			if !s.mayBeEmpty() {
				return false
			}
		}
		return true
	case kindCondition:
		return n.subs[0].mayBeEmpty() || n.subs[1].mayBeEmpty()
	case kindAlt:
		for _, s := range n.subs {
			if s.mayBeEmpty() {
				return true
			}
		}
		return false
	case kindRepeat:
		return n.min == 0 || n.subs[0].mayBeEmpty()
	case kindCapture, kindAtomic:
		return n.subs[0].mayBeEmpty()
	default: // the other kinds go on below
	}
	return true
}

// fixedLength gives the number of characters that n always consumes, as PCRE2
// counts them for a lookbehind (pcre2_compile.c:get_branchlength): nested
// alternatives must agree. ok is false when the length varies.
func (n *node) fixedLength() (length int, ok bool) {
	switch n.kind {
	case kindSet:
		return 1, true
	case kindCat:
		for _, s := range n.subs {
			if s.kind == kindFail {
				return length, true // what follows is never reached
			}
			l, ok := s.fixedLength()
			if !ok {
				return 0, false
			}
			length += l
		}
		return length, true
	case kindCondition:
		return commonLength(n.subs[:2])
	case kindAlt:
		return commonLength(n.subs)
	case kindRepeat:
		l, ok := n.subs[0].fixedLength()
		if n.subs[0].kind == kindLook {
			return 0, ok
		}
		return l * n.min, ok && n.min == n.max
	case kindCapture, kindAtomic:
		return n.subs[0].fixedLength()
	case kindLook:
		return 0, !n.varies
	case kindBackref:
		return 0, false
	default: // the other kinds go on below
	}
	return 0, true
}

func commonLength(subs []*node) (int, bool) {
	length, ok := subs[0].fixedLength()
	for _, s := range subs[1:] {
		l, sok := s.fixedLength()
		ok = ok && sok && l == length
	}
	return length, ok
}
