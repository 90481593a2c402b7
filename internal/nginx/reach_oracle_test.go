package nginx_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/internal/oracle"
)

// reachRow is a server with zone b in force in a location, requests that are
// meant to meet it, and whether they do.
type reachRow struct {
	sentence, server, pattern string
	requests                  []string
	dead                      bool
}

const down = "proxy_pass http://127.0.0.1:1;" // nobody listens: 502

var reachRows = []reachRow{
	{"a plain limit", `location / { limit_req zone=b; ` + down + ` }`, "/", []string{"/"}, false},
	{"return", `location / { limit_req zone=b; return 200 ok; }`, "/", []string{"/"}, true},
	{"return in an if that is not taken", `location / { limit_req zone=b; if ($arg_x) { return 200; } ` + down + ` }`, "/", []string{"/"}, false},
	{"rewrite of everything with permanent", `location / { limit_req zone=b; rewrite ^ /x permanent; }`, "/", []string{"/"}, true},
	{"a replacement with a scheme", `location / { limit_req zone=b; rewrite ^ https://x.example/; }`, "/", []string{"/"}, true},
	{"break before return", `location / { limit_req zone=b; break; return 200; }`, "/", []string{"/"}, false},
	{"rewrite with break before return", `location / { limit_req zone=b; rewrite ^ /y break; return 200; }`, "/", []string{"/"}, false},
	{"an if with break before return", `location / { limit_req zone=b; if ($arg_x) { break; } return 200; }`, "/", []string{"/?x=1"}, false},
	{"the server's return", `return 301 /x; location / { limit_req zone=b; }`, "/", []string{"/"}, true},
	{"last in the server", `rewrite ^ /x last; location /x { limit_req zone=b; ` + down + ` }`, "/x", []string{"/"}, false},
	{"last in the location", `location /x { limit_req zone=b; rewrite ^ /y last; } location /y { ` + down + ` }`, "/x", []string{"/x"}, true},
	{
		"try_files past a limit", `location / { limit_req zone=a burst=100 nodelay; try_files /nope @app; } location @app { limit_req zone=b; ` + down + ` }`,
		"@app",
		[]string{"/"},
		true,
	},
	{
		"try_files past a limit in dry run", `location / { limit_req_dry_run on; limit_req zone=a; try_files /nope @app; } location @app { limit_req zone=b; limit_req_dry_run off; ` + down + ` }`,
		"@app",
		[]string{"/"},
		true,
	},
	{"try_files past a limit with an empty key", `location / { limit_req zone=open; try_files /nope @app; } location @app { limit_req zone=b; ` + down + ` }`, "@app", []string{"/"}, false},
	{"try_files past a limit whose key comes late", `location / { limit_req zone=late; try_files /nope @app; } location @app { limit_req zone=b; ` + down + ` }`, "@app", []string{"/"}, false},
	{"try_files past limit_conn alone", `location / { limit_conn c 10; try_files /nope @app; } location @app { limit_req zone=b; ` + down + ` }`, "@app", []string{"/"}, false},
	{"try_files from where nothing limits", `location / { try_files /nope @app; } location @app { limit_req zone=b; ` + down + ` }`, "@app", []string{"/"}, false},
	{
		"two ways, one of them open", `location / { limit_req zone=a burst=100 nodelay; try_files /nope @app; } location /free { try_files /nope @app; } location @app { limit_req zone=b; ` + down + ` }`,
		"@app",
		[]string{"/free"},
		false,
	},
	{
		"a gateway's error page", `location / { limit_req zone=a burst=100 nodelay; error_page 502 @down; ` + down + ` } location @down { limit_req zone=b; ` + down + ` }`,
		"@down",
		[]string{"/"},
		true,
	},
	{
		"an error page for an error before the limits", `location / { limit_req zone=a burst=100 nodelay; error_page 404 @down; if ($arg_x) { return 404; } ` + down + ` } location @down { limit_req zone=b; ` + down + ` }`,
		"@down",
		[]string{"/?x=1"},
		false,
	},
	{
		"a named location behind a named location", `location / { limit_req zone=a burst=100 nodelay; try_files /nope @one; } location @one { try_files /nope @two; } location @two { limit_req zone=b; ` + down + ` }`,
		"@two",
		[]string{"/"},
		true,
	},
	{"a key that is empty at preaccess", `location / { limit_req zone=blate; ` + down + ` }`, "/", []string{"/"}, true},
	{"a prefix inside a regular expression", `location ~ /a { location /a/b { limit_req zone=b; ` + down + ` } }`, "/a/b", []string{"/a/b", "/a/b/c"}, true},
	{"a regular expression inside a prefix", `location /a { location ~ b$ { limit_req zone=b; ` + down + ` } }`, "b$", []string{"/a/b"}, false},
	{"a capture of the location", `location ~ ^/u/(\w+) { limit_req zone=bcap; ` + down + ` }`, `^/u/(\w+)`, []string{"/u/x"}, false},
	{"a capture where nothing captures", `location /u { limit_req zone=bcap; ` + down + ` }`, "/u", []string{"/u/x"}, true},
	{"a capture of a nested location", `location /u { location ~ (x) { limit_req zone=bcap; ` + down + ` } }`, "(x)", []string{"/u/x"}, false},
	{"a capture of an if", `location /u { if ($uri ~ (x)) { set $y 1; } limit_req zone=bcap; ` + down + ` }`, "/u", []string{"/u/x"}, false},
	{"a capture of the server's if", `if ($uri ~ (x)) { set $y 1; } location /u { limit_req zone=bcap; ` + down + ` }`, "/u", []string{"/u/x"}, false},
	{"a subrequest of a location without limits", `location / { auth_request /auth; ` + down + ` } location = /auth { internal; limit_req zone=b; empty_gif; }`, "/auth", []string{"/"}, false},
	{"the name of a server with one", `server_name x; location / { limit_req zone=bname; ` + down + ` }`, "/", []string{"/"}, false},
	{"the name of a server without", `location / { limit_req zone=bname; ` + down + ` }`, "/", []string{"/"}, true},
	{"set in the server fills the key", `set $k x; location / { limit_req zone=bset; ` + down + ` }`, "/", []string{"/"}, false},
	{"set in an outer location does not", `location /a { set $k x; location /a/b { limit_req zone=bset; ` + down + ` } } location /z { set $k ""; }`, "/a/b", []string{"/a/b"}, true},
	{
		"a variable of auth_request_set", `location / { auth_request /ok; auth_request_set $uid x; limit_req zone=buid; ` + down + ` } location = /ok { return 204; }`,
		"/",
		[]string{"/"},
		true,
	},
	{
		"the same behind try_files", `location / { auth_request /ok; auth_request_set $uid x; try_files /nope @app; } location = /ok { return 204; } location @app { limit_req zone=buid; ` + down + ` }`,
		"@app",
		[]string{"/"},
		false,
	},
}

