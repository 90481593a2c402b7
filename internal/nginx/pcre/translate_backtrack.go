package pcre

import "strconv"

// Word boundaries by ASCII letters: regexp2's own are Unicode's.
const (
	wordClass    = `[0-9A-Z_a-z]`
	wordEdges    = `(?:(?<=` + wordClass + `)(?!` + wordClass + `)|(?<!` + wordClass + `)(?=` + wordClass + `))`
	notWordEdges = `(?:(?<=` + wordClass + `)(?=` + wordClass + `)|(?<!` + wordClass + `)(?!` + wordClass + `))`
)

// barrier gives an assertion that always holds to put before a repeated body.
// regexp2 v2.13.0 folds a repeat of nothing but a repeat into one: (?:a*+)? into
// a*+, which can no longer give up the a's, and (?:(a|..)+){2,} into (a|..){2,},
// whose last round is another.
func (t *translation) barrier(body *node) string {
	if t.dialect != dialectBacktrack {
		return ""
	}
	if s := body.solitary(); body.has(isAtomic) || s.kind == kindRepeat && s.subs[0].kind != kindSet {
		return `(?=[\x{0}-\x{10ffff}]|\z)`
	}
	return ""
}

// solitary is the one item of n that is more than nothing, or n.
func (n *node) solitary() *node {
	if n.kind != kindCat {
		return n
	}
	var only *node
	for _, s := range n.subs {
		if s.kind == kindEmpty || s.kind == kindRepeat && s.max == 0 {
			continue
		}
		if only != nil {
			return n
		}
		only = s
	}
	if only == nil {
		return n
	}
	return only.solitary()
}

// isAtomic tells whether n keeps what it matched.
func isAtomic(n *node) bool {
	return n.kind == kindAtomic || n.kind == kindRepeat && n.mode == possessive
}

// emitBacktrack writes what regexp2 alone can run.
func (t *translation) emitBacktrack(n *node) {
	switch n.kind {
	case kindFail:
		t.write(`(?!)`)
	case kindWord:
		t.write(wordEdges)
	case kindNotWord:
		t.write(notWordEdges)
	case kindFinalEnd:
		t.write(`(?=\n?\z)`)
	case kindLineBegin:
		t.write(`(?:\A|(?<=\n)(?!\z))`)
	case kindLineEnd:
		t.write(`(?=\n|\z)`)
	case kindAtomic:
		t.wrap("(?>", n.subs[0])
	case kindLook:
		t.wrap(lookOpening(n), n.subs[0])
	case kindBackref:
		t.emitBackref(n)
	case kindCondition:
		t.emitCondition(n)
	default: // emit writes the other kinds
	}
}

func lookOpening(n *node) string {
	open := "(?"
	if n.behind {
		open = "(?<"
	}
	if n.negative {
		return open + "!"
	}
	return open + "="
}

func (t *translation) emitBackref(n *node) {
	copies := t.copies(n.group)
	switch len(copies) {
	case 0: // the group stands under {0}: never set, so never matched
		t.write(`(?!)`)
	case 1:
		open := "(?:"
		if n.caseless {
			open = "(?i:"
		}
		t.write(open, `\`, strconv.Itoa(copies[0]), ")")
	default:
		t.refuse("a backreference to a group number that is used twice")
	}
}

func (t *translation) emitCondition(n *node) {
	yes, no, test := n.subs[0], n.subs[1], n.subs[2]
	if test.kind == kindLook {
		t.emitLookCondition(yes, no, test)
		return
	}
	copies := t.copies(test.group)
	switch len(copies) {
	case 0:
		t.wrap("(?:", no)
	case 1:
		t.write("(?(", strconv.Itoa(copies[0]), ")")
		t.wrap("(?:", yes)
		t.write("|")
		t.wrap("(?:", no)
		t.write(")")
	default:
		t.refuse("a condition on a group number that is used twice")
	}
}

// emitLookCondition writes the test twice, once each way, which is the same as
// long as it captures nothing.
func (t *translation) emitLookCondition(yes, no, test *node) {
	if test.has(isCapture) {
		t.refuse("a condition that captures")
		return
	}
	opposite := *test
	opposite.negative = !test.negative
	t.write("(?:")
	t.emit(test)
	t.wrap("(?:", yes)
	t.write("|")
	t.emit(&opposite)
	t.wrap("(?:", no)
	t.write(")")
}
