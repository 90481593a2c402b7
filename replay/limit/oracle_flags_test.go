package limit_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/nglimit/nglimit/internal/oracle"
)

// The differential tests put random configurations and random requests to an
// unmodified nginx on a virtual clock and to the engine. They run as long as
// one likes, as with
//
//	go test ./replay/limit -run Oracle -oracle.n=1000000 -oracle.seed=7
//
// which compares a million decisions.
var (
	oracleN      = flag.Int("oracle.n", 120_000, "limit_req decisions to compare with nginx; limit_conn decisions are a tenth")
	oracleSeed   = flag.Uint64("oracle.seed", 1, "seed of the random configurations")
	oracleConfig = flag.Int("oracle.config", -1, "compare this one configuration of the seed only")
)

// seeded is the source of randomness of one configuration.
func seeded(name string, config int) *rand.Rand {
	var h uint64
	for _, c := range name {
		h = h*131 + uint64(c)
	}
	return rand.New(rand.NewPCG(*oracleSeed, h<<20|uint64(config)))
}

// compareConfigs compares configurations with each nginx until n decisions have
// been made, and says how to see a difference again.
func compareConfigs(t *testing.T, name string, n int, compare func(t *testing.T, bin oracle.Nginx, rng *rand.Rand) int) {
	for _, bin := range oracle.Bins(t) {
		t.Run(bin.Version.String(), func(t *testing.T) {
			total := 0
			for config := max(*oracleConfig, 0); total < n && !t.Failed(); config++ {
				t.Run(fmt.Sprint(config), func(t *testing.T) {
					total += compare(t, bin, seeded(name, config))
					if t.Failed() {
						t.Logf("again: go test ./replay/limit -run '^%s$' -oracle.seed=%d -oracle.config=%d", name, *oracleSeed, config)
					}
				})
				if *oracleConfig >= 0 {
					break
				}
			}
			t.Logf("%d decisions, seed %d", total, *oracleSeed)
		})
	}
}

func pick[T any](rng *rand.Rand, choices ...T) T { return choices[rng.IntN(len(choices))] }
