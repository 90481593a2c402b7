package parser

import (
	"bytes"
	"strings"
)

// isLuaBlock tells the directives of OpenResty whose body is Lua code.
func isLuaBlock(name string) bool { return strings.HasSuffix(name, "_by_lua_block") }

// luaText is text that starts in Lua code.
type luaText struct {
	src []byte
	// up to where a quote was sought in vain: a later one before it has no
	// end either, and need not be followed
	single, double int
}

// skipLua finds the "}" that ends the Lua code which starts at from, -1 if
// there is none. Braces count outside of strings and comments only
// (lua-nginx-module, ngx_http_lua_lex.rl).
func skipLua(src []byte, from int) int {
	l := luaText{src: src}
	depth := 0
	for i := from; i < len(src); {
		switch src[i] {
		case '{':
			depth++
			i++
		case '}':
			if depth == 0 {
				return i
			}
			depth--
			i++
		default:
			i = l.skip(i)
		}
	}
	return -1
}

// skip goes past what starts at i: a string, a comment, or one byte.
func (l *luaText) skip(i int) int {
	switch ch := l.src[i]; {
	case ch == '"':
		return l.quoted(i, &l.double)
	case ch == '\'':
		return l.quoted(i, &l.single)
	case ch == '[':
		return luaBracket(l.src, i)
	case ch == '-' && i+1 < len(l.src) && l.src[i+1] == '-':
		return luaComment(l.src, i)
	default:
		return i + 1
	}
}

// quoted skips a quoted string, which ends on its line; a quote that is not
// closed there is skipped alone.
func (l *luaText) quoted(start int, vain *int) int {
	if start < *vain {
		return start + 1
	}
	i := start + 1
	for ; i < len(l.src) && l.src[i] != '\n'; i++ {
		switch l.src[i] {
		case '\\':
			if i+1 < len(l.src) && l.src[i+1] != '\n' {
				i++
			}
		case l.src[start]:
			return i + 1
		}
	}
	*vain = i
	return start + 1
}

// luaBracket skips a long bracket string if one starts at i, or one byte.
func luaBracket(src []byte, i int) int {
	closing := longBracket(src, i)
	if closing == "" {
		return i + 1
	}
	from := i + len(closing)
	n := bytes.Index(src[from:], []byte(closing))
	if n < 0 {
		return len(src)
	}
	return from + n + len(closing)
}

// luaComment skips "-- …" to the end of the line or a long comment.
func luaComment(src []byte, i int) int {
	if i+2 < len(src) && src[i+2] == '[' {
		if end := luaBracket(src, i+2); end > i+3 {
			return end
		}
	}
	if n := bytes.IndexByte(src[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(src)
}

// openBracket finds the long bracket that is never closed in Lua code which
// has no end, -1 if there is none.
func openBracket(src []byte, from int) int {
	l := luaText{src: src}
	for i := from; i < len(src); {
		next := l.skip(i)
		if next == len(src) {
			bracket := i
			if src[i] == '-' {
				bracket += len("--")
			}
			if bracket < len(src) && src[bracket] == '[' && longBracket(src, bracket) != "" {
				return bracket
			}
		}
		i = next
	}
	return -1
}

// lastBrace finds the last "{" of Lua code that has no end; nginx reports its
// line. It is the brace before from if there is no other.
func lastBrace(src []byte, from int) int {
	l := luaText{src: src}
	last := from - 1
	for i := from; i < len(src); {
		if src[i] == '{' {
			last = i
		}
		i = l.skip(i)
	}
	return last
}

// longBracket is what closes the long bracket that starts at i; empty if none
// starts there.
func longBracket(src []byte, i int) string {
	level := i + 1
	for level < len(src) && src[level] == '=' {
		level++
	}
	if level >= len(src) || src[level] != '[' {
		return ""
	}
	return "]" + strings.Repeat("=", level-i-1) + "]"
}
