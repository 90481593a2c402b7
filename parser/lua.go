package parser

import (
	"bytes"
	"strings"
)

// isLuaBlock tells the directives of OpenResty whose body is Lua code.
func isLuaBlock(name string) bool { return strings.HasSuffix(name, "_by_lua_block") }

// skipLua finds the "}" that ends the Lua code which starts at from, -1 if
// there is none. Braces count outside of strings and comments only
// (lua-nginx-module, ngx_http_lua_lex.rl).
func skipLua(src []byte, from int) int {
	depth := 0
	for i := from; i < len(src); {
		switch ch := src[i]; {
		case ch == '{':
			depth++
			i++
		case ch == '}':
			if depth == 0 {
				return i
			}
			depth--
			i++
		case ch == '"' || ch == '\'':
			i = luaString(src, i)
		case ch == '[':
			i = luaBracket(src, i)
		case ch == '-' && i+1 < len(src) && src[i+1] == '-':
			i = luaComment(src, i)
		default:
			i++
		}
	}
	return -1
}

// luaString skips a quoted string; an unfinished one ends with its line.
func luaString(src []byte, i int) int {
	quote := src[i]
	for i++; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case quote:
			return i + 1
		}
	}
	return i
}

// luaBracket skips a long bracket string if one starts at i, or one byte.
func luaBracket(src []byte, i int) int {
	level := i + 1
	for level < len(src) && src[level] == '=' {
		level++
	}
	if level >= len(src) || src[level] != '[' {
		return i + 1
	}
	closing := "]" + strings.Repeat("=", level-i-1) + "]"
	n := bytes.Index(src[level+1:], []byte(closing))
	if n < 0 {
		return len(src)
	}
	return level + 1 + n + len(closing)
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
