package limit_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/oracle"
	"github.com/nglimit/nglimit/replay/limit"
)

const roomy = 16 << 20

func TestOracleReq(t *testing.T) {
	compareConfigs(t, "TestOracleReq", *oracleN*40/100, func(t *testing.T, bin oracle.Nginx, rng *rand.Rand) int {
		return compareReq(t, bin, rng, randomPlan(rng, roomy), fewKeys, 2000)
	})
}

func TestOracleReqAbsurd(t *testing.T) {
	compareConfigs(t, "TestOracleReqAbsurd", *oracleN*5/100, func(t *testing.T, bin oracle.Nginx, rng *rand.Rand) int {
		p := randomPlan(rng, roomy)
		for i := range p.Zones {
			p.Zones[i].Rate = pick(rng, absurdRates()...)
		}
		for _, limits := range p.Locations {
			limits[0].Burst = pick[int64](rng, 0, 1, 9223372036854775807, 9223372036854775, 18446744073709551)
		}
		return compareReq(t, bin, rng, p, fewKeys, 1000)
	})
}

func TestOracleReqHugeKeys(t *testing.T) {
	compareConfigs(t, "TestOracleReqHugeKeys", *oracleN/200, func(t *testing.T, bin oracle.Nginx, rng *rand.Rand) int {
		return compareReq(t, bin, rng, randomPlan(rng, pick[int64](rng, roomy, 200_000)), hugeKeys, 300)
	})
}

func TestOracleReqFullZone(t *testing.T) {
	compareConfigs(t, "TestOracleReqFullZone", *oracleN*20/100, func(t *testing.T, bin oracle.Nginx, rng *rand.Rand) int {
		return compareReq(t, bin, rng, randomPlan(rng, limit.MinZoneSize), manyKeys(150+rng.IntN(300)), 4000)
	})
}

func TestOracleReqFullZoneOfMixedKeys(t *testing.T) {
	compareConfigs(t, "TestOracleReqFullZoneOfMixedKeys", *oracleN*20/100, func(t *testing.T, bin oracle.Nginx, rng *rand.Rand) int {
		size := pick[int64](rng, limit.MinZoneSize, 40_000, 65_536, 100_000)
		return compareReq(t, bin, rng, randomPlan(rng, size), mixedKeys(50+rng.IntN(300)), 4000)
	})
}

// compareReq puts n requests to nginx in dry run, those of one millisecond at
// once, and returns how many there were. Every line that nginx logs about its
// limits is compared too, in order.
func compareReq(t *testing.T, bin oracle.Nginx, rng *rand.Rand, p reqPlan, key keyMaker, n int) int {
	s := bin.Start(t, p.nginx("limit_req_dry_run on;"), oracle.Options{Clock: true})
	c := s.Dial(t, netip.Addr{})
	defer c.Close()
	locations := p.engine(t)
	var lines []string
	at := oracle.StartMono + 10_000_000
	for done := 0; done < n; {
		at += p.step(t, rng, true)
		s.Clock.Set(at)
		var batch []byte
		var want []string
		for range 1 + rng.IntN(12) {
			location := rng.IntN(len(locations))
			keys := p.keys(rng, location, key)
			d := limit.DecideReq(limit.Millis(at), locations[location], keys)
			want = append(want, d.Status.DryRun().String())
			lines = append(lines, logged(d, locations[location])...)
			batch = p.appendRequest(batch, location, keys)
			if len(batch) > 100_000 {
				break
			}
		}
		require.NoError(t, c.Send(batch))
		got := receive(t, c, len(want))
		done += len(want)
		if !assert.Equal(t, want, got, "at %d, request %d of %+v", at, done, p) {
			return done
		}
	}
	s.Clock.Sync()
	compareLines(t, p, lines, s.Log("logs/error.log"))
	return n
}

func receive(t *testing.T, c *oracle.Conn, n int) []string {
	t.Helper()
	var got []string
	for range n {
		r, err := c.Receive()
		require.NoError(t, err)
		got = append(got, r.Header("X-S"))
	}
	return got
}

