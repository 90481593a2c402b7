package pcre

import "slices"

// types are the escapes that PCRE2's auto-possessification knows by name.
type types uint8

const (
	typeDot          types = 1 << iota // . without (?s), \N
	typeSpace                          // \s
	typeNotSpace                       // \S
	typeWhite                          // \h, \v
	typeNewlineAlone                   // \R
)

func typeOf(escape byte) types {
	switch escape {
	case 'N':
		return typeDot
	case 's':
		return typeSpace
	case 'S':
		return typeNotSpace
	case 'h', 'v':
		return typeWhite
	case 'R':
		return typeNewlineAlone
	}
	return 0
}

// refuseQuirks refuses patterns to which PCRE2 itself, up to 10.42 at least,
// gives answers that its documentation does not explain: nothing else answers
// them alike.
func (p *parser) refuseQuirks(root *node) {
	// \S*\h becomes \S*+\h, as if no character were both; but 0xa0 is, and 0x85
	// for \v, in the C locale (pcre2_auto_possess.c:autoposstab).
	if p.types&typeNotSpace != 0 && p.types&typeWhite != 0 {
		p.refuse(`\S beside \h or \v`)
	}
	// Likewise \R, with which \s, \S and . have much in common.
	if p.types&typeNewlineAlone != 0 && p.types&(typeDot|typeSpace|typeNotSpace) != 0 {
		p.refuse(`\R beside \s, \S or .`)
	}
	// [^a]*(?>(?:ab)?)\n becomes [^a]*+(?>(?:ab)?)\n, as if the group could not be
	// passed over.
	if root.has(isAtomicOption) {
		p.refuse("an optional group at the end of an atomic one")
	}
	// a(b|\1?) does not match "a": the shortest match is taken for too long
	// (pcre2_study.c:find_minlength).
	if root.refersToItself(nil) {
		p.refuse("a backreference in the group it refers to")
	}
	if root.compiledSize() > maxCompiled {
		p.refuse("a size that may be beyond PCRE2's limit")
	}
	// (?=a)b?a does not match "a": the a of the lookahead becomes the first code
	// unit, and the required a is looked for behind it (pcre2_match.c, start
	// optimizations).
	if root.startsWithLookahead() {
		p.refuse("a lookahead for a fixed character at the start")
	}
}

// isAtomicOption tells whether n keeps what it matched, which may be nothing
// because a group in it is optional.
func isAtomicOption(n *node) bool {
	if !isAtomic(n) || !n.mayBeEmpty() {
		return false
	}
	if n.kind == kindRepeat && n.subs[0].kind != kindSet && n.min == 0 && n.max != unbounded {
		return true
	}
	return n.subs[0].has(func(m *node) bool {
		return m.kind == kindRepeat && m.min == 0 && m.subs[0].kind != kindSet
	})
}

// refersToItself tells whether a backreference stands in its own group; open
// lists the groups around n.
func (n *node) refersToItself(open []int) bool {
	switch n.kind {
	case kindBackref:
		return slices.Contains(open, n.group)
	case kindCapture:
		open = append(slices.Clip(open), n.group)
	default: // the other kinds go on below
	}
	for _, s := range n.subs {
		if s.refersToItself(open) {
			return true
		}
	}
	return false
}

// startsWithLookahead tells whether a match can begin with a positive lookahead
// for one character.
func (n *node) startsWithLookahead() bool {
	switch n.kind {
	case kindLook:
		return !n.behind && !n.negative && n.subs[0].startsWithCharacter()
	case kindAlt, kindCondition:
		for _, s := range n.subs {
			if s.startsWithLookahead() {
				return true
			}
		}
	case kindCapture, kindAtomic, kindRepeat:
		return n.subs[0].startsWithLookahead()
	case kindCat:
		for _, s := range n.subs {
			if s.kind == kindBegin {
				return false
			}
			if s.startsWithLookahead() {
				return true
			}
			if !s.mayBeEmpty() {
				return false
			}
		}
	default: // the other kinds go on below
	}
	return false
}

// startsWithCharacter tells whether n can begin with a character written out.
func (n *node) startsWithCharacter() bool {
	switch n.kind {
	case kindSet:
		return len(n.set) <= 2 && n.set.count() <= 4 // with its other cases
	case kindAlt, kindCondition:
		for _, s := range n.subs {
			if s.startsWithCharacter() {
				return true
			}
		}
	case kindCapture, kindAtomic, kindRepeat, kindLook:
		return n.subs[0].startsWithCharacter()
	case kindCat:
		for _, s := range n.subs {
			if s.startsWithCharacter() {
				return true
			}
			if !s.mayBeEmpty() {
				return false
			}
		}
	default: // the other kinds go on below
	}
	return false
}
