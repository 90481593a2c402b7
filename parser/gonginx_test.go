package parser

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tufanbarisyildirim/gonginx/config"
	"github.com/tufanbarisyildirim/gonginx/dumper"
	gonginx "github.com/tufanbarisyildirim/gonginx/parser"

	"github.com/nglimit/nglimit/internal/oracle"
)

// shape is a directive as both readers can give it.
type shape struct {
	Name     string
	Args     []string
	Children []shape
	Code     string
}

func shapes(ds []config.IDirective) (out []shape) {
	for _, d := range ds {
		if d.GetName() == "" {
			continue
		}
		s := shape{Name: plainWord(d.GetName())}
		for _, p := range d.GetParameters() {
			s.Args = append(s.Args, plainWord(p.GetValue()))
		}
		if b := d.GetBlock(); b != nil {
			if s.Code = b.GetCodeBlock(); s.Code == "" {
				s.Children = shapes(b.GetDirectives())
			}
		}
		out = append(out, s)
	}
	return out
}

// plainWord decodes a word as it stands in a source.
func plainWord(raw string) string {
	l := newLexer([]byte(raw + ";"))
	l.next()
	if len(l.args) == 1 {
		return l.args[0].Value
	}
	return raw
}

func byGonginx(src string) (out []shape, err error) {
	p := gonginx.NewStringParser(src, gonginx.WithSkipValidDirectivesErr())
	conf, err := p.Parse()
	if err != nil {
		return nil, err
	}
	return shapes(conf.Directives), nil
}

// Differences are expected: gonginx is not a judge, but a change in either
// reader must be looked at.
var gonginxDiffers = []struct{ name, src, reason string }{
	{"stray brace", "events {}\nhttp {\n}\n}\nserver {}\n", "it takes a closing brace too many for the end"},
	{"lone semicolon", "events {};\n", "it skips a lone semicolon"},
	{"double semicolon", "user x;;\n", "it skips the second semicolon"},
	{"brace without a name", "events {}\n{ a b; }\nuser x;\n", "it skips a lone brace with what follows"},
	{"glued to a quote", `log_format a "b"c;`, "it does not want white space after a quote"},
	{"NUL", "user x;\x00 y;\n", "it takes a NUL for the end of the file"},
	{"escaped space", `map $a $b { ~x\ y 1; }`, "it does not know the backslash outside of quotes"},
	{"escaped brace", `location ~ a\{2\} {}`, "it does not know the backslash outside of quotes"},
	{"brace inside a word", "map $a $b { ~^/x}y 1; }", "it ends a word at a closing brace"},
	{"backtick", "map $a $b { `x 1; y` 2; }", "it takes a backtick for a quote"},
	{"space inside ${}", "log_format f ${a b};", "it reads ${} to its end"},
	{"invalid UTF-8", "log_format f \"M\xfcn\";", "it reads runes and replaces what is none"},
	{"Lua string with a brace", `content_by_lua_block { ngx.say("}") }`, "it does not read Lua"},
	{"Lua length operator", "content_by_lua_block { if #a > 0 then b() end }", "it does not read Lua"},
	{"Lua long bracket", "content_by_lua_block { local s = [[ } ]] }", "it does not read Lua"},
	{"Lua after an argument", "set_by_lua_block $x {\n -- 'tis\n return 1\n}", "it does not read Lua"},
	{"servers of upstream", "http { upstream u { server a; server b backup; ip_hash; } }", "it moves servers to the end"},
	{"server among maps", "http { server {} map $a $b { c d; } server {} }", "it moves servers to the end"},
	{"long word", "env \"" + strings.Repeat("a", 4096) + "\";\nuser x;\n", "it has no limit on words"},
	{"escaped backslash before a quote", `map $a $b { "c\\" 1; d "e"; }`, "it misses the end of such a quote"},
}

func TestKnownDifferencesFromGonginx(t *testing.T) {
	for _, tt := range gonginxDiffers {
		t.Run(tt.name, func(t *testing.T) {
			theirs, err := byGonginx(tt.src)
			tree := ParseBytes("nginx.conf", []byte(tt.src), Options{FS: OS{}, Context: []string{"none"}})
			mine := shapes(tree.Root.Gonginx().Directives)
			same := err == nil && len(tree.Errors) == 0 && assert.ObjectsAreEqual(mine, theirs)
			assert.False(t, same, "gonginx reads this as nginx does now; reason was: %s", tt.reason)
		})
	}
}

// gonginxFails are fixtures that gonginx reads otherwise.
var gonginxFails = map[string]string{
	"quoting.conf": "backslashes, braces and backticks in words",
	"latin1.conf":  "bytes that are not UTF-8",
	"shop.conf":    "it moves servers to the end of their block",
	"proxy.conf":   "it moves servers to the end of their block",
}

func TestFixturesAreReadAsByGonginx(t *testing.T) {
	for name, files := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			theirs, err := byGonginx(files["nginx.conf"])
			mine := shapes(ParseBytes("nginx.conf", []byte(files["nginx.conf"]), Options{FS: OS{}}).Root.Gonginx().Directives)
			if gonginxFails[name] != "" {
				assert.False(t, err == nil && assert.ObjectsAreEqual(mine, theirs), "gonginx reads this as nginx does now")
				return
			}
			require.NoError(t, err)
			assert.Equal(t, theirs, mine)
		})
	}
}

func TestTheDumpOfATreeIsTheSameConfiguration(t *testing.T) {
	style := dumper.NewStyle()
	style.DisableLuaFormatting = true
	dumped := map[string]oracle.Files{}
	for name, files := range corpus(t) {
		again := oracle.Files{}
		for file, text := range files {
			tree := ParseBytes(file, []byte(text), Options{FS: newTextFiles(nil), Context: []string{"main"}})
			again[file] = text
			if file == "nginx.conf" {
				again[file] = dumper.DumpConfig(tree.Root.Gonginx(), style) + "\n"
				reread := ParseBytes(file, []byte(again[file]), Options{FS: newTextFiles(nil), Context: []string{"main"}})
				assert.Equal(t, shapes(tree.Root.Gonginx().Directives), shapes(reread.Root.Gonginx().Directives), name)
				assert.Len(t, reread.Root.Comments, len(tree.Root.Comments), name)
			}
		}
		dumped[name] = again
	}
	for _, bin := range oracle.Bins(t) {
		check := bin.Checker(t)
		for name, files := range dumped {
			got := check.Test(files)
			assert.True(t, got.OK, "%s: %s", name, got.Output)
		}
	}
}

func TestGonginxFindsDirectivesInATree(t *testing.T) {
	tree := Parse(fixtures+"/valid/shop.conf", Options{FS: OS{}})
	http := tree.Root.Directives[6]
	require.Equal(t, "http", http.Name)
	found := http.GetBlock().FindDirectives("limit_req")
	require.Len(t, found, 2)
	assert.Equal(t, "zone=perip", found[0].GetParameters()[0].GetValue())
	assert.Equal(t, "server", found[0].GetParent().GetName())
}