// logged is what nginx logs of a decision, without what surrounds it.
func logged(d limit.ReqDecision, limits []limit.ReqLimit) []string {
	var lines []string
	for range d.Oversize {
		lines = append(lines, "is more than 65535 bytes")
	}
	excess := fmt.Sprintf("%d.%03d", d.Excess/1000, d.Excess%1000)
	switch {
	case d.NoRoom:
		lines = append(lines, fmt.Sprintf("could not allocate node in limit_req zone %q", limits[d.Limit].Zone.Name()))
	case d.Status == limit.Rejected:
		lines = append(lines, fmt.Sprintf("limiting excess: %s by zone %q", excess, limits[d.Limit].Zone.Name()))
	case d.Status == limit.Delayed:
		lines = append(lines, fmt.Sprintf("delaying excess: %s by zone %q", excess, limits[d.Limit].Zone.Name()))
	}
	return lines
}

// compareLines compares what nginx logged about its limits with what it should
// have.
func compareLines(t *testing.T, p reqPlan, want []string, log string) {
	t.Helper()
	line := regexp.MustCompile(`(limiting|delaying) requests?(?:, dry run)?, (excess: [0-9.]+),? (by zone "z\d")|could not allocate node in limit_req zone "z\d"|is more than 65535 bytes`)
	var got []string
	for _, m := range line.FindAllStringSubmatch(log, -1) {
		if m[1] == "" {
			got = append(got, m[0])
		} else {
			got = append(got, m[1]+" "+m[2]+" "+m[3])
		}
	}
	for i := range min(len(want), len(got)) {
		if !assert.Equal(t, want[i], got[i], "line %d of %+v", i, p) {
			return
		}
	}
	assert.Len(t, got, len(want), "lines of %+v", p)
}

// Each lookup of each zone leaves its excess in the debug log, whether it
// decides or not.
func TestOracleReqDebugLog(t *testing.T) {
	compareConfigs(t, "TestOracleReqDebugLog", *oracleN*5/100, func(t *testing.T, bin oracle.Nginx, rng *rand.Rand) int {
		if !bin.Debug {
			t.Skipf("nginx %s was built without --with-debug", bin.Version)
		}
		size, key := int64(roomy), fewKeys
		if rng.IntN(2) == 0 {
			size, key = limit.MinZoneSize, mixedKeys(200)
		}
		return compareLookups(t, bin, rng, randomPlan(rng, size), key, 1000)
	})
}

func compareLookups(t *testing.T, bin oracle.Nginx, rng *rand.Rand, p reqPlan, key keyMaker, n int) int {
	conf := strings.Replace(p.nginx("limit_req_dry_run on;"), "logs/error.log notice", "logs/error.log debug_http", 1)
	s := bin.Start(t, conf, oracle.Options{Clock: true})
	c := s.Dial(t, netip.Addr{})
	defer c.Close()
	locations := p.engine(t)
	var want []string
	at := oracle.StartMono + 10_000_000
	for range n {
		at += p.step(t, rng, true)
		s.Clock.Set(at)
		location := rng.IntN(len(locations))
		keys := p.keys(rng, location, key)
		want = append(want, lookups(limit.Millis(at), locations[location], keys)...)
		require.NoError(t, c.Send(p.appendRequest(nil, location, keys)))
		receive(t, c, 1)
	}
	s.Clock.Sync()
	line := regexp.MustCompile(`limit_req\[\d\]: -?\d [0-9.]+`)
	assert.Equal(t, want, line.FindAllString(s.Log("logs/error.log"), -1), "%+v", p)
	return n
}

// lookups are the debug lines of one decision, which it makes: what each zone
// would say is asked before.
func lookups(now limit.Millis, limits []limit.ReqLimit, keys [][]byte) []string {
	var seen []int64
	for i, l := range limits {
		excess, _ := l.Zone.Peek(now, keys[i])
		seen = append(seen, excess)
	}
	d := limit.DecideReq(now, limits, keys)
	var lines []string
	for i, excess := range seen {
		if len(keys[i]) == 0 {
			continue
		}
		refused := d.Status == limit.Rejected && d.Limit == i
		code := -2 // NGX_AGAIN
		switch {
		case refused && d.NoRoom:
			code = -1 // NGX_ERROR
		case refused:
			code = -3 // NGX_BUSY
		case i == len(limits)-1:
			code = 0 // NGX_OK
		}
		lines = append(lines, fmt.Sprintf("limit_req[%d]: %d %d.%03d", i, code, excess/1000, excess%1000))
		if refused {
			break
		}
	}
	return lines
}
