package nginx_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
)

const zonesAB = `limit_req_zone $binary_remote_addr zone=a:1m rate=10r/s;
limit_req_zone $binary_remote_addr zone=b:1m rate=1r/m;
limit_req_zone $http_x_key zone=open:1m rate=1r/m;
limit_req_zone $upstream_status zone=late:1m rate=1r/m;
limit_conn_zone $binary_remote_addr zone=c:1m;
`

// say puts a cause into words for the tables below.
func say(c nginx.Cause) string {
	text := [...]string{
		"server ends", "location ends", "latched", "shadowed", "never chosen", "key empty", "key may be empty", "dry run", "no zone",
	}[c.Why]
	if c.Always {
		text = "always " + text
	}
	if c.Other != nil && c.Other.Location != nil {
		text += " by " + c.Other.Location.Pattern
	}
	return text
}

func causes(r nginx.Reach) []string {
	all := []string{}
	for _, c := range r.Causes {
		all = append(all, say(c))
	}
	for _, l := range r.Limits {
		for _, c := range l.Causes {
			name := "c"
			if l.Req != nil {
				name = l.Req.ZoneName
			}
			all = append(all, fmt.Sprintf("%s: %s", name, say(c)))
		}
	}
	return all
}

func TestReach(t *testing.T) {
	for _, row := range []struct {
		sentence, server, pattern string
		want                      []string
	}{
		{"nothing in the way", `location / { limit_req zone=a; proxy_pass http://u; }`, "/", []string{}},
		{"return comes first", `location / { limit_req zone=a; return 200 ok; }`, "/", []string{"always location ends"}},
		{"return in an if takes some", `location / { limit_req zone=a; if ($arg_x) { return 200; } proxy_pass http://u; }`, "/", []string{"location ends"}},
		{"a redirect of everything comes first", `location / { limit_req zone=a; rewrite ^ https://x.example$request_uri permanent; }`, "/", []string{"always location ends"}},
		{"a redirect of some", `location / { limit_req zone=a; rewrite ^/old /new permanent; proxy_pass http://u; }`, "/", []string{"location ends"}},
		{"rewrite with break stays", `location / { limit_req zone=a; rewrite ^ /x break; return 403; }`, "/", []string{}},
		{"return after a break that some take", `location / { limit_req zone=a; if ($arg_x) { break; } return 403; }`, "/", []string{"location ends"}},
		{"return after a break does not run", `location / { limit_req zone=a; break; return 403; }`, "/", []string{}},
		{"the server's return", `return 301 https://x.example; location / { limit_req zone=a; }`, "/", []string{"always server ends"}},
		{"last in a server goes on to a location", `rewrite ^ /x last; location / { limit_req zone=a; }`, "/", []string{}},
		{
			"try_files to a named location, limited before",
			`location / { limit_req zone=a; try_files $uri @app; } location @app { limit_req zone=b; proxy_pass http://u; }`, "@app",
			[]string{"latched by /", "always latched by /"},
		},
		{
			"the first location's key may be empty",
			`location / { limit_req zone=open; try_files $uri @app; } location @app { limit_req zone=b; proxy_pass http://u; }`, "@app",
			[]string{"latched by /"},
		},
		{
			"the first location's key is always empty",
			`location / { limit_req zone=late; try_files $uri @app; } location @app { limit_req zone=b; proxy_pass http://u; }`, "@app",
			[]string{},
		},
		{
			"the first location's dry run latches too",
			`location / { limit_req_dry_run on; limit_req zone=a; try_files $uri @app; } location @app { limit_req zone=b; proxy_pass http://u; }`, "@app",
			[]string{"latched by /", "always latched by /"},
		},
		{
			"limit_conn does not latch limit_req",
			`location / { limit_conn c 5; try_files $uri @app; } location @app { limit_req zone=b; proxy_pass http://u; }`, "@app",
			[]string{},
		},
		{
			"the front controller is also asked for directly",
			`location / { limit_req zone=a; try_files $uri /index.php?$args; } location ~ \.php$ { limit_req zone=b; fastcgi_pass u; }`, `\.php$`,
			[]string{"latched by /"},
		},
		{
			"the index of a folder",
			`index index.php; location / { limit_req zone=a; } location ~ \.php$ { limit_req zone=b; fastcgi_pass u; }`, `\.php$`,
			[]string{"latched by /"},
		},
		{
			"rewrite with last is no latch",
			`location /x { limit_req zone=a; rewrite ^ /y last; } location /y { limit_req zone=b; proxy_pass http://u; }`, "/y",
			[]string{},
		},
		{
			"an error page for the gateway's errors",
			`location / { limit_req zone=a; error_page 502 @down; proxy_pass http://u; } location @down { limit_req zone=b; proxy_pass http://v; }`, "@down",
			[]string{"latched by /", "always latched by /"},
		},
		{
			"an error page that errors before the limits use, too",
			`location / { limit_req zone=a; error_page 413 @down; proxy_pass http://u; } location @down { limit_req zone=b; proxy_pass http://v; }`, "@down",
			[]string{"latched by /"},
		},
		{
			"a regular expression takes the prefix's own path",
			`location /wp-login.php { limit_req zone=b; fastcgi_pass u; } location ~ \.php$ { fastcgi_pass u; }`, "/wp-login.php",
			[]string{`shadowed by \.php$`},
		},
		{
			"unless it says ^~",
			`location ^~ /wp-login.php { limit_req zone=b; fastcgi_pass u; } location ~ \.php$ { fastcgi_pass u; }`, "/wp-login.php",
			[]string{},
		},
		{
			"a prefix inside a regular expression is not looked for",
			`location ~ /a { location /a/b { } } location /a { }`, "/a/b",
			[]string{"always never chosen by /a"},
		},
		{"a key that is empty at preaccess", `location / { limit_req zone=late; proxy_pass http://u; }`, "/", []string{"late: always key empty"}},
		{"a header may be missing", `location / { limit_req zone=open; proxy_pass http://u; }`, "/", []string{"open: key may be empty"}},
		{
			"a subrequest counts as its request",
			`location / { auth_request /auth; limit_req zone=a; proxy_pass http://u; } location = /auth { internal; limit_req zone=b; proxy_pass http://u; }`, "/auth",
			[]string{"latched by /", "latched by /"},
		},
		{"dry run", `location / { limit_req_dry_run on; limit_req zone=a; limit_conn c 1; proxy_pass http://u; }`, "/", []string{"a: always dry run"}},
		{"a zone that nobody defines", `location / { limit_req zone=nope; proxy_pass http://u; }`, "/", []string{"nope: always no zone"}},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			c := build(t, zonesAB+"server {\n"+row.server+"\n}")
			assert.Equal(t, row.want, causes(c.Reach(at(t, c, row.pattern).Block)))
		})
	}
}

