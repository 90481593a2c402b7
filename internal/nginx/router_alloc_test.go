package nginx

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A replay asks for millions of routes: what was seen before must not cost
// memory again.
func TestRoutesSeenBeforeAllocateNothing(t *testing.T) {
	r := routerFor(t, `events {} http {
map $http_user_agent $robot { default ""; ~*(bot) $1; }
map $office$arg_k $who { hostnames; default $binary_remote_addr; *.example.com a; ~^1 ""; }
geo $office { default 0; 192.0.2.0/24 1; }
split_clients $remote_addr $arm { 50% a; * b; }
set_real_ip_from 10.0.0.0/8; real_ip_header X-Forwarded-For; real_ip_recursive on;
limit_req_zone $robot$cookie_s zone=a:1m rate=1r/s;
limit_req_zone $who zone=b:1m rate=1r/s;
limit_req_zone $arm$uri zone=c:1m rate=1r/s;
limit_conn_zone $server_name$1$host$request_uri zone=d:1m;
limit_req zone=a; limit_req zone=b; limit_req zone=c; limit_conn d 1;
server { listen 80; server_name ~^(www)\.; if ($request_method = PUT) { return 405; }
  location ~ ^/(\w+) { rewrite ^/old/(.*) /new/$1 break; } } }`)
	var requests []Request
	for _, path := range []string{"/a?k=x", "/old/b", "/new/c?k=y.example.com"} {
		for _, addr := range []string{"10.0.0.1", "192.0.2.1", "2001:db8::1"} {
			req := Request{Values: make([][]byte, 64)}
			for name, value := range map[string]string{
				"realip_remote_addr": addr, "http_x_forwarded_for": "198.51.100.7, 10.0.0.2", "http_host": "WWW.example.com",
				"request_uri": path, "request_method": "GET", "http_user_agent": "a bot", "http_cookie": "x=1; s=2",
			} {
				req.Values[r.Field(name)] = []byte(value)
			}
			requests = append(requests, req)
		}
	}
	var out Route
	all := func() {
		for i := range requests {
			r.Route(&requests[i], &out)
		}
	}
	all()
	assert.Len(t, out.Limits, 4)
	assert.Zero(t, testing.AllocsPerRun(100, all))
}
