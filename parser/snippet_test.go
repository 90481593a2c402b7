package parser

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheContextOfASnippetIsInferred(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"a whole configuration", "events {}\nhttp {}\n", nil},
		{"only main directives", "worker_processes 1;\n", nil},
		{"nothing", "", nil},
		{"only an include", "include *.conf;\n", nil},
		{"a server", "server { listen 80; }\n", []string{"http"}},
		{"an upstream and a map", "upstream a { server b; }\nmap $a $b { c d; }\n", []string{"http"}},
		{"a zone", "limit_req_zone $uri zone=a:1m rate=1r/s;\n", []string{"http"}},
		{"limits alone fit everywhere and are taken for http's", "limit_req zone=a burst=5;\n", []string{"http"}},
		{"a location", "location / { return 204; }\n", []string{"http", "server"}},
		{"what a server has", "listen 80;\nserver_name a;\nlimit_req zone=a;\n", []string{"http", "server"}},
		{"what a location has", "proxy_pass http://a;\nproxy_set_header A b;\n", []string{"http", "server", "location"}},
		{"servers of an upstream", "server a:80;\nserver b:80 backup;\nkeepalive 8;\n", []string{"http", "upstream"}},
		{"a stream server", "server { listen 1; proxy_pass a; }\nupstream a { server b; }\n", []string{"stream"}},
		{"what events has", "worker_connections 5;\nmulti_accept on;\n", []string{"events"}},
		{"entries of a map", "10.0.0.0/8 1;\n192.0.2.1 0;\n", []string{"http", "map"}},
		{"Lua is not looked into", "location / {\n content_by_lua_block { events {} }\n}\n", []string{"http", "server"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := ParseBytes("x.conf", []byte(tt.src), Options{FS: newTextFiles(nil)})
			assert.Equal(t, tt.want, tree.Context)
			assert.Empty(t, tree.Errors)
		})
	}
}

func TestTheContextCanBeForced(t *testing.T) {
	tests := []struct {
		name    string
		context []string
		src     string
		want    []string // messages
	}{
		{"server", []string{"server"}, "limit_req zone=a;\n", nil},
		{"server in full", []string{"http", "server"}, "limit_req_zone $a zone=a:1m rate=1r/s;\n", []string{`"limit_req_zone" directive is not allowed here`}},
		{"main", []string{"main"}, "server { }\n", []string{`"server" directive is not allowed here`}},
		{"upstream", []string{"upstream"}, "server a; ip_hash; listen 80;\n", []string{`"listen" directive is not allowed here`}},
		{"stream server", []string{"stream", "server"}, "proxy_pass a; limit_req zone=a;\n", []string{`"limit_req" directive is not allowed here`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := ParseBytes("x.conf", []byte(tt.src), Options{FS: newTextFiles(nil), Context: tt.context})
			assert.Equal(t, tt.want, messages(tree.Errors))
		})
	}
}

func TestASnippetsIncludesAreLookedForAbove(t *testing.T) {
	files := newTextFiles(map[string][]byte{
		"etc/conf.d/site.conf":    []byte("server { include snippets/tls.conf; include conf.d/more/*; }\n"),
		"etc/snippets/tls.conf":   []byte("keepalive_timeout 5;\n"),
		"etc/conf.d/more/one.inc": []byte("gzip on;\n"),
	})
	tree := Parse("etc/conf.d/site.conf", Options{FS: files})
	assert.Empty(t, tree.Errors)
	assert.Equal(t, []string{"etc/conf.d/site.conf", "etc/snippets/tls.conf", "etc/conf.d/more/one.inc"}, names(tree))
}
