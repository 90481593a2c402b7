package pcre

// PCRE2 copies a group for each round that a quantifier counts, and refuses
// what compiles to more than 65,535 code units (error 120, "regular expression
// is too large"). The size is not modelled to the unit: patterns that may come
// near it are refused.
const maxCompiled = 40_000

// compiledSize is about the number of code units that PCRE2 makes of n, with link
// size 2. It stops counting above maxCompiled.
func (n *node) compiledSize() int {
	total := n.ownSize()
	for _, s := range n.subs {
		if total += s.compiledSize(); total > maxCompiled {
			return maxCompiled + 1
		}
	}
	if n.kind == kindRepeat && n.subs[0].kind != kindSet {
		total = (total + 7) * max(n.min, n.max, 1)
	}
	return min(total, maxCompiled+1)
}

// isCharacter tells whether s is one character or its two cases.
func (s set) isCharacter() bool {
	return s.count() == 1 || len(s) == 2 && s.count() == 2 && s[0].lo^s[1].lo == 0x20
}

func (n *node) ownSize() int {
	switch n.kind {
	case kindSet:
		if n.set.isCharacter() {
			return 2
		}
		return 33
	case kindAlt:
		return 3 * len(n.subs)
	case kindCapture, kindAtomic, kindLook, kindCondition:
		return 8
	default: // the other kinds go on below
	}
	return 1
}
