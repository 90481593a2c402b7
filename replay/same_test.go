package replay_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/replay"
)

// traffic is a log of n requests in order of their end, with damage between.
func traffic(seed uint64, n int) string {
	rng := rand.New(rand.NewPCG(seed, 7))
	uris := []string{"/", "/a?x=1", "/login", "/slow", "/stream", "/gone", "/caf\\u00e9"}
	var b bytes.Buffer
	at := 0
	for i := range n {
		at += rng.IntN(40)
		b.WriteString(line(at, rng.IntN(3)*rng.IntN(at/4+1)%3000, fmt.Sprintf("192.0.2.%d", rng.IntN(30)), uris[rng.IntN(len(uris))]))
		if i%97 == 0 {
			b.WriteString("damage\n\n")
		}
	}
	return b.String()
}

// trace is all that a run says, as text.
func trace(t *testing.T, o replay.Options) string {
	t.Helper()
	var b bytes.Buffer
	r, err := replay.Run(t.Context(), o, func(e *replay.Event) error {
		fmt.Fprintf(&b, "%s:%d %d %s %s %x %d %d %s\n", e.Input, e.Line, e.At, e.ReqStatus, e.ConnStatus, e.Key, e.Excess, e.Delay, e.Bypass)
		return nil
	})
	require.NoError(t, err)
	fmt.Fprintf(&b, "%d %d %v %v %v %d %d %d %d\n", r.Lines, r.Requests, r.Counts, r.Skipped, r.Unjudged, r.Bypassed, r.Late, r.Ties, r.Coarse)
	for _, route := range r.Routes {
		fmt.Fprintf(&b, "%d %v\n", route.Requests, route.Counts)
	}
	for _, z := range r.Zones {
		fmt.Fprintf(&b, "%s %v %d %d %d\n", z.Zone.Name, z.Counts, z.Keys, z.Forced, z.NoRoom)
	}
	return b.String()
}

func TestWorkersAndPackingChangeNothing(t *testing.T) {
	c := config(t, shop)
	logs := []string{traffic(1, 6000), traffic(2, 4000), ""}
	inputs := func(packed bool) []replay.Input {
		var all []replay.Input
		for i, log := range logs {
			if packed {
				log = string(gzipped(t, log))
			}
			all = append(all, text(fmt.Sprintf("log %d", i), log))
		}
		return all
	}
	for name, world := range map[string]replay.World{"enforced": replay.Enforced, "observed": replay.Observed} {
		t.Run(name, func(t *testing.T) {
			want := trace(t, replay.Options{Config: c, Inputs: inputs(false), Workers: 1, World: world})
			require.Contains(t, want, "REJECTED")
			require.Contains(t, want, "DELAYED")
			for _, workers := range []int{1, 2, 8} {
				for _, packed := range []bool{false, true} {
					got := trace(t, replay.Options{Config: c, Inputs: inputs(packed), Workers: workers, World: world})
					assert.Equal(t, want, got, "%d workers, packed: %t", workers, packed)
				}
			}
		})
	}
}
