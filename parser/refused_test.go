package parser

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/oracle"
)

// refused are configurations with what nginx says of them first, and all that
// the reader says, each message once for each slip. They are put to nginx too.
var refused = []struct {
	name, src string
	first     string   // nginx's message
	line      int      // and its line
	more      []string // messages after the first
}{
	{"brace too many", "events {}\nhttp {\n}\n}\nhttp {}\n", `unexpected "}"`, 4, []string{`"http" directive is duplicate`}},
	{
		"brace too many inside http", "events {}\nhttp {\n map $uri $a { default 1; }\n }\n log_format f $a;\n server {}\n}\n",
		`"log_format" directive is not allowed here`, 5, nil,
	},
	{
		"brace missing before server", "events {}\nhttp {\n server {\n  location / {\n  return 204;\n }\n server {\n }\n}\n",
		`"server" directive is not allowed here`, 7, nil,
	},
	{"lone semicolon", "events {};\n", `unexpected ";"`, 1, nil},
	{"two semicolons", "events {}\nworker_processes 1;;\nuser a;;\n", `unexpected ";"`, 2, []string{`unexpected ";"`}},
	{"brace without a name", "events {}\n{ x y; }\n", `unexpected "{"`, 2, nil},
	{"semicolon missing before a brace", "events {\n use epoll\n}\n", `unexpected "}"`, 3, nil},
	{
		"semicolon missing before a block", "events {}\nhttp {\n limit_req_zone $uri zone=a:1m rate=1r/s\n server { }\n server { }\n}\n",
		`directive "limit_req_zone" is not terminated by ";"`, 4, nil,
	},
	{
		"semicolon missing before a directive", "events {}\nhttp {\n sendfile on\n tcp_nopush on;\n gzip maybe more;\n}\n",
		`invalid number of arguments in "sendfile" directive`, 4,
		[]string{`invalid number of arguments in "gzip" directive`},
	},
	{
		"opening brace missing", "events {}\nhttp {\n server\n  server_name a;\n }\n keepalive_timeout 5;\n}\n",
		`directive "server" has no opening "{"`, 4, nil,
	},
	{"server as a simple directive", "events {}\nhttp {\n server;\n}\n", `directive "server" has no opening "{"`, 3, nil},
	{"block where none belongs", "events {}\nworker_processes 1 { }\n", `directive "worker_processes" is not terminated by ";"`, 2, nil},
	{"text glued to a quote", "events {}\nhttp {\n log_format f \"a\"b;\n}\n", `unexpected "b"`, 3, nil},
	{"comment glued to a quote", "events {}\nhttp {\n log_format f \"a\"# b\n;\n}\n", `unexpected "#"`, 3, nil},
	{"quote without an end", "events {}\nhttp {\n log_format f \"a;\n}\n", `unexpected end of file, expecting ";" or "}"`, 5, nil},
	{"word at the end of the file", "events {}\nuser", `unexpected end of file, expecting ";" or "}"`, 2, nil},
	{"block without an end", "events {}\nhttp {\n server {\n", `unexpected end of file, expecting "}"`, 4, nil},
	{"NUL", "events {}\n\x00 a;\n", `unknown directive ""`, 2, nil},
	{"mark of a byte order", "\ufeffevents {}\n", "unknown directive \"\ufeffevents\"", 1, nil},
	{"digits as a name", "events {}\nhttp {\n server {\n location ~ ^/[0-9]{4}$ { return 204; }\n }\n}\n", `unknown directive "4}$"`, 4, nil},
	{"misspelt name", "events {}\nhttp {\n limit_req_zon $uri zone=a:1m rate=1r/s;\n}\n", `unknown directive "limit_req_zon"`, 3, nil},
	{"swapped letters", "events {}\nhttp {\n servre { listen 80; lisetn 81; }\n}\n", `unknown directive "servre"`, 3, []string{`unknown directive "lisetn"`}},
	{"name in capitals", "events {}\nHTTP { }\n", `unknown directive "HTTP"`, 2, nil},
	{"removed long ago", "events {}\nhttp {\n limit_zone z $uri 1m;\n}\n", `unknown directive "limit_zone"`, 3, nil},
	{"zone in a server", "events {}\nhttp {\n server { limit_req_zone $uri zone=a:1m rate=1r/s; }\n}\n", `"limit_req_zone" directive is not allowed here`, 3, nil},
	{"limit in if", "events {}\nhttp {\n server { location / { if ($uri) { limit_req zone=a; } } }\n}\n", `"limit_req" directive is not allowed here`, 3, nil},
	{"limit in main", "limit_req zone=a;\nevents {}\n", `"limit_req" directive is not allowed here`, 1, nil},
	{"rate missing", "events {}\nhttp {\n limit_req_zone $uri zone=a:1m;\n}\n", `invalid number of arguments in "limit_req_zone" directive`, 3, nil},
	{"limit_conn of one word", "events {}\nhttp {\n limit_conn a;\n}\n", `invalid number of arguments in "limit_conn" directive`, 3, nil},
	{"flag without a word", "events {}\nhttp {\n real_ip_recursive;\n}\n", `invalid number of arguments in "real_ip_recursive" directive`, 3, nil},
	{"two events", "events {}\nevents {}\n", `"events" directive is duplicate`, 2, nil},
	{"two statuses", "events {}\nhttp {\n limit_req_status 429;\n limit_req_status 429;\n}\n", `"limit_req_status" directive is duplicate`, 4, nil},
	{"two headers of the real address", "events {}\nhttp {\n server {\n real_ip_header X-A;\n real_ip_header X-B;\n}\n}\n", `"real_ip_header" directive is duplicate`, 5, nil},
	{"map entry of one word", "events {}\nhttp {\n map $uri $a {\n x;\n y\n z; u v w;\n}\n}\n", "invalid number of the map parameters", 4, []string{"invalid number of the map parameters"}},
	{"geo entry of three words", "events {}\nhttp {\n geo $a { 10.0.0.0/8 a b; }\n}\n", "invalid number of the geo parameters", 3, nil},
	{"block in a map", "events {}\nhttp {\n map $uri $a { x { y z; } u v; }\n gzip on;\n}\n", `unexpected "{"`, 3, nil},
	{"include without a word in types", "events {}\nhttp {\n types { include; }\n}\n", `invalid number of arguments in "include" directive`, 3, nil},
	{"entry of a charset map", "events {}\nhttp {\n charset_map a b { 80; }\n}\n", "invalid parameters number", 3, nil},
	{"include of two words", "events {}\ninclude a b;\n", `invalid number of arguments in "include" directive`, 2, nil},
	{"include as a block", "events {}\ninclude a { }\n", `directive "include" is not terminated by ";"`, 2, nil},
	{"missing include", "events {}\ninclude nosuchfile;\ninclude *.nosuchfile;\n", `open() "nosuchfile" failed (2: No such file or directory)`, 2, nil},
	{
		"word of 4096 bytes in quotes", "events {}\nenv \"" + strings.Repeat("a", 4096) + "\";\nworker_processes 1 2;\n",
		`too long parameter, probably missing terminating """ character`, 2,
		[]string{`invalid number of arguments in "worker_processes" directive`},
	},
	{"quote open over many lines", "events {}\nenv 'a;\n" + strings.Repeat("user x;\n", 600), `too long parameter, probably missing terminating "'" character`, 2, nil},
	{"word of 4096 bytes", "events {}\nenv " + strings.Repeat("a", 4096) + ";\n", `too long parameter "aaaaaaaaaa..." started`, 2, nil},
	{"word of 4095 bytes before a space", "events {}\nenv " + strings.Repeat("a", 4095) + " ;\n", `too long parameter "aaaaaaaaaa..." started`, 2, nil},
	{"comment of 4096 bytes", "events {}\n#" + strings.Repeat("c", 4095) + "\n", `too long parameter "#ccccccccc..." started`, 2, nil},
}

