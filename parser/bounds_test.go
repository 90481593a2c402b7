package parser

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Each of these texts made some earlier reader slow or unsafe; without a bound
// one of them runs into the time limit of the test.
func TestHostileTextsAreReadToTheirEnd(t *testing.T) {
	const many = 300_000
	texts := map[string]string{
		"nested blocks":                        "http { server {" + strings.Repeat("location / {", 1_000_000),
		"blocks of unknown names":              strings.Repeat("a{", 1_000_000),
		"closing braces":                       "events {}" + strings.Repeat("}", many),
		"lines without semicolons":             "events {}\nhttp {\n" + strings.Repeat("gzip on\n", many),
		"misplaced directives":                 "events {}\nhttp { server {" + strings.Repeat("}\nlisten 80;\n", many),
		"unclosed placeholders":                strings.Repeat("{{ ", many),
		"placeholders on one line":             strings.Repeat("{{ if }}{% x %}", many),
		"escaped quotes in Lua":                "location / { content_by_lua_block { \"" + strings.Repeat(`\"`, many),
		"unclosed brackets in Lua":             "location / { content_by_lua_block { " + strings.Repeat("[=", many),
		"misspelt names":                       "events {}\n" + strings.Repeat("evnets {}\n", many),
		"words":                                strings.Repeat("a ", many) + ";",
		"quotes":                               strings.Repeat(`"a"b `, many) + ";",
		"semicolons":                           strings.Repeat(";", many),
		"entries in blocks that are no blocks": "events {}\nhttp { map $a $b {" + strings.Repeat("x {", many),
		"marks of a dump":                      strings.Repeat("# configuration file /a:\n", many),
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			tree := ParseBytes("nginx.conf", []byte(text), Options{FS: newTextFiles(nil)})
			assert.LessOrEqual(t, len(tree.Errors), maxErrors+1)
			assert.LessOrEqual(t, len(tree.Notes), maxErrors)
		})
	}
}
