package analyzer_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/nglimit/nglimit/analyzer"
	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
	"github.com/nglimit/nglimit/replay"
	"github.com/nglimit/nglimit/replay/limit"
)

// hit is one request of a test's log.
type hit struct {
	at                      int64 // ms after the start
	address, agent, session string
}

func logOf(hits []hit) string {
	var b strings.Builder
	for _, h := range hits {
		at := 1_780_304_400_000 + h.at
		fmt.Fprintf(&b, `{"msec":"%d.%03d","request_time":"0.000","remote_addr":"%s","host":"a","request_method":"GET","request_uri":"/","status":"200","http_user_agent":"%s","cookie_sid":"%s"}`+"\n",
			at/1000, at%1000, h.address, h.agent, h.session)
	}
	return b.String()
}

// analyse replays hits through a limit of 1r/s per address without burst.
func analyse(t require.TestingT, hits []hit, session int) *analyzer.Result {
	conf := `events {} http { limit_req_zone $binary_remote_addr zone=z:1m rate=1r/s;
		log_format l escape=json '{"msec":"$msec","request_time":"$request_time","remote_addr":"$remote_addr","host":"$host","request_method":"$request_method","request_uri":"$request_uri","status":"$status","http_user_agent":"$http_user_agent","cookie_sid":"$cookie_sid"}';
		server { listen 80; location / { limit_req zone=z; } } }`
	tree := parser.ParseBytes("nginx.conf", []byte(conf), parser.Options{FS: parser.OS{}})
	require.Empty(t, tree.Errors)
	config := nginx.Build(tree)
	people := analyzer.New(analyzer.Options{Agent: 0, Session: session})
	run, err := replay.Run(context.Background(), replay.Options{
		Config: config, Keep: []string{"http_user_agent", "cookie_sid"},
		Inputs: []replay.Input{{Name: "log", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(logOf(hits))), nil }}},
	}, people.Observe)
	require.NoError(t, err)
	require.NoError(t, run.Err())
	require.EqualValues(t, len(hits), run.Requests)
	return people.Result(config)
}

func TestCollateralIsWhatEachClientAloneWouldNotHaveMet(t *testing.T) {
	crowd := []hit{
		{0, "203.0.113.7", "A", ""},
		{1, "203.0.113.7", "B", ""},
		{2, "203.0.113.7", "C", ""},
		{3, "198.51.100.1", "A", ""},
		{4, "198.51.100.1", "A", ""},
		{5, "198.51.100.1", "A", ""},
	}
	r := analyse(t, crowd, -1)
	require.Len(t, r.Addresses, 2)
	assert.Equal(t, analyzer.UserAgent, r.Channel)
	assert.Equal(t, analyzer.Damage{Requests: 6, Rejected: 4, Collateral: 2}, r.Total)
	office, single := r.Addresses[0], r.Addresses[1]
	assert.Equal(t, "203.0.113.7", office.Address)
	assert.Equal(t, 3, office.Clients)
	assert.Equal(t, analyzer.Damage{Requests: 3, Rejected: 2, Collateral: 2}, office.Damage)
	assert.Equal(t, 1, single.Clients)
	assert.Equal(t, analyzer.Damage{Requests: 3, Rejected: 2}, single.Damage)
	assert.EqualValues(t, 2, r.Zones[0].LeastBurst)
}

func TestASessionTellsMoreThanAnAgent(t *testing.T) {
	twins := []hit{{0, "203.0.113.7", "A", "s1"}, {1, "203.0.113.7", "A", "s2"}, {2, "203.0.113.7", "A", ""}}
	r := analyse(t, twins, 1)
	assert.Equal(t, analyzer.Session, r.Channel)
	assert.Equal(t, 3, r.Addresses[0].Clients, "two sessions, and the agent of the request without one")
	assert.EqualValues(t, 2, r.Total.Collateral)
	r = analyse(t, twins, -1)
	assert.Equal(t, 1, r.Addresses[0].Clients)
	assert.Zero(t, r.Total.Collateral)
}

func TestAnEmptyLogMeansNothing(t *testing.T) {
	r := analyzer.New(analyzer.Options{Agent: -1, Session: -1}).Result(&nginx.Config{})
	assert.Empty(t, r.Addresses)
	assert.Equal(t, analyzer.NoChannel, r.Channel)
}

// TestLeastBurst holds the least burst against the engine: with it nothing is
// refused, with one less something is.
func TestLeastBurst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gaps := rapid.SliceOfN(rapid.Int64Range(0, 1500), 2, 40).Draw(t, "gaps")
		hits := make([]hit, len(gaps))
		at := int64(0)
		for i, gap := range gaps {
			at += gap
			hits[i] = hit{at, "203.0.113.7", fmt.Sprint("agent ", i), ""}
		}
		least := analyse(t, hits, -1).Zones[0].LeastBurst
		assert.Zero(t, refused(t, hits, least))
		if least > 0 {
			assert.Positive(t, refused(t, hits, least-1))
		}
	})
}

func refused(t require.TestingT, hits []hit, burst int64) int {
	z, err := limit.NewReqZone("z", 1<<20, limit.PerSecond(1))
	require.NoError(t, err)
	n := 0
	for _, h := range hits {
		d := limit.DecideReq(limit.Millis(1_000_000_000+h.at), []limit.ReqLimit{{Zone: z, Burst: burst, Nodelay: true}}, [][]byte{[]byte("k")})
		if d.Status == limit.Rejected {
			n++
		}
	}
	return n
}