const reachZones = `limit_req_zone $binary_remote_addr zone=a:1m rate=10r/s;
limit_req_zone $binary_remote_addr zone=b:1m rate=1r/m;
limit_req_zone $http_x_key zone=open:1m rate=1r/m;
limit_req_zone $upstream_status zone=late:1m rate=1r/m;
limit_req_zone $upstream_status zone=blate:1m rate=1r/m;
limit_req_zone $k zone=bset:1m rate=1r/m;
limit_req_zone $uid zone=buid:1m rate=1r/m;
limit_req_zone $1 zone=bcap:1m rate=1r/m;
limit_req_zone $server_name zone=bname:1m rate=1r/m;
limit_conn_zone $binary_remote_addr zone=c:1m;
`

// TestReachIsNginxs sends the requests twice and looks into the error log for
// a refusal by a zone whose name begins with b.
func TestReachIsNginxs(t *testing.T) {
	n := oracle.Need(t)
	for _, row := range reachRows {
		t.Run(row.sentence, func(t *testing.T) {
			c := build(t, reachZones+"server {\n"+row.server+"\n}")
			r := c.Reach(at(t, c, row.pattern).Block)
			l := limitB(t, &r)
			assert.Equal(t, row.dead, r.Dead(l) != nil, "what the model says: %v", causes(r))

			defined := ""
			for _, name := range []string{"k", "uid"} {
				if !strings.Contains(row.server, "$"+name+" ") {
					defined += "server { listen 127.0.0.1:0; set $" + name + " 1; }\n"
				}
			}
			server := n.Start(t, oracle.Serve(reachZones+strings.ReplaceAll(defined, "listen 127.0.0.1:0;", "listen unix:x.sock; "), row.server), oracle.Options{})
			for range 2 {
				for _, target := range row.requests {
					server.Get(t, target)
				}
			}
			refused := strings.Contains(server.ErrorLog(), `by zone "b`)
			assert.Equal(t, row.dead, !refused, "what nginx does")
		})
	}
}

func limitB(t *testing.T, r *nginx.Reach) *nginx.Reached {
	for i := range r.Limits {
		if l := &r.Limits[i]; l.Req != nil && strings.HasPrefix(l.Req.ZoneName, "b") {
			return l
		}
	}
	require.Fail(t, "no such limit")
	return nil
}

// TestShadowedPathsEscape asks for the path of a limited prefix that a regular
// expression takes.
func TestShadowedPathsEscape(t *testing.T) {
	n := oracle.Need(t)
	text := `location /wp-login.php { limit_req zone=b; ` + down + ` } location ~ \.php$ { ` + down + ` }`
	c := build(t, reachZones+"server {\n"+text+"\n}")
	assert.Equal(t, []string{`shadowed by \.php$`}, causes(c.Reach(at(t, c, "/wp-login.php").Block)))
	server := n.Start(t, oracle.Serve(reachZones+"server { listen unix:x.sock; set $k 1; set $uid 1; }\n", text), oracle.Options{})
	for range 3 {
		server.Get(t, "/wp-login.php")
	}
	assert.NotContains(t, server.ErrorLog(), "limiting requests")
	server.Get(t, "/wp-login.php/x")
	server.Get(t, "/wp-login.php/x")
	assert.Contains(t, server.ErrorLog(), `by zone "b"`, "other paths of the prefix are limited")
}
