package replay_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
	"github.com/nglimit/nglimit/replay"
	"github.com/nglimit/nglimit/replay/accesslog"
)

func config(t testing.TB, text string) *nginx.Config {
	t.Helper()
	return nginx.Build(parser.ParseBytes("nginx.conf", []byte(text), parser.Options{}))
}

// text makes an input of a log.
func text(name, log string) replay.Input {
	return replay.Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(log)), nil }}
}

const start = 1767261600_000

// line is a request that arrived so many milliseconds after start and took so
// long.
func line(at, took int, address, uri string) string {
	return fmt.Sprintf(`{"msec":%d.%03d,"remote_addr":%q,"request_method":"GET","host":"shop.example","request_uri":%q,"status":200,"request_time":%d.%03d}`+"\n",
		(start+at+took)/1000, (at+took)%1000, address, uri, took/1000, took%1000)
}

// verdict is what a test looks at of an event.
type verdict struct {
	line   int64
	at     replay.Millis // after start
	status string        // of limit_req, then of limit_conn
	zone   string
	excess int64
	delay  replay.Millis
}

// run replays an input and gives the verdicts.
func run(t testing.TB, o replay.Options) ([]verdict, *replay.Result) {
	t.Helper()
	var all []verdict
	r, err := replay.Run(t.Context(), o, func(e *replay.Event) error {
		v := verdict{line: e.Line, at: e.At - start, status: e.ReqStatus.String() + "/" + e.ConnStatus.String(), excess: e.Excess, delay: e.Delay}
		if e.Zone != nil {
			v.zone = e.Zone.Name
		}
		all = append(all, v)
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, r.Lines, r.Requests+r.Skips(), "lines")
	return all, r
}

const shop = `events {} http {
	limit_req_zone $binary_remote_addr zone=site:1m rate=2r/s;
	limit_req_zone $binary_remote_addr zone=login:1m rate=1r/s;
	limit_conn_zone $binary_remote_addr zone=streams:1m;
	server {
		listen 80;
		server_name shop.example;
		limit_req zone=site burst=1 nodelay;
		location / { proxy_pass http://127.0.0.1:1; }
		location /login { limit_req zone=site burst=5 nodelay; limit_req zone=login; proxy_pass http://127.0.0.1:1; }
		location /slow { limit_req zone=login burst=2; proxy_pass http://127.0.0.1:1; }
		location /stream { limit_conn streams 1; limit_req zone=site burst=9 nodelay; proxy_pass http://127.0.0.1:1; }
		location /gone { return 410; }
	}
}`

func TestDecisions(t *testing.T) {
	for name, c := range map[string]struct {
		log  string
		want []verdict
	}{
		"burst passes, what is beyond it does not, and time drains it": {
			line(0, 0, "192.0.2.1", "/") + line(10, 0, "192.0.2.1", "/") + line(20, 0, "192.0.2.1", "/") + line(520, 0, "192.0.2.1", "/"),
			[]verdict{
				{1, 0, "PASSED/", "site", 0, 0},
				{2, 10, "PASSED/", "site", 980, 0},
				{3, 20, "REJECTED/", "site", 1960, 0},
				{4, 520, "PASSED/", "site", 960, 0},
			},
		},
		"addresses have states of their own": {
			line(0, 0, "192.0.2.1", "/") + line(0, 0, "2001:db8::1", "/"),
			[]verdict{{1, 0, "PASSED/", "site", 0, 0}, {2, 0, "PASSED/", "site", 0, 0}},
		},
		"arrival counts, not the end": {
			line(30, 0, "192.0.2.1", "/c") + line(20, 100, "192.0.2.1", "/b") + line(0, 400, "192.0.2.1", "/a"),
			[]verdict{{3, 0, "PASSED/", "site", 0, 0}, {2, 20, "PASSED/", "site", 960, 0}, {1, 30, "REJECTED/", "site", 1940, 0}},
		},
		"the second zone refuses, and the first is not charged": {
			line(0, 0, "192.0.2.1", "/login") + line(10, 0, "192.0.2.1", "/login") + line(20, 0, "192.0.2.1", "/"),
			[]verdict{{1, 0, "PASSED/", "login", 0, 0}, {2, 10, "REJECTED/", "login", 990, 0}, {3, 20, "PASSED/", "site", 960, 0}},
		},
		"requests beyond the rate are delayed": {
			line(0, 0, "192.0.2.1", "/slow") + line(100, 0, "192.0.2.1", "/slow"),
			[]verdict{{1, 0, "PASSED/", "login", 0, 0}, {2, 100, "DELAYED/", "login", 900, 900}},
		},
		"connections are refused while others last": {
			line(500, 0, "192.0.2.1", "/stream") + line(0, 1000, "192.0.2.1", "/stream") + line(2000, 0, "192.0.2.1", "/stream"),
			[]verdict{{2, 0, "PASSED/PASSED", "site", 0, 0}, {1, 500, "PASSED/REJECTED", "streams", 0, 0}, {3, 2000, "PASSED/PASSED", "site", 0, 0}},
		},
		"what ends before the limits meets none": {
			line(0, 0, "192.0.2.1", "/gone"), []verdict{{1, 0, "/", "", 0, 0}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, r := run(t, replay.Options{Config: config(t, shop), Inputs: []replay.Input{text("a.log", c.log)}})
			assert.Equal(t, c.want, got)
			assert.Equal(t, int64(len(c.want)), r.Requests)
			assert.False(t, r.Partial)
		})
	}
}

func TestTotalsRoutesAndZones(t *testing.T) {
	log := line(0, 0, "192.0.2.1", "/") + line(1, 0, "192.0.2.1", "/x") + line(2, 0, "192.0.2.1", "/y") +
		line(3, 0, "192.0.2.2", "/slow") + line(4, 0, "192.0.2.2", "/slow") + "\n" + line(5, 0, "192.0.2.3", "/gone") + "junk\n"
	c := config(t, shop)
	_, r := run(t, replay.Options{Config: c, Inputs: []replay.Input{text("a.log", log)}})
	assert.Equal(t, replay.Counts{Limited: 5, Passed: 3, Delayed: 1, Rejected: 1}, r.Counts)
	assert.Equal(t, int64(8), r.Lines)
	assert.Equal(t, int64(1), r.Bypassed)
	assert.Equal(t, []replay.Millis{start, start + 5}, []replay.Millis{r.First, r.Last})
	assert.Equal(t, replay.Skip{Count: 1, Input: "a.log", Line: 6}, r.Skipped[accesslog.Blank])
	assert.Equal(t, replay.Skip{Count: 1, Input: "a.log", Line: 8}, r.Skipped[accesslog.Malformed])
	var routes []string
	for _, route := range r.Routes {
		routes = append(routes, fmt.Sprintf("%d %v", route.Requests, route.Counts))
	}
	assert.Equal(t, []string{"3 {3 2 0 1}", "2 {2 1 1 0}", "1 {0 0 0 0}"}, routes)
	var zones []string
	for _, z := range r.Zones {
		zones = append(zones, fmt.Sprintf("%s %v keys=%d", z.Zone.Name, z.Counts, z.Keys))
	}
	assert.Equal(t, []string{"site {3 2 0 1} keys=1", "login {2 1 1 0} keys=1", "streams {0 0 0 0} keys=0"}, zones)
}

func TestKeysAndKeptValues(t *testing.T) {
	c := config(t, `events {} http { limit_req_zone $http_x_key zone=z:1m rate=1r/s; server { limit_req zone=z; location / { proxy_pass http://127.0.0.1:1; } } }`)
	log := `{"msec":1767261600.000,"remote_addr":"192.0.2.1","request":"GET / HTTP/1.1","http_x_key":"caf\u00e9","extra":"v"}` + "\n" +
		`{"msec":1767261600.001,"remote_addr":"192.0.2.1","request":"GET / HTTP/1.1","http_x_key":""}` + "\n" +
		`{"msec":1767261600.002,"remote_addr":"192.0.2.1","request":"GET / HTTP/1.1"}` + "\n"
	var got []string
	r, err := replay.Run(t.Context(), replay.Options{Config: c, Inputs: []replay.Input{text("a", log)}, Keep: []string{"extra"}}, func(e *replay.Event) error {
		got = append(got, fmt.Sprintf("%s key=%q unknown=%s address=%s extra=%q known=%t", e.ReqStatus, e.Key, e.Unknown, e.Address, e.Values[0], e.Values[0] != nil))
		return nil
	})
	require.NoError(t, err)
	assert.Equal(t, []string{
		`PASSED key="café" unknown= address=192.0.2.1 extra="v" known=true`,
		` key="" unknown= address=192.0.2.1 extra="" known=false`,
		` key="" unknown=http_x_key address=192.0.2.1 extra="" known=false`,
	}, got, "empty is not limited, unknown is not judged")
	assert.Equal(t, []replay.Unjudged{{Variable: "http_x_key", Count: 1}}, r.Unjudged)
}

func TestWholeSecondsAreSpread(t *testing.T) {
	c := config(t, `events {} http { limit_req_zone $binary_remote_addr zone=z:1m rate=10r/s; server { limit_req zone=z burst=2 nodelay; location / { proxy_pass http://127.0.0.1:1; } } }`)
	log := strings.Repeat(`192.0.2.1 - - [01/Jan/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 1 "-" "-"`+"\n", 10)
	got, r := run(t, replay.Options{Config: c, Inputs: []replay.Input{text("a", log)}})
	assert.Equal(t, replay.Counts{Limited: 10, Passed: 10}, r.Counts)
	assert.Equal(t, replay.Millis(1000), r.Coarse)
	assert.Equal(t, replay.Millis(900), got[9].at)
}

func TestLateRequestsAreCounted(t *testing.T) {
	log := line(90_000, 0, "192.0.2.1", "/") + line(0, 95_000, "192.0.2.1", "/")
	got, r := run(t, replay.Options{Config: config(t, shop), Inputs: []replay.Input{text("a", log)}})
	assert.Equal(t, int64(1), r.Late)
	assert.Len(t, got, 2)
	got, r = run(t, replay.Options{Config: config(t, shop), Inputs: []replay.Input{text("a", log)}, Window: 100_000})
	assert.Zero(t, r.Late)
	assert.Equal(t, int64(2), got[0].line)
}

func TestAZoneThatIsNotDefinedIsAnError(t *testing.T) {
	c := config(t, `events {} http { server { limit_req zone=nowhere; } }`)
	_, err := replay.Run(t.Context(), replay.Options{Config: c})
	assert.ErrorContains(t, err, "nowhere")
}
