package replay_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/internal/oracle"
	"github.com/nglimit/nglimit/parser"
	"github.com/nglimit/nglimit/replay"
	"github.com/nglimit/nglimit/replay/limit"
)

var oracleRequests = flag.Int("oracle.requests", 3000, "requests of each trace that nginx judges")

// dryRun is a site whose limits nginx judges without enforcing them. Its log is
// what the replay reads.
func dryRun(format string) string {
	return oracle.Serve(`
		limit_req_zone $binary_remote_addr zone=site:1m rate=5r/s;
		limit_req_zone $binary_remote_addr$uri zone=page:1m rate=90r/m;
		limit_req_zone $key zone=guests:1m rate=2r/s;
		map $http_x_user $key { "" $binary_remote_addr; default ""; }
		limit_req_dry_run on;
		log_format replay `+format+`;
		access_log logs/replay.log replay;`, `
		limit_req zone=site burst=5 nodelay;
		location / { try_files /none =204; }
		location /api/ { limit_req zone=site burst=8 delay=3; limit_req zone=guests burst=2; try_files /none =204; }
		location ~ \.php$ { limit_req zone=page burst=1; try_files /none =204; }
		location = /free { limit_req_dry_run off; limit_req zone=guests burst=1000000 nodelay; try_files /none =204; }
		location /gone { return 410; }`)
}

const jsonFormat = `escape=json '{"msec":$msec,"remote_addr":"$remote_addr","request":"$request","request_uri":"$request_uri",'
	'"host":"$http_host","server_port":"$server_port","status":$status,"request_time":$request_time,"user":"$http_x_user","limit_req_status":"$limit_req_status"}'`

const textFormat = `'$remote_addr [$msec] "$request" $status $request_time "$http_host" $server_port "$http_x_user" $limit_req_status'`

// TestOracleDryRun lets nginx judge a trace, each request of a millisecond of
// its own, and the replay judge the log that nginx wrote.
func TestOracleDryRun(t *testing.T) {
	for _, bin := range oracle.Bins(t) {
		for name, format := range map[string]string{"json": jsonFormat, "text": textFormat} {
			for seed := range uint64(3) {
				t.Run(fmt.Sprintf("%s/%s/seed %d", bin.Version, name, seed), func(t *testing.T) {
					log := record(t, bin, dryRun(format), seed, *oracleRequests)
					require.Equal(t, *oracleRequests, strings.Count(log, "\n"))
					compareLog(t, dryRun(format), log, *oracleRequests)
				})
			}
		}
	}
}

// record sends a trace from several addresses and returns what nginx logged.
func record(t *testing.T, bin oracle.Nginx, conf string, seed uint64, n int) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 11))
	s := bin.Start(t, conf, oracle.Options{Clock: true})
	var conns []*oracle.Conn
	for i := range 6 {
		c := s.Dial(t, netip.AddrFrom4([4]byte{127, 0, 1, byte(i + 1)}))
		defer c.Close()
		conns = append(conns, c)
	}
	uris := []string{"/", "/a", "/api/v1", "/api/v2?q=1", "/x.php", "/y.php?z", "/free", "/gone", "/%61pi/v3", "/a/../x.php"}
	at := oracle.StartMono + 10_000
	for range n {
		at += gap(rng)
		s.Clock.Set(at)
		var header []string
		if rng.IntN(4) == 0 {
			header = append(header, "X-User: u1")
		}
		_, err := conns[min(rng.IntN(6), rng.IntN(6))].Get(uris[rng.IntN(len(uris))], header...)
		require.NoError(t, err)
	}
	s.Clock.Sync()
	return s.Log("logs/replay.log")
}

// gap is the time to the next request: often short, sometimes long enough for
// zones to drain and forget.
func gap(rng *rand.Rand) oracle.Millis {
	switch rng.IntN(40) {
	case 0:
		return 1 + rng.Int64N(90_000)
	case 1, 2, 3, 4:
		return 1 + rng.Int64N(800)
	default:
		return 1 + rng.Int64N(40)
	}
}

// compareLog requires that the replay decides every line as nginx did.
func compareLog(t *testing.T, conf, log string, n int) {
	t.Helper()
	conf = strings.ReplaceAll(conf, oracle.Addr, "127.0.0.1:80")
	a := replay.NewAgreement()
	c := nginx.Build(parser.ParseBytes("nginx.conf", []byte(conf), parser.Options{}))
	r, err := replay.Run(t.Context(), replay.Options{
		Config: c, Inputs: []replay.Input{text("replay.log", log)}, World: replay.Observed, Workers: 2,
	}, a.Observe)
	require.NoError(t, err)
	require.NoError(t, r.Err())
	got := a.Result()
	assert.Empty(t, r.Unjudged)
	assert.Empty(t, got.Differences)
	assert.Equal(t, []int64{int64(n), int64(n)}, []int64{got.Req.Compared(), got.Req.Same()})
	for _, s := range []limit.Status{limit.None, limit.Passed, limit.DelayedDryRun, limit.RejectedDryRun} {
		assert.Positive(t, got.Req[s][s], "the trace shows nothing that is %q", s)
	}
}
