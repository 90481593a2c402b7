package analyzer

import (
	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay"
)

// need follows one key of one zone as if nothing were refused: the highest
// excess it reaches is the burst it needs
// (X₁ = 0, Xᵢ = max(0, Xᵢ₋₁ − ⌊rate × Δt⌋ + 1), in thousandths).
type need struct {
	excess, peak int64 // thousandths of a request
	last         replay.Millis
	hurt         bool // some of its refusals were collateral
}

// need counts a request for the key of a limit_req.
func (a *Analyzer) need(e *replay.Event, b *nginx.Bound, hurt bool) {
	if b.Req == nil || len(b.Key) == 0 {
		return
	}
	keys := a.needs[b.Req.Zone]
	if keys == nil {
		keys = map[string]*need{}
		a.needs[b.Req.Zone] = keys
	}
	n := keys[string(b.Key)]
	if n == nil {
		n = &need{last: e.At}
		keys[string(b.Key)] = n
	} else {
		n.step(e.At, int64(b.Req.Zone.Rate))
	}
	n.hurt = n.hurt || hurt && e.Zone == b.Req.Zone
}

func (n *need) step(at replay.Millis, rate int64) {
	leak := rate * int64(max(0, at-n.last)) / 1000
	n.excess = max(0, n.excess-leak+1000)
	n.last = at
	n.peak = max(n.peak, n.excess)
}

// leastBurst is the least burst with which none of the keys with collateral
// would have been refused anything; 0 when there are none.
func leastBurst(keys map[string]*need) int64 {
	var most int64
	for _, n := range keys {
		if n.hurt {
			most = max(most, n.peak)
		}
	}
	return (most + 999) / 1000
}
