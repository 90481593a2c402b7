package parser

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestForeignDirectivesAreNotesWithTheirModule(t *testing.T) {
	tests := []struct{ statement, hint string }{
		{"lua_shared_dict a 1m;", "it belongs to the Lua module, which is not judged here"},
		{"access_by_lua_block { x }", "it belongs to the Lua module, which is not judged here"},
		{"modsecurity on;", "it belongs to ModSecurity, which is not judged here"},
		{"vhost_traffic_status_zone;", "it belongs to the VTS module, which is not judged here"},
		{"js_import a.js;", "it belongs to njs, which is not judged here"},
		{"more_set_headers 'A: b';", "it belongs to the headers-more module, which is not judged here"},
		{"brotli on;", "it belongs to the Brotli module, which is not judged here"},
		{"geoip2 x { $a b; }", "it belongs to the GeoIP2 module, which is not judged here"},
		{"subs_filter a b;", "it belongs to the substitutions module, which is not judged here"},
		{"frobnicate_quickly on;", "it belongs to no module known here"},
	}
	for _, tt := range tests {
		t.Run(tt.statement, func(t *testing.T) {
			tree := parseFiles(map[string]string{"nginx.conf": "events {}\nhttp {\n" + tt.statement + "\n}\n"}, "")
			assert.Empty(t, tree.Errors)
			require.Len(t, tree.Notes, 1)
			assert.Equal(t, tt.hint, tree.Notes[0].Hint)
			assert.Equal(t, Unknown, tree.Notes[0].Kind)
			assert.Equal(t, 3, tree.Notes[0].Line)
		})
	}
}

func TestMisspeltNamesComeWithTheRightOne(t *testing.T) {
	tests := []struct{ in, name, hint string }{
		{"http", "limit_rec_zone a b c;", `did you mean "limit_req_zone"?`},
		{"http", "limt_conn_zone a b;", `did you mean "limit_conn_zone"?`},
		{"server", "lisetn 80;", `did you mean "listen"?`},
		{"location", "proxy_passs http://a;", `did you mean "proxy_pass"?`},
		{"http", "Server { }", `did you mean "server"?`},
		{"server", "proxy-set-header a b;", `did you mean "proxy_set_header"?`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := ParseBytes("x.conf", []byte(tt.name+"\n"), Options{FS: newTextFiles(nil), Context: []string{tt.in}})
			require.Len(t, tree.Errors, 1)
			assert.Equal(t, tt.hint, tree.Errors[0].Hint)
		})
	}
}

func TestDirectivesOfOtherVersions(t *testing.T) {
	tests := []struct{ version, statement, fault, hint string }{
		{"1.29.2", "add_header_inherit on;", `unknown directive "add_header_inherit"`, "nginx has it since 1.29.3"},
		{"1.29.3", "add_header_inherit on;", "", ""},
		{"", "add_header_inherit on;", "", ""},
		{"1.16.1", "limit_req_dry_run on;", `unknown directive "limit_req_dry_run"`, "nginx has it since 1.17.1"},
		{"1.25.0", "ssl on;", "", ""},
		{"1.25.1", "ssl on;", `unknown directive "ssl"`, "nginx 1.25.1 and later have it no more"},
		{"not a version", "add_header_inherit on;", "", ""},
		{"1.22", "http2 on;", `unknown directive "http2"`, "nginx has it since 1.25.1"},
	}
	for _, tt := range tests {
		t.Run(tt.statement+" in "+tt.version, func(t *testing.T) {
			tree := parseFiles(map[string]string{"nginx.conf": "events {}\nhttp {\n" + tt.statement + "\n}\n"}, tt.version)
			assert.Empty(t, tree.Notes)
			if tt.fault == "" {
				assert.Empty(t, tree.Errors)
				return
			}
			require.Len(t, tree.Errors, 1)
			assert.Equal(t, tt.fault, tree.Errors[0].Msg)
			assert.Equal(t, tt.hint, tree.Errors[0].Hint)
		})
	}
}

func TestARemovedDirectiveIsANoteWithoutAVersion(t *testing.T) {
	tree := parseFiles(map[string]string{"nginx.conf": "events {}\nhttp {\nssl on;\n}\n"}, "")
	assert.Empty(t, tree.Errors)
	require.Len(t, tree.Notes, 1)
	assert.Equal(t, "nginx 1.25.1 and later have it no more", tree.Notes[0].Hint)
}

func TestAGeneratedIngressConfigurationIsRead(t *testing.T) {
	tree := Parse(fixtures+"/noted/ingress.conf", Options{FS: OS{}})
	assert.Empty(t, tree.Errors)
	assert.Nil(t, tree.Context)
	var noted []string
	for _, n := range tree.Notes {
		assert.Equal(t, Unknown, n.Kind)
		noted = append(noted, n.Msg)
	}
	assert.Equal(t, []string{
		`unknown directive "lua_package_path"`, `unknown directive "lua_shared_dict"`, `unknown directive "init_by_lua_block"`,
		`unknown directive "geoip2"`, `unknown directive "more_set_headers"`, `unknown directive "balancer_by_lua_block"`,
		`unknown directive "rewrite_by_lua_block"`,
	}, noted)
}
