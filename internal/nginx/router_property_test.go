package nginx

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// What is remembered must not change what is answered, whatever the requests
// are and however they follow each other.
func TestMemoryDoesNotChangeRoutes(t *testing.T) {
	for _, conf := range []string{siteConf, wordpressConf, realipConf} {
		warm := routerFor(t, conf)
		rapid.Check(t, func(t *rapid.T) {
			req := Request{Complete: rapid.Bool().Draw(t, "complete")}
			for range coreFields {
				value := rapid.SampledFrom([][]byte{
					nil, nil,
					{},
					[]byte("/"), []byte("/a.php"), []byte("//x/../old"), []byte("example.com"), []byte("GET"),
					[]byte("GET /moved/x HTTP/1.1"), []byte("10.0.0.1"), []byte("80"), []byte("\x16\x03\x01"), []byte("/%"), []byte("200"),
				})
				req.Values = append(req.Values, value.Draw(t, "value"))
			}
			var got, want Route
			warm.Route(&req, &got)
			warm.Route(&req, &got)
			warm.Fork().Route(&req, &want)
			assert.Equal(t, want.Unknown, got.Unknown)
			assert.Equal(t, want.Bypass, got.Bypass)
			assert.Same(t, want.Server, got.Server)
			assert.True(t, want.Location == got.Location && want.Block == got.Block)
			assert.Len(t, got.Limits, len(want.Limits))
			for i := range want.Limits {
				assert.Equal(t, want.Limits[i].Unknown, got.Limits[i].Unknown)
				assert.Equal(t, string(want.Limits[i].Key), string(got.Limits[i].Key))
			}
		})
	}
}

// FuzzRoute looks for requests that a router does not survive.
func FuzzRoute(f *testing.F) {
	f.Add("GET / HTTP/1.1", "example.com", "192.0.2.1", "a=b")
	f.Add("GET http://h/..%2f?x#y HTTP/1.0", "[::1", "unix:", "%")
	r := routerFor(f, siteConf)
	fields := []int{r.Field("request"), r.Field("http_host"), r.Field("remote_addr"), r.Field("http_user_agent")}
	f.Fuzz(func(t *testing.T, request, host, addr, agent string) {
		req := Request{Values: make([][]byte, 64)}
		for i, v := range []string{request, host, addr, agent} {
			req.Values[fields[i]] = []byte(v)
		}
		var out Route
		r.Route(&req, &out)
		if out.Server == nil {
			t.Fatal("there is always a server")
		}
	})
}
