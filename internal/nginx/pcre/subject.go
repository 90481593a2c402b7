package pcre

import (
	"sync"
	"unicode/utf8"
)

// buffers holds the scratch copies of subjects that are not plain ASCII.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// expanded gives the subject as Go's regexp must see it: one character per byte
// unless the pattern is (*UTF), and inner newlines marked for a tail program.
// The text is in buf, which goes back to buffers after use, if that is not nil.
func (re *Regex) expanded(subject []byte, tail bool) (text []byte, buf *[]byte) {
	if re.utf || !tail && isASCII(subject) {
		return subject, nil
	}
	buf = buffers.Get().(*[]byte)
	text = (*buf)[:0]
	for i, b := range subject {
		switch {
		case b >= 0x80:
			text = utf8.AppendRune(text, rune(b))
		case tail && b == '\n' && i < len(subject)-1:
			text = utf8.AppendRune(text, innerNewline)
		default:
			text = append(text, b)
		}
	}
	*buf = text
	return text, buf
}

func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// contract turns offsets into an expanded text into offsets into the subject: a
// character is a byte.
func contract(loc []int, text []byte) {
	for i, off := range loc {
		if off > 0 {
			loc[i] = utf8.RuneCount(text[:off])
		}
	}
}
