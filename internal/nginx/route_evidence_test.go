package nginx

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

const wordpressConf = `events {} http {
limit_req_zone $binary_remote_addr zone=php:1m rate=1r/s;
limit_req_status 429;
server { listen 80; server_name blog.example.com; index index.php;
  location / { try_files $uri $uri/ /index.php?$args; }
  location ~ \.php$ { limit_req zone=php; fastcgi_pass 127.0.0.1:9000; }
} }`

func TestLimitsBehindTryFiles(t *testing.T) {
	r := routerFor(t, wordpressConf)
	for _, c := range []struct {
		name      string
		variables []string
		unknown   string
		limits    int
	}{
		{"a file may answer", nil, "request_filename", 0},
		{"an upstream answered", []string{"upstream_response_time", "0.010"}, "", 1},
		{"no upstream answered", []string{"upstream_response_time", "", "status", "200"}, "", 0},
		{"it may have been refused there", []string{"upstream_response_time", "", "status", "429"}, "request_filename", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ask(r, false, append(c.variables, "remote_addr", "192.0.2.1", "http_host", "blog.example.com", "request_uri", "/some-post")...)
			assert.Equal(t, c.unknown, got.Unknown)
			assert.Len(t, got.Limits, c.limits)
			assert.Equal(t, "/", place(got), "the location that comes first is the route")
		})
	}
	got := ask(r, false, "remote_addr", "192.0.2.1", "http_host", "blog.example.com", "request_uri", "/wp-login.php")
	assert.Empty(t, got.Unknown)
	assert.Len(t, got.Limits, 1)
}

func TestTheStatusRulesOutServersThatAnswerOtherwise(t *testing.T) {
	r := routerFor(t, `events {} http {
limit_req_zone $binary_remote_addr zone=ip:1m rate=1r/s;
server { listen 80; server_name example.com; return 301 https://example.com$request_uri; }
server { listen 443 ssl; server_name example.com; location / { limit_req zone=ip; } } }`)
	request := []string{"remote_addr", "192.0.2.1", "http_host", "example.com", "request_uri", "/a"}
	got := ask(r, false, append(request, "status", "200")...)
	assert.Empty(t, got.Unknown)
	assert.Equal(t, "/", place(got))

	got = ask(r, false, append(request, "status", "301")...)
	assert.Equal(t, "server_port", got.Unknown, "the other server may redirect, too")

	got = ask(r, false, append(request, "status", "301", "scheme", "https")...)
	assert.Empty(t, got.Unknown)
	got = ask(r, false, append(request, "server_port", "80")...)
	assert.Equal(t, "return", got.Bypass)
}

// The list of limits of a place must not depend on the request: whoever keeps
// keys without their limits relies on it.
func TestLocationAndBlockFixTheLimits(t *testing.T) {
	r := routerFor(t, `events {} http {
limit_req_zone $http_x_a zone=a:1m rate=1r/s;
limit_req_zone $binary_remote_addr zone=b:1m rate=1r/s;
limit_conn_zone $http_x_b zone=c:1m;
server { listen 80;
  location / { limit_req zone=a; limit_conn c 5; try_files $uri @app; }
  location @app { limit_req zone=b; limit_req zone=a; limit_conn c 9; proxy_pass http://127.0.0.1:9; }
} }`)
	for _, c := range []struct {
		name, a, b string
		zones, at  string
		keys       []string
	}{
		{"decided where it begins", "k", "l", "a c", "/", []string{"k", "l"}},
		{"decided behind try_files", "", "", "a c b a c", "@app", []string{"", "", "\xc0\x00\x02\x01", "", ""}},
		{"connections decided where it begins", "", "l", "a c b a c", "@app", []string{"", "l", "\xc0\x00\x02\x01", "", ""}},
		{"requests decided where it begins", "k", "", "a c", "/", []string{"k", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ask(r, false, "remote_addr", "192.0.2.1", "request_uri", "/x", "http_x_a", c.a, "http_x_b", c.b, "upstream_status", "200")
			var zones string
			var keys []string
			for _, l := range got.Limits {
				if l.Req != nil {
					zones += " " + l.Req.ZoneName
				} else {
					zones += " " + l.Conn.ZoneName
				}
				keys = append(keys, string(l.Key))
			}
			assert.Empty(t, got.Unknown)
			assert.Equal(t, " "+c.zones, zones)
			assert.Equal(t, c.keys, keys)
			assert.Equal(t, "/", place(got))
			assert.Equal(t, c.at, got.Block.Location.Pattern)
		})
	}
}
