package nginx

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTraceTellsEveryStep(t *testing.T) {
	r := routerFor(t, `events {} http {
limit_req_zone $binary_remote_addr zone=ip:1m rate=1r/s;
limit_conn_zone $http_x_token zone=token:1m;
server { listen 80; server_name example.com; set_real_ip_from 10.0.0.0/8; real_ip_header X-Forwarded-For;
  set $kind page;
  location /old/ { rewrite ^/old/(.*)$ /new/$1 last; }
  location /new/ { if ($request_method = POST) { return 405; } limit_req zone=ip; limit_conn token 2; }
} }`)
	req := Request{Complete: true}
	set := func(name, value string) {
		f := r.Field(name)
		for len(req.Values) <= f {
			req.Values = append(req.Values, nil)
		}
		req.Values[f] = []byte(value)
	}
	set("remote_addr", "10.0.0.1")
	set("http_x_forwarded_for", "203.0.113.7")
	set("http_host", "example.com")
	set("request", "GET /old//a HTTP/1.1")
	var out Route
	var told []string
	for _, s := range r.Trace(&req, &out) {
		line := s.Phase + ": " + s.What
		if s.Dir != nil {
			line += " @" + s.Dir.Name
		}
		told = append(told, line)
	}
	assert.Equal(t, []string{
		`server: server example.com @server`,
		`server: $uri is "/old/a"`,
		`post-read: the client's address is "203.0.113.7" instead of "10.0.0.1"`,
		`server rewrite: set $kind to "page" @set`,
		`find location: location /old/ @location`,
		`rewrite: after rewrite $uri is "/new/a" @rewrite`,
		`find location: location /new/ @location`,
		`rewrite: if is false @if`,
		`preaccess: limit_req ip: the key is "\xcb\x00q\a" @limit_req`,
		`preaccess: limit_conn token: the key is empty, no limit @limit_conn`,
	}, told)
	assert.Equal(t, "/new/", out.Location.Pattern)
}
