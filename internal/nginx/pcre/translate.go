package pcre

import (
	"strconv"
	"strings"
)

// dialect is the engine that a translation is written for.
type dialect uint8

const (
	// dialectGo is Go's regexp over the subject, bytes from 0x80 on written as
	// the characters of the same number.
	dialectGo dialect = iota
	// dialectTail is dialectGo for a subject that ends in a newline: every other
	// newline is written as innerNewline, so that (?m:$) means PCRE's $.
	dialectTail
	// dialectBacktrack is regexp2 over characters, bytes from 0x80 on moved to
	// highBytes, where no character has another case.
	dialectBacktrack
)

const (
	innerNewline = 0xe00a // private use: stands for a newline that is not the last byte
	highBytes    = 0xe000 // private use: byte b becomes highBytes+b
)

// translation writes a parsed pattern in a dialect.
type translation struct {
	strings.Builder
	dialect dialect
	utf     bool
	slots   []int // group that each emitted capture stands for
	refused string
}

// translate gives the pattern and the groups that its captures stand for, in
// order. Several may stand for one group, after (?|. refused is not empty if the
// dialect cannot express the pattern.
func translate(p *parsed, d dialect) (expr string, slots []int, refused string) {
	t := &translation{dialect: d, utf: p.utf}
	t.number(p.root, false)
	t.emit(p.root)
	return t.String(), t.slots, t.refused
}

// number lists the captures in the order of their emission.
func (t *translation) number(n *node, looped bool) {
	if n.kind == kindRepeat && n.max == 0 {
		return // never emitted
	}
	if n.kind == kindCapture {
		if looped && t.duplicated(n.group) {
			// Which of the copies ran last cannot be told apart.
			t.refuse("a group number that is used twice in a repeat")
		}
		t.slots = append(t.slots, n.group)
	}
	if n.kind == kindRepeat && n.unrolls() {
		for range n.max {
			t.number(n.subs[0], looped)
		}
		return
	}
	for _, s := range n.subs {
		t.number(s, looped || n.loops())
	}
}

func (t *translation) duplicated(group int) bool { return len(t.copies(group)) > 0 }

// copies gives the emitted captures, counted from 1, that stand for group.
func (t *translation) copies(group int) []int {
	var out []int
	for i, g := range t.slots {
		if g == group {
			out = append(out, i+1)
		}
	}
	return out
}

func (t *translation) refuse(construct string) {
	if t.refused == "" {
		t.refused = construct
	}
}

func (t *translation) write(parts ...string) {
	for _, s := range parts {
		t.WriteString(s)
	}
}

// maxExpression bounds a translation in bytes: what writes a part twice, and the
// same inside it, doubles with every level.
const maxExpression = 1 << 18

func (t *translation) emit(n *node) {
	if t.Len() > maxExpression {
		t.refuse("more text than can be run")
	}
	if t.refused != "" {
		return
	}
	switch n.kind {
	case kindEmpty:
		t.write("(?:)")
	case kindSet:
		t.emitSet(n.set)
	case kindCat:
		for _, s := range n.subs {
			t.emit(s)
		}
	case kindAlt:
		t.emitAlternatives(n.subs)
	case kindRepeat:
		t.emitRepeat(n)
	case kindCapture:
		t.wrap("(", n.subs[0])
	case kindBegin:
		t.write(`\A`)
	case kindEnd:
		t.write(`\z`)
	default:
		if t.dialect == dialectBacktrack {
			t.emitBacktrack(n)
		} else {
			t.emitLinear(n)
		}
	}
}

func (t *translation) wrap(open string, n *node) {
	t.write(open)
	t.emit(n)
	t.write(")")
}

func (t *translation) emitAlternatives(subs []*node) {
	for i, s := range subs {
		t.write([]string{"(?:", "|"}[min(i, 1)])
		t.emit(s)
	}
	t.write(")")
}

func (t *translation) emitRepeat(n *node) {
	if n.max == 0 {
		t.write("(?:)")
		if n.has(isAlternation) {
			// PCRE2 10.42 takes (?:b|^){0}a for anchored: first_significant_code
			// steps over no more than the first alternative.
			t.refuse("alternatives under {0}")
		}
		return
	}
	if n.mode == possessive && t.dialect != dialectBacktrack {
		t.refuse("a possessive quantifier")
	}
	if n.unrolls() {
		t.emitCopies(n)
		return
	}
	if n.loops() && n.subs[0].mayBeEmpty() && !t.runsEmptyRounds(n) {
		t.refuse("a counted repeat of a group that may match nothing")
	}
	if n.mode == possessive {
		t.write("(?>")
	}
	if body := n.subs[0]; body.kind == kindSet {
		t.emit(body)
	} else {
		t.wrap("(?:"+t.barrier(body), body)
	}
	t.write(bounds(n.min, n.max))
	switch n.mode {
	case lazy:
		t.write("?")
	case possessive:
		t.write(")")
	default: // greedy needs no sign
	}
}

func bounds(lo, hi int) string {
	switch {
	case lo == 0 && hi == unbounded:
		return "*"
	case lo == 1 && hi == unbounded:
		return "+"
	case lo == 0 && hi == 1:
		return "?"
	case hi == unbounded:
		return "{" + strconv.Itoa(lo) + ",}"
	}
	return "{" + strconv.Itoa(lo) + "," + strconv.Itoa(hi) + "}"
}

// emitLinear writes what Go's regexp has under some other spelling.
func (t *translation) emitLinear(n *node) {
	switch n.kind {
	case kindWord:
		t.write(`\b`)
	case kindNotWord:
		t.write(`\B`)
	case kindFinalEnd:
		// Without a newline at the end of the subject \z is the same.
		t.write([]string{`\z`, `(?m:$)`}[t.dialect])
	case kindLineEnd:
		t.write(`(?m:$)`)
		t.refuseInTail()
	case kindLineBegin:
		// PCRE has no line start after the last newline, Go does; without one at
		// the end they agree.
		t.write(`(?m:^)`)
		t.refuseInTail()
	case kindFail:
		t.write(`[^\x00-\x{10FFFF}]`)
	default:
		t.refuse("backtracking")
	}
}

func (t *translation) refuseInTail() {
	if t.dialect == dialectTail {
		t.refuse("line anchors")
	}
}
