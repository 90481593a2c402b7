package limit_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/oracle"
	"github.com/nglimit/nglimit/replay/limit"
)

// reqPlan is a configuration of limit_req, for nginx and for the engine. The
// key of zone i is the argument k<i>; location i is /<i>.
type reqPlan struct {
	Zones     []reqZonePlan    `json:"zones"`
	Locations [][]reqLimitPlan `json:"locations"`
}

type reqZonePlan struct {
	Rate string `json:"rate"`
	Size int64  `json:"size"`
}

type reqLimitPlan struct {
	Zone  int    `json:"zone"`
	Burst int64  `json:"burst,omitempty"`
	Delay string `json:"delay,omitempty"` // "", "nodelay" or a number
}

func zoneName(i int) string { return "z" + strconv.Itoa(i) }

// nginx gives the configuration in nginx's words, with more in its http
// context.
func (p reqPlan) nginx(more string) string {
	var http, server strings.Builder
	for i, z := range p.Zones {
		fmt.Fprintf(&http, "limit_req_zone $arg_k%d zone=%s:%d rate=%s;\n", i, zoneName(i), z.Size, z.Rate)
	}
	http.WriteString("large_client_header_buffers 8 256k; access_log off;\n" + more)
	for i, limits := range p.Locations {
		fmt.Fprintf(&server, "location = /%d {\n", i)
		for _, l := range limits {
			fmt.Fprintf(&server, "limit_req zone=%s%s;\n", zoneName(l.Zone), l.parameters())
		}
		server.WriteString("add_header X-S $limit_req_status always; try_files /none =204;\n}\n")
	}
	return oracle.Serve(http.String(), server.String())
}

func (l reqLimitPlan) parameters() string {
	s := ""
	if l.Burst > 0 {
		s += " burst=" + strconv.FormatInt(l.Burst, 10)
	}
	switch l.Delay {
	case "":
	case "nodelay":
		s += " nodelay"
	default:
		s += " delay=" + l.Delay
	}
	return s
}

// engine gives the limits of each location, over new zones.
func (p reqPlan) engine(t testing.TB) [][]limit.ReqLimit {
	t.Helper()
	zones := make([]*limit.ReqZone, len(p.Zones))
	for i, z := range p.Zones {
		var err error
		zones[i], err = limit.NewReqZone(zoneName(i), z.Size, rateOf(t, z.Rate))
		require.NoError(t, err)
	}
	locations := make([][]limit.ReqLimit, len(p.Locations))
	for i, limits := range p.Locations {
		for _, l := range limits {
			r := limit.ReqLimit{Zone: zones[l.Zone], Burst: l.Burst, Nodelay: l.Delay == "nodelay"}
			if l.Delay != "" && !r.Nodelay {
				var err error
				r.Delay, err = strconv.ParseInt(l.Delay, 10, 64)
				require.NoError(t, err)
			}
			locations[i] = append(locations[i], r)
		}
	}
	return locations
}

func rateOf(t testing.TB, s string) limit.Rate {
	t.Helper()
	n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSuffix(s, "r/m"), "r/s"), 10, 64)
	require.NoError(t, err)
	if strings.HasSuffix(s, "r/m") {
		return limit.PerMinute(n)
	}
	return limit.PerSecond(n)
}

// absurdRates overflow when nginx computes them, and with them every leak.
func absurdRates() []string {
	return []string{"9223372036854775807r/s", "9223372036854775r/s", "9223372036854775807r/m", "92233720368547759r/s", "9000000000000r/s"}
}

func randomRate(rng *rand.Rand) string {
	return pick(rng, "1r/m", "2r/m", "3r/m", "7r/m", "30r/m", "59r/m", "60r/m", "61r/m", "90r/m", "100r/m", "600r/m", "6000r/m",
		"1r/s", "2r/s", "3r/s", "5r/s", "7r/s", "10r/s", "100r/s", "333r/s", "999r/s", "1000r/s", "1001r/s", "2500r/s", "100000r/s")
}

