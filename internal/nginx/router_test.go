package nginx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/parser"
)

// routerFor makes a router for the text of a configuration.
func routerFor(t testing.TB, text string) *Router {
	t.Helper()
	tree := parser.ParseBytes("nginx.conf", []byte(text), parser.Options{})
	require.Empty(t, tree.Errors)
	return NewRouter(Build(tree))
}

// ask routes a request given as variables; complete means written by hand.
func ask(r *Router, complete bool, variables ...string) Route {
	req := Request{Complete: complete, Values: make([][]byte, 0, 64)}
	for i := 0; i+1 < len(variables); i += 2 {
		f := r.Field(variables[i])
		for len(req.Values) <= f {
			req.Values = append(req.Values, nil)
		}
		req.Values[f] = append([]byte{}, variables[i+1]...)
	}
	var out Route
	r.Route(&req, &out)
	return out
}

func place(r Route) string {
	switch {
	case r.Server == nil:
		return "none"
	case r.Location == nil:
		return "server"
	}
	return r.Location.Pattern
}

const siteConf = `
events {}
http {
    map $http_user_agent $bot { default ""; ~*bot $binary_remote_addr; }
    limit_req_zone $binary_remote_addr zone=ip:1m rate=1r/s;
    limit_req_zone $bot zone=bots:1m rate=1r/s;
    limit_conn_zone $server_name zone=srv:1m;
    limit_req zone=ip;
    server {
        listen 80;
        server_name example.com *.example.com;
        limit_conn srv 10;
        location / { }
        location = /exact { }
        location ^~ /static/ { }
        location ~ \.php$ { limit_req zone=bots; }
        location /old { return 301 /new; }
        location /moved { rewrite ^/moved/(.*)$ /static/$1 last; }
        location @named { }
    }
    server { listen 80; server_name other.org; location /x { } }
}
`

func TestRoute(t *testing.T) {
	r := routerFor(t, siteConf)
	for _, c := range []struct {
		name, host, uri, want, bypass string
	}{
		{"prefix", "example.com", "/a", "/", ""},
		{"exact", "example.com", "/exact?x", "/exact", ""},
		{"regex over prefix", "EXAMPLE.com:80", "/static.php", `\.php$`, ""},
		{"^~ over regex", "a.example.com", "/static/a.php", "/static/", ""},
		{"return bypasses", "example.com", "/old", "/old", "return"},
		{"rewrite last moves", "example.com", "/moved/a.css", "/static/", ""},
		{"other server without location", "other.org", "/", "server", ""},
		{"unknown host takes the first server", "nowhere", "/", "/", ""},
		{"above the root is a bad request", "example.com", "/../x", "server", "bad request"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 2 { // the second time from memory
				got := ask(r, false, "remote_addr", "192.0.2.1", "http_host", c.host, "request_uri", c.uri)
				assert.Equal(t, c.want, place(got))
				assert.Equal(t, c.bypass, got.Bypass)
				assert.Empty(t, got.Unknown)
			}
		})
	}
}

func TestKeys(t *testing.T) {
	r := routerFor(t, siteConf)
	got := ask(r, false, "remote_addr", "192.0.2.1", "http_host", "example.com", "request_uri", "/a")
	require.Len(t, got.Limits, 2)
	assert.Equal(t, []byte{192, 0, 2, 1}, got.Limits[0].Key)
	assert.Equal(t, "ip", got.Limits[0].Req.ZoneName)
	assert.Equal(t, "example.com", string(got.Limits[1].Key))

	got = ask(r, false, "remote_addr", "192.0.2.1", "http_host", "example.com", "request_uri", "/a.php")
	require.Len(t, got.Limits, 2)
	assert.Equal(t, "http_user_agent", got.Limits[0].Unknown, "a log without the user agent cannot tell")

	got = ask(r, false, "remote_addr", "192.0.2.1", "http_host", "example.com", "request_uri", "/a.php", "http_user_agent", "GoogleBot")
	assert.Equal(t, []byte{192, 0, 2, 1}, got.Limits[0].Key)
	got = ask(r, true, "remote_addr", "192.0.2.1", "http_host", "example.com", "request_uri", "/a.php")
	assert.Empty(t, got.Limits[0].Unknown)
	assert.Empty(t, got.Limits[0].Key)
}

func TestUnknownHostIsNamed(t *testing.T) {
	r := routerFor(t, siteConf)
	got := ask(r, false, "remote_addr", "192.0.2.1", "request_uri", "/a")
	assert.Equal(t, "http_host", got.Unknown)
	got = ask(r, false, "remote_addr", "192.0.2.1", "request_uri", "/a", "server_name", "other.org")
	assert.Empty(t, got.Unknown)
	got = ask(r, false, "remote_addr", "192.0.2.1", "http_host", "example.com")
	assert.Equal(t, "request_uri", got.Unknown)
}

// Forks share what was prepared and nothing else; the race detector watches.
func TestForksWorkSideBySide(t *testing.T) {
	first := routerFor(t, siteConf)
	done := make(chan Route)
	for range 4 {
		fork := first.Fork()
		go func() {
			var got Route
			for range 100 {
				got = ask(fork, true, "remote_addr", "192.0.2.1", "http_host", "a.example.com", "request_uri", "/a.php", "http_user_agent", "bot")
			}
			done <- got
		}()
	}
	for range 4 {
		assert.Equal(t, `\.php$`, place(<-done))
	}
}
