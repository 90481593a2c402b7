package accesslog

import (
	"bytes"
	"unicode/utf8"
)

// unescape decodes the escapes of a JSON string, and nginx's \xHH, which is
// what log_format writes without escape=json
// (ngx_http_log_module.c:ngx_http_log_escape,
// src/core/ngx_string.c:ngx_escape_json). Other bytes stay what they are,
// valid UTF-8 or not: two clients must not become one. It appends to dst.
func unescape(dst, s []byte) []byte {
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 || i+1 >= len(s) {
			return append(dst, s...)
		}
		dst = append(dst, s[:i]...)
		s = s[i:]
		n := 0
		if dst, n = escape(dst, s); n == 0 {
			dst = append(dst, s[0]) // no escape that anybody writes: as it is
			n = 1
		}
		s = s[n:]
	}
}

// escape decodes the escape at the start of s; n is its length, 0 for none.
func escape(dst, s []byte) (out []byte, n int) {
	switch c := s[1]; c {
	case '"', '\\', '/':
		return append(dst, c), 2
	case 'n':
		return append(dst, '\n'), 2
	case 't':
		return append(dst, '\t'), 2
	case 'r':
		return append(dst, '\r'), 2
	case 'b':
		return append(dst, '\b'), 2
	case 'f':
		return append(dst, '\f'), 2
	case 'x':
		if v, ok := hex(s, 2, 2); ok {
			return append(dst, byte(v)), 4
		}
	case 'u':
		return unicodeEscape(dst, s)
	}
	return dst, 0
}

// unicodeEscape decodes \uXXXX, and two of them for a character beyond 16 bits.
func unicodeEscape(dst, s []byte) (out []byte, n int) {
	v, ok := hex(s, 2, 4)
	if !ok {
		return dst, 0
	}
	if v >= 0xd800 && v < 0xdc00 && len(s) >= 8 && s[6] == '\\' && s[7] == 'u' {
		if low, ok := hex(s, 8, 4); ok && low >= 0xdc00 && low < 0xe000 {
			return utf8.AppendRune(dst, 0x10000+(v-0xd800)<<10+(low-0xdc00)), 12
		}
	}
	return utf8.AppendRune(dst, v), 6
}

func hex(s []byte, at, count int) (v rune, ok bool) {
	if len(s) < at+count {
		return 0, false
	}
	for _, c := range s[at : at+count] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		v = v<<4 | rune(c)
	}
	return v, true
}
