package pcre

import (
	"fmt"
	"strings"
)

// emitSet writes one character's choice in the dialect's alphabet.
func (t *translation) emitSet(s set) {
	s = t.alphabet(s)
	switch {
	case len(s) == 0 && t.dialect == dialectBacktrack:
		t.write(`(?!)`)
	case len(s) == 0:
		t.write(`[^\x00-\x{10FFFF}]`)
	case len(s) == 1 && s[0].lo == s[0].hi:
		t.write(t.char(s[0].lo))
	default:
		t.write("[")
		for _, sp := range s {
			t.write(t.char(sp.lo))
			if sp.hi > sp.lo {
				t.write("-", t.char(sp.hi))
			}
		}
		t.write("]")
	}
}

// alphabet maps a set of bytes to the characters that stand for them.
func (t *translation) alphabet(s set) set {
	if t.utf {
		return s
	}
	var out set
	for _, sp := range s {
		out = append(out, t.moved(sp)...)
	}
	if t.dialect == dialectTail && s.contains('\n') {
		out = append(out, span{innerNewline, innerNewline})
	}
	out = out.normal()
	if last := len(out) - 1; t.dialect == dialectGo && last >= 0 && out[last].hi == maxByte {
		out[last].hi = maxRune // no character above 0xff occurs, and Go knows [^/] as such
	}
	return out
}

// moved splits sp at 0x80 for regexp2.
func (t *translation) moved(sp span) set {
	if t.dialect != dialectBacktrack || sp.hi < 0x80 {
		return set{sp}
	}
	high := span{max(sp.lo, 0x80) + highBytes, sp.hi + highBytes}
	if sp.lo >= 0x80 {
		return set{high}
	}
	return set{{sp.lo, 0x7f}, high}
}

func (s set) contains(r rune) bool {
	for _, sp := range s {
		if sp.lo <= r && r <= sp.hi {
			return true
		}
	}
	return false
}

// char writes one character so that both engines read it as a literal.
func (t *translation) char(r rune) string {
	if r < 0x80 && (isWord(byte(r)) || strings.ContainsRune(`/%&~,;:"'<>=@!`, r) && r != 0) {
		return string(r)
	}
	return fmt.Sprintf(`\x{%x}`, r)
}
