package pcre

// checkLookbehinds reports lookbehinds of varying length as PCRE2 does, and
// refuses those that regexp2, which matches a lookbehind from right to left,
// could answer differently.
func (p *parser) checkLookbehinds(root *node) (err error) {
	root.walk(func(n *node) {
		if n.kind != kindLook || !n.behind || err != nil {
			return
		}
		body := n.subs[0]
		if construct := directionSensitive(body); construct != "" {
			p.refuse(construct + " in a lookbehind")
			p.unsure = true // of its length
			return
		}
		if !branchesFixed(body) {
			err = p.fail(n.offset, "lookbehind assertion is not fixed length")
		}
	})
	return err
}

// branchesFixed: the alternatives of the lookbehind itself may differ in length
// from each other, those of a group within may not.
func branchesFixed(body *node) bool {
	branches := []*node{body}
	if body.kind == kindAlt && !body.grouped {
		branches = body.subs
	}
	for _, b := range branches {
		if _, ok := b.fixedLength(); !ok {
			return false
		}
	}
	return true
}

// directionSensitive names what makes the direction of matching visible.
func directionSensitive(body *node) string {
	found := ""
	body.walk(func(n *node) {
		switch {
		case n.kind == kindBackref:
			found = "a backreference"
		case n.kind == kindCondition:
			found = "a condition"
		case n.kind == kindFail:
			found = "(*FAIL)" // PCRE2 does not look at the rest of its branch
		case n.loops() && n.has(isCapture):
			found = "a repeated group"
		case n.kind == kindRepeat && n.mode == possessive && n.max != 0 && n.min != n.max:
			return // of varying length, which is an error
		case n.kind == kindAtomic && isFixed(n):
			found = "an atomic group"
		}
	})
	return found
}

func isFixed(n *node) bool {
	_, ok := n.fixedLength()
	return ok
}