func messages(errs []*Error) (out []string) {
	for _, e := range errs {
		out = append(out, e.Msg)
	}
	return out
}

func TestRefusalsHaveTheWordsAndTheLineOfNginx(t *testing.T) {
	for _, tt := range refused {
		t.Run(tt.name, func(t *testing.T) {
			tree := parseFiles(oracle.Conf(tt.src), "")
			require.NotEmpty(t, tree.Errors)
			assert.Equal(t, tt.first, tree.Errors[0].Msg)
			assert.Equal(t, tt.line, tree.Errors[0].Line)
			assert.Equal(t, tt.more, messages(tree.Errors[1:]))
			assert.Empty(t, tree.Notes)
		})
	}
}

func TestRefusalsAreThoseOfNginx(t *testing.T) {
	for _, bin := range oracle.Bins(t) {
		check := bin.Checker(t)
		for _, tt := range refused {
			got := theirs(check.Test(oracle.Conf(tt.src)))
			got.Text = scratchFolder.ReplaceAllString(got.Text, `"`)
			assert.Equal(t, verdict{Text: tt.first, File: "nginx.conf", Line: tt.line}, got, tt.name)
		}
	}
}

// acceptable are oddities that nginx takes.
var acceptable = []struct{ name, src string }{
	{"word of 4095 bytes before a semicolon", "events {}\nenv " + strings.Repeat("a", 4095) + ";\n"},
	{"word of 4094 bytes before a space", "events {}\nenv " + strings.Repeat("a", 4094) + " ;\n"},
	{"quoted word of 4094 bytes", "events {}\nenv \"" + strings.Repeat("a", 4094) + "\";\n"},
	{"comment of 4095 bytes", "events {}\n#" + strings.Repeat("c", 4094) + "\n"},
	{"comment of 4096 bytes at the end of the file", "events {}\n#" + strings.Repeat("c", 4095)},
	{"closing brace in a word", "events {}\nenv a}b;\n"},
	{"flags of a map", "events {}\nhttp { map $uri $a { hostnames; volatile; *.example.com 1; } geo $b { ranges; default 0; } }\n"},
	{"directive in capital values", "events {}\nhttp { sendfile ON; limit_req_log_level INFO; }\n"},
	{"repeated lists", "events {}\nhttp { server_names_hash_bucket_size 64; add_header a b; add_header a b; types { a b; } types { c d; } }\n"},
}

func TestOdditiesThatNginxTakes(t *testing.T) {
	for _, tt := range acceptable {
		tree := parseFiles(oracle.Conf(tt.src), "")
		assert.Empty(t, tree.Errors, tt.name)
		assert.Empty(t, tree.Notes, tt.name)
	}
	for _, bin := range oracle.Bins(t) {
		check := bin.Checker(t)
		for _, tt := range acceptable {
			assert.Empty(t, theirs(check.Test(oracle.Conf(tt.src))).Text, tt.name)
		}
	}
}
