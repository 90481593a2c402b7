package report

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Safe makes text from a log or a configuration fit for a terminal: control
// characters, escapes, bytes that are not UTF-8 and characters that reorder or
// hide text are shown as \x1b or \u202e.
func Safe(text string) string {
	if plainText(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b.WriteString(`\x`)
			b.WriteString(hex(uint64(text[i]), 2))
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			b.WriteString(`\x`)
			b.WriteString(hex(uint64(r), 2))
		case r < 0x10000:
			b.WriteString(`\u`)
			b.WriteString(hex(uint64(r), 4))
		default:
			b.WriteString(`\U`)
			b.WriteString(hex(uint64(r), 8))
		}
		i += size
	}
	return b.String()
}

func plainText(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < ' ' || text[i] > '~' {
			return false
		}
	}
	return true
}

func hex(v uint64, digits int) string {
	s := strconv.FormatUint(v, 16)
	return strings.Repeat("0", max(0, digits-len(s))) + s
}
