package nginx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/internal/oracle"
	"github.com/nglimit/nglimit/parser"
)

// refusedHTTP are http-level texts that nginx refuses although the grammar of
// every directive is right.
var refusedHTTP = []string{
	// zones
	"limit_req_zone $remote_addr zone=a:1m rate=1r/s;\nlimit_req_zone $uri zone=a:1m rate=1r/s;",
	"limit_conn_zone $remote_addr zone=a:1m;\nlimit_conn_zone $uri zone=a:1m;",
	"limit_req_zone $uri zone=a:1m rate=1r/s;\nlimit_req_zone $uri zone=a:2m rate=1r/s;",
	"limit_req_zone $uri zone=a:1m rate=1r/s;\nlimit_conn_zone $uri zone=a:1m;",
	"server { location / { limit_req zone=nope; } }",
	"limit_conn nope 5;",
	"limit_conn_zone $uri zone=c:1m;\nserver {\nlimit_req zone=c;\n}",
	"server {\nlimit_req zone=c;\n}\nlimit_conn_zone $uri zone=c:1m;",
	"limit_conn zone=c 1;\nlimit_conn_zone $uri zone=c:1m;",
	"proxy_cache_path cache keys_zone=a:1m;\nlimit_req_zone $uri zone=a:1m rate=1r/s;",
	"upstream u { zone a 64k; server 127.0.0.1:1; }\nlimit_req_zone $uri zone=a:1m rate=1r/s;",
	"limit_req_zone $uri zone=a:1m rate=1r/s;\nlimit_req zone=a;\nlimit_req zone=a burst=5;",
	"limit_conn_zone $uri zone=a:1m;\nserver {\nlimit_conn a 1;\nlimit_conn a 2;\n}",
	// values and variables
	"limit_req_zone $nosuch zone=a:1m rate=1r/s;",
	"map $nosuch $x { default 1; }\nmap $other $y { default 1; }",
	"map $uri $x {\ndefault $nosuch;\n}",
	"log_format f '$nosuch';",
	"server {\nadd_header A $;\n}",
	"server {\nadd_header A ${x;\n}",
	"map $uri $x {\na 1;\nb $;\n}",
	"map $uri x { default 1; }",
	"map $uri $x {\ndefault 1;\ndefault 2;\n}",
	// locations
	"server {\nlocation /a { }\nlocation /a { }\n}",
	"server {\nlocation /a { }\nlocation ^~ /a { }\n}",
	"server {\nlocation = /a { }\nlocation = /a { }\n}",
	"server {\nlocation /a {\nlocation /a/b { }\nlocation /a/b { }\n}\n}",
	"server {\nlocation /a {\nlocation /b { }\n}\n}",
	"server {\nlocation = /a {\nlocation /a/b { }\n}\n}",
	"server {\nlocation @a {\nlocation /a/b { }\n}\n}",
	"server {\nlocation /a {\nlocation @b { }\n}\n}",
	"server {\nlocation ~ ( { }\n}",
	"server {\nserver_name ~(;\n}",
	// the rest
	"server {\nlisten 8080;\nlisten 8080;\n}",
	"server {\nlisten 127.0.0.1:8080 default_server;\n}\nserver {\nlisten 127.0.0.1:8080 default_server;\n}",
	"server {\nlisten [::1]:8080 default_server;\n}\nserver {\nlisten [::1]:8080 default_server;\n}",
	"upstream u { server 127.0.0.1:1; }\nupstream u { server 127.0.0.1:1; }",
	"log_format f a;\nlog_format f b;",
	"access_log logs/x nope;",
	"server { access_log logs/x late; }\nlog_format late a;",
}

// acceptedHTTP look alike and are fine.
var acceptedHTTP = []string{
	"server { limit_req zone=late; }\nlimit_req_zone $uri zone=late:1m rate=1r/s;",
	"limit_req_zone $uri zone=a:1m rate=1r/s;\nlimit_conn_zone $uri zone=b:1m;\nlimit_req zone=a;\nserver { limit_req zone=a; limit_conn b 1; location / { limit_req zone=a; } }",
	"server { location /a { } location = /a { } location ~ /a { } location ~ /a { } location @a { } location /a/ { location /a/b { } location ~ x { } } }",
	"server { location ~ /a { location /a/b { } } }",
	"server { listen 8080; listen 8081 default_server; }\nserver { listen 8080 default_server; listen 127.0.0.1:8080; }",
	"log_format f '$msec $pipe $request_time $status';\naccess_log logs/x f;\naccess_log off;",
	"map $uri $x { default $y; }\nmap $uri $y { ~(?<z>.) $z; }\nserver { set $w $x$1; add_header A $w; if ($uri ~ (?<v>.)) { set $w $v; } }",
	"map $uri $X { default 1; }\nadd_header A $x;",
	"geo $g { default 1; }\nsplit_clients $g $s { 10% a; * b; }\nadd_header A $g$s$arg_a$cookie_b$http_c$sent_http_d$upstream_http_e;",
	"upstream u { zone a 64k; server 127.0.0.1:1; }\nupstream v { zone a; server 127.0.0.1:1; }",
}

func readHTTP(text string) *nginx.Config {
	conf := "events {}\nhttp {\n" + text + "\n}\n"
	return nginx.Build(parser.ParseBytes("nginx.conf", []byte(conf), parser.Options{FS: parser.OS{}}))
}

func TestRefusalsAreNginxs(t *testing.T) {
	checker := oracle.Need(t).Checker(t)
	for _, text := range refusedHTTP {
		t.Run(text, func(t *testing.T) {
			c := readHTTP(text)
			require.NotEmpty(t, c.Refused)
			verdict := checker.Test(oracle.Conf("events {}\nhttp {\n" + text + "\n}\n"))
			require.False(t, verdict.OK)
			var first oracle.Message
			for _, m := range verdict.Messages {
				if m.Level == "emerg" {
					first = m
					break
				}
			}
			assert.Equal(t, first.Text, c.Refused[0].Msg)
			assert.Equal(t, first.Line, c.Refused[0].Line)
		})
	}
}

func TestNothingIsRefusedThatNginxTakes(t *testing.T) {
	checker := oracle.Need(t).Checker(t)
	for _, text := range acceptedHTTP {
		t.Run(text, func(t *testing.T) {
			assert.Empty(t, readHTTP(text).Refused)
			verdict := checker.Test(oracle.Conf("events {}\nhttp {\n" + text + "\n}\n"))
			assert.True(t, verdict.OK, verdict.Output)
		})
	}
}

func TestAFragmentIsNotRefusedForWhatMayStandElsewhere(t *testing.T) {
	c := nginx.Build(parser.ParseBytes("x.conf", []byte("server { limit_req zone=a; access_log x main; add_header A $k; }"), parser.Options{FS: parser.OS{}}))
	assert.True(t, c.Snippet)
	assert.Empty(t, c.Refused)
}