func TestALimitInsideARegularExpressionsPrefixIsDead(t *testing.T) {
	c := build(t, zonesAB+`server { location ~ ^/a { location ^/a/b { limit_req zone=a; } } }`)
	r := c.Reach(at(t, c, "^/a/b").Block)
	assert.Equal(t, []string{"always never chosen by ^/a"}, causes(r))
	dead := r.Dead(&r.Limits[0])
	require.NotNil(t, dead)
	assert.Equal(t, nginx.NeverChosen, dead.Why)
}

func TestALatchOfOneModuleLeavesTheOtherAlive(t *testing.T) {
	c := build(t, zonesAB+`server { location / { limit_req zone=a; try_files $uri @app; } location @app { limit_req zone=b; limit_conn c 1; proxy_pass http://u; } }`)
	r := c.Reach(at(t, c, "@app").Block)
	require.Len(t, r.Limits, 2)
	assert.NotNil(t, r.Dead(&r.Limits[0]))
	assert.Nil(t, r.Dead(&r.Limits[1]))
}

func TestReplacedLimits(t *testing.T) {
	c := build(t, zonesAB+`limit_conn c 5; server { limit_req zone=a; location / { limit_req zone=b; } location /both { limit_req zone=a burst=5; limit_conn c 1; } }`)
	r := c.Reach(at(t, c, "/").Block)
	require.Len(t, r.ReplacedReq, 1)
	assert.Equal(t, "a", r.ReplacedReq[0].ZoneName)
	assert.Len(t, r.Limits, 2)
	r = c.Reach(at(t, c, "/both").Block)
	assert.Empty(t, r.ReplacedReq)
	assert.Empty(t, r.ReplacedConn)
}

func TestLateKeysMayBeThereBehindARedirect(t *testing.T) {
	c := build(t, zonesAB+`limit_req_zone $uid zone=u:1m rate=1r/m;
server {
    location / { auth_request /a; auth_request_set $uid $upstream_http_x_uid; try_files $uri @app; }
    location /direct { auth_request /a; auth_request_set $uid $upstream_http_x_uid; limit_req zone=u; proxy_pass http://u; }
    location @app { limit_req zone=u; proxy_pass http://u; }
}`)
	assert.Empty(t, causes(c.Reach(at(t, c, "@app").Block)))
	assert.Equal(t, []string{"u: always key empty"}, causes(c.Reach(at(t, c, "/direct").Block)))
}

func TestRealIPSettingsRunTwice(t *testing.T) {
	c := build(t, `set_real_ip_from 10.0.0.0/8;
server { location /same { real_ip_recursive off; } location /other { set_real_ip_from 192.0.2.1; } location /header { real_ip_header X-B; } }`)
	server := c.Servers[0].Block
	assert.Equal(t, []*nginx.Block{server}, server.RealIPBlocks())
	assert.Equal(t, []*nginx.Block{server}, at(t, c, "/same").RealIPBlocks())
	other := at(t, c, "/other").Block
	assert.Equal(t, []*nginx.Block{server, other}, other.RealIPBlocks())
	header := at(t, c, "/header").Block
	assert.Equal(t, []*nginx.Block{server, header}, header.RealIPBlocks())
	assert.Empty(t, build(t, `real_ip_header X; server { }`).Servers[0].RealIPBlocks())
}

func TestHandlers(t *testing.T) {
	c := build(t, `root /srv;
server {
    location /proxy { proxy_pass http://Backend/path; if ($arg_x) { add_header A b; } location /proxy/files { } }
    location /php { fastcgi_pass unix:/run/php.sock; }
    location /alias { alias /var/x; }
    location /gone { return 410; }
    location /status { stub_status; }
    location /try { try_files $uri =404; }
}`)
	for pattern, want := range map[string][2]string{
		"/proxy": {"proxy_pass", "backend"}, "/proxy/files": {"root", "/srv"}, "/php": {"fastcgi_pass", "unix:/run/php.sock"},
		"/alias": {"alias", "/var/x"}, "/gone": {"return", ""}, "/status": {"stub_status", ""}, "/try": {"try_files", ""},
	} {
		d, target := at(t, c, pattern).Handler()
		require.NotNil(t, d, pattern)
		assert.Equal(t, want, [2]string{d.Name, target}, pattern)
	}
	inner := at(t, c, "/proxy").Children[0]
	d, target := inner.Pass()
	require.NotNil(t, d, "an if block has its location's handler")
	assert.Equal(t, "backend", target)
	d, _ = at(t, c, "/alias").Pass()
	assert.Nil(t, d)
}
