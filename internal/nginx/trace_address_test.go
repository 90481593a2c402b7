package nginx

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheAddressOfATraceIsThatOfTheLimits(t *testing.T) {
	r := routerFor(t, `events {} http {
limit_req_zone $binary_remote_addr zone=ip:1m rate=1r/s;
server { listen 80; real_ip_header X-Forwarded-For;
  location / { limit_req zone=ip; }
  location /behind/ { set_real_ip_from 10.0.0.0/8; limit_req zone=ip; }
  location /gone/ { set_real_ip_from 10.0.0.0/8; return 404; }
} }`)
	for _, row := range []struct{ name, path, peer, addr, unknown string }{
		{"nobody is trusted: the peer", "/", "10.0.0.1", "10.0.0.1", ""},
		{"the location trusts the peer", "/behind/", "10.0.0.1", "203.0.113.7", ""},
		{"the location trusts another", "/behind/", "192.0.2.1", "192.0.2.1", ""},
		{"an answer before the location is asked", "/gone/", "10.0.0.1", "10.0.0.1", ""},
		{"the peer is not given", "/", "", "", "remote_addr"},
	} {
		t.Run(row.name, func(t *testing.T) {
			req := Request{Complete: true, Values: make([][]byte, len(r.Fields())+coreFields)}
			req.Values[r.Field("http_x_forwarded_for")] = []byte("203.0.113.7")
			req.Values[r.Field("http_host")] = []byte("example.com")
			req.Values[r.Field("request")] = []byte("GET " + row.path + " HTTP/1.1")
			if row.peer != "" {
				req.Values[r.Field("remote_addr")] = []byte(row.peer)
			}
			addr, unknown := r.TraceAddress(&req)
			assert.Equal(t, row.addr, addr)
			assert.Equal(t, row.unknown, unknown)
		})
	}
}
