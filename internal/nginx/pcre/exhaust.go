package pcre

// MayExhaust tells whether the pattern has a repeat that can divide the same
// text among its rounds in exponentially many ways, as (a+)+ can. On a text that
// almost matches, PCRE2 then reaches its match limit and nginx answers 500
// (pcre2_match() failed: -47), where Match, if it runs in linear time, says that
// there is no match.
func (re *Regex) MayExhaust() bool { return re.exhausts }

// exhausts looks for a repeat without bound around one that may be all of its
// body.
func (n *node) exhausts() bool {
	if n.kind == kindAtomic {
		return false // what is inside runs once per start
	}
	if n.kind == kindRepeat && n.max == unbounded && n.mode != possessive && n.subs[0].mayBeOneRepeat() {
		return true
	}
	for _, s := range n.subs {
		if s.exhausts() {
			return true
		}
	}
	return false
}

// mayBeOneRepeat tells whether a match of n can be nothing but rounds of one
// unbounded repeat, so that where one match ends the next may go on alike.
func (n *node) mayBeOneRepeat() bool {
	switch n.kind {
	case kindRepeat:
		return n.mode != possessive && (n.max == unbounded && !n.subs[0].neverConsumes() || n.subs[0].mayBeOneRepeat())
	case kindCapture:
		return n.subs[0].mayBeOneRepeat()
	case kindAlt:
		for _, s := range n.subs {
			if s.mayBeOneRepeat() {
				return true
			}
		}
	case kindCat:
		for i, s := range n.subs {
			if s.mayBeOneRepeat() && emptyBut(n.subs, i) {
				return true
			}
		}
	default: // the other kinds go on below
	}
	return false
}

// emptyBut tells whether all but one may match nothing.
func emptyBut(subs []*node, but int) bool {
	for i, s := range subs {
		if i != but && !s.mayBeEmpty() {
			return false
		}
	}
	return true
}

func (n *node) neverConsumes() bool {
	return !n.has(func(m *node) bool { return m.kind == kindSet || m.kind == kindBackref })
}
