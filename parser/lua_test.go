package parser

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestLuaIsReadByItsOwnRules has what lua-nginx-module 0.10.23 made of these
// bodies under nginx 1.22.1.
func TestLuaIsReadByItsOwnRules(t *testing.T) {
	bodies := []struct{ name, code string }{
		{"length operator", " if #ngx.arg > 0 then end "},
		{"brace in a string", ` ngx.say("}") `},
		{"escaped quotes", ` x = 'a\'}' .. "\"}" `},
		{"a quote that its line does not close", "\n x = \"a\n"},
		{"apostrophe in a comment", " -- it's }\n "},
		{"long string", " local s = [[ } ]] "},
		{"long string of a level", " a = [=[ ]] } ]=] "},
		{"long comment", " --[==[ } ]==] "},
		{"what is no long comment", " -- [[ x }\n "},
		{"brackets of tables", " a[b[1]] = {1, {2}} "},
		{"what is no long bracket", ` x = [==" } " `},
	}
	for _, tt := range bodies {
		t.Run(tt.name, func(t *testing.T) {
			for _, head := range []string{"content_by_lua_block {", "set_by_lua_block $x{"} {
				src := "location / {\n" + head + tt.code + "}\nreturn 204;\n}\n"
				tree := ParseBytes("x.conf", []byte(src), Options{FS: newTextFiles(nil)})
				require.Empty(t, tree.Errors)
				inner := tree.Root.Directives[0].Children
				require.Len(t, inner, 2)
				assert.Equal(t, tt.code, inner[0].GetBlock().GetCodeBlock())
				assert.Equal(t, "return", inner[1].Name)
			}
		})
	}
}

func TestLuaWithoutAnEnd(t *testing.T) {
	tests := []struct {
		name, src, want string
		line            int
	}{
		{"long string", "content_by_lua_block {\n x = 1\n s = [[ }\n}\n", `x.conf:3:6: Lua code block missing the closing long bracket "]]", the inlined Lua code may be too long`, 3},
		{"long comment", "content_by_lua_block {\n\n --[=[ }\n}\n", `x.conf:3:4: Lua code block missing the closing long bracket "]=]", the inlined Lua code may be too long`, 3},
		{"brace", "content_by_lua_block {\n {\n}\n", `x.conf:4:1: unexpected end of file, expecting terminating characters for lua code block`, 2},
		{"braces", "content_by_lua_block {\n {\n {{ \n } }\n\n", `x.conf:6:1: unexpected end of file, expecting terminating characters for lua code block`, 3},
		{"nothing", "content_by_lua_block {\n", `x.conf:2:1: unexpected end of file, expecting terminating characters for lua code block`, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := ParseBytes("x.conf", []byte(tt.src), Options{FS: newTextFiles(nil), Context: []string{"location"}})
			require.Len(t, tree.Errors, 1)
			assert.Equal(t, tt.want, tree.Errors[0].Error())
			assert.Equal(t, tt.line, tree.Errors[0].Line)
		})
	}
}
