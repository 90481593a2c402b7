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