// randomPlan has up to four zones of a size and up to four locations.
func randomPlan(rng *rand.Rand, size int64) reqPlan {
	var p reqPlan
	for range 1 + rng.IntN(4) {
		p.Zones = append(p.Zones, reqZonePlan{randomRate(rng), size})
	}
	for range 1 + rng.IntN(4) {
		order := rng.Perm(len(p.Zones))[:1+rng.IntN(min(3, len(p.Zones)))]
		var limits []reqLimitPlan
		for _, zone := range order {
			l := reqLimitPlan{Zone: zone, Burst: pick[int64](rng, 0, 1, 2, 3, 5, 10, 20, 50, 1000)}
			l.Delay = pick(rng, "", "", "nodelay", strconv.Itoa(1+rng.IntN(12)))
			limits = append(limits, l)
		}
		p.Locations = append(p.Locations, limits)
	}
	return p
}

// step is the time to the next request: often none, often where a rate or the
// housekeeping turns, now and then back.
func (p reqPlan) step(t testing.TB, rng *rand.Rand, back bool) int64 {
	t.Helper()
	switch n := rng.IntN(100); {
	case n < 40:
		return 0
	case n < 60:
		return 1 + rng.Int64N(5)
	case n < 70:
		return 1000
	case n < 80:
		rate := int64(rateOf(t, pick(rng, p.Zones...).Rate))
		return max(0, (1_000_000+rate-1)/max(rate, 1)+rng.Int64N(3)-1)
	case n < 85:
		return 59_999 + rng.Int64N(3)
	case n < 90:
		return rng.Int64N(10_000)
	case n < 92:
		return rng.Int64N(600_000)
	case n < 95 && back:
		return -pick(rng, rng.Int64N(10), rng.Int64N(60_000), 59_999, 60_000, 60_001, rng.Int64N(200_000))
	default:
		return rng.Int64N(100)
	}
}

// keyMaker makes one key of a request.
type keyMaker func(rng *rand.Rand) string

// fewKeys are shared by many requests; some are empty.
func fewKeys(rng *rand.Rand) string {
	return pick(rng, "a", "a", "b", "c", "hb", "long-name-of-a-client", "")
}

// manyKeys of one size class do not all fit into the smallest zone.
func manyKeys(distinct int) keyMaker {
	return func(rng *rand.Rand) string {
		if rng.IntN(50) == 0 {
			return ""
		}
		return "k" + strconv.Itoa(rng.IntN(distinct))
	}
}

// mixedKeys do not all fit either, and differ in size from a chunk to pages.
func mixedKeys(distinct int) keyMaker {
	lengths := []int{0, 0, 0, 40, 48, 49, 100, 176, 177, 300, 432, 433, 900, 944, 945, 1900, 1968, 1969, 4016, 4017, 8112, 8113}
	return func(rng *rand.Rand) string {
		i := rng.IntN(distinct)
		key := "k" + strconv.Itoa(i)
		// Large keys are rarer than their turn among the lengths.
		length := lengths[i*7%len(lengths)]
		if length > 1000 && i%3 != 0 {
			length = 0
		}
		return key + strings.Repeat("x", max(0, length-len(key)))
	}
}

// hugeKeys are around the longest that count.
func hugeKeys(rng *rand.Rand) string {
	if rng.IntN(20) > 0 {
		return fewKeys(rng)
	}
	return strings.Repeat("x", limit.MaxReqKey+rng.IntN(4)-1)
}

func (p reqPlan) keys(rng *rand.Rand, location int, key keyMaker) [][]byte {
	var keys [][]byte
	for range p.Locations[location] {
		keys = append(keys, []byte(key(rng)))
	}
	return keys
}

// appendRequest adds a request for a location with a key for each limit.
func (p reqPlan) appendRequest(b []byte, location int, keys [][]byte) []byte {
	target := "/" + strconv.Itoa(location) + "?"
	for i, l := range p.Locations[location] {
		target += fmt.Sprintf("k%d=%s&", l.Zone, keys[i])
	}
	return oracle.AppendGet(b, target)
}
