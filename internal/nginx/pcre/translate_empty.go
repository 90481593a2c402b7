package pcre

import "strings"

// Engines differ in what a round of a loop that consumed nothing leaves behind.
// PCRE2 has such rounds only in unlimited loops: it compiles X{1,3} as
// X(?:X(?:X)?)? (pcre2_compile.c:compile_branch, "replicate the group").

// maxUnrolled bounds the nodes of a repeat that is written out.
const maxUnrolled = 256

// unrolls tells whether a repeat is written out as PCRE2 does.
func (n *node) unrolls() bool {
	return n.loops() && n.max != unbounded && n.subs[0].mayBeEmpty() && n.size() <= maxUnrolled
}

// size counts the nodes of n with its repeats written out, stopping above
// maxUnrolled.
func (n *node) size() int {
	total := 1
	for _, s := range n.subs {
		if total += s.size(); total > maxUnrolled {
			return total
		}
	}
	if n.loops() && n.max != unbounded && n.subs[0].mayBeEmpty() {
		total *= n.max
	}
	return total
}

// runsEmptyRounds tells whether the engine treats empty rounds of the loop as
// PCRE2 does: regexp2 does in * and +, and anywhere if nothing is captured.
func (t *translation) runsEmptyRounds(n *node) bool {
	star := n.max == unbounded && n.min <= 1
	return t.dialect == dialectBacktrack && (star || !n.subs[0].has(isCapture))
}

// emitCopies writes out a counted repeat.
func (t *translation) emitCopies(n *node) {
	after := ")?"
	if n.mode == lazy {
		after = ")??"
	}
	if n.mode == possessive {
		t.write("(?>")
	}
	open := "(?:" + t.barrier(n.subs[0])
	for range n.min {
		t.wrap(open, n.subs[0])
	}
	for range n.max - n.min {
		t.wrap("(?:"+open, n.subs[0])
	}
	t.write(strings.Repeat(after, n.max-n.min))
	if n.mode == possessive {
		t.write(")")
	}
}
