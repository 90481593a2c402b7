package nginx

import (
	"fmt"
	"strings"
	"testing"
)

// benchConf is a site of 50 locations with regular expressions, a map of robots
// and a limit of requests and of connections.
func benchConf() string {
	var b strings.Builder
	b.WriteString(`events {} http {
map $http_user_agent $bot { default ""; ~*googlebot $binary_remote_addr; ~*(bing|yandex)bot $binary_remote_addr; }
limit_req_zone $binary_remote_addr zone=ip:1m rate=1r/s; limit_req_zone $bot zone=bots:1m rate=1r/s; limit_conn_zone $binary_remote_addr zone=conn:1m;
limit_req zone=ip; limit_req zone=bots; limit_conn conn 10;
server { listen 80; server_name example.com; if ($request_method = TRACE) { return 405; }`)
	for i := range 30 {
		fmt.Fprintf(&b, "location /p%d/ { }\n", i)
	}
	for i := range 10 {
		fmt.Fprintf(&b, "location ~ ^/r%d/(\\d+) { }\n", i)
	}
	for i := range 10 {
		fmt.Fprintf(&b, "location = /e%d { }\n", i)
	}
	b.WriteString("} server { listen 80; server_name other.org; } }")
	return b.String()
}

// BenchmarkRoute measures one request with 256 distinct paths and addresses,
// all seen before.
func BenchmarkRoute(b *testing.B) {
	r := routerFor(b, benchConf())
	requests := benchRequests(r)
	var out Route
	for _, req := range requests {
		r.Route(&req, &out)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		r.Route(&requests[i%len(requests)], &out)
	}
}

// BenchmarkRouteNewPath measures requests whose path was never seen.
func BenchmarkRouteNewPath(b *testing.B) {
	r := routerFor(b, benchConf())
	requests := benchRequests(r)
	var out Route
	uri := r.Field("request_uri")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		req := &requests[i%len(requests)]
		req.Values[uri] = fmt.Appendf(req.Values[uri][:0], "/p7/%d", i)
		r.Route(req, &out)
	}
}

func benchRequests(r *Router) []Request {
	out := make([]Request, 256)
	agents := []string{"Mozilla/5.0 (X11; Linux x86_64)", "Mozilla/5.0 (compatible; Googlebot/2.1)", "curl/8.0"}
	for i := range out {
		values := map[string]string{
			"remote_addr": fmt.Sprintf("192.0.2.%d", i), "http_host": "example.com", "request_method": "GET",
			"request_uri": fmt.Sprintf("/%s%d/%d?page=%d", []string{"p", "r", "e"}[i%3], i%30, i, i), "http_user_agent": agents[i%3],
		}
		for name, value := range values {
			f := r.Field(name)
			for len(out[i].Values) <= f {
				out[i].Values = append(out[i].Values, nil)
			}
			out[i].Values[f] = []byte(value)
		}
	}
	return out
}
