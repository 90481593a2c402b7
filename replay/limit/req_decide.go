package limit

import "math"

// ReqLimit is one limit_req: a zone and what the place where it stands allows
// beyond the rate. Burst and Delay are in requests; 0 is absent. Nodelay
// overrides Delay.
type ReqLimit struct {
	Zone    *ReqZone
	Burst   int64
	Delay   int64
	Nodelay bool
}

// BurstExcess is the largest excess that passes, in thousandths of a request.
func (l *ReqLimit) BurstExcess() uint64 { return uint64(l.Burst * 1000) }

// DelayExcess is the largest excess that passes without delay, in thousandths
// (ngx_http_limit_req_module.c:ngx_http_limit_req).
func (l *ReqLimit) DelayExcess() uint64 {
	if l.Nodelay {
		return math.MaxInt64 / 1000 * 1000
	}
	return uint64(l.Delay * 1000)
}

// wait is how long excess makes a request wait, in milliseconds.
func (l *ReqLimit) wait(excess uint64) uint64 {
	free := l.DelayExcess()
	if excess <= free {
		return 0
	}
	return (excess - free) * 1000 / uint64(l.Zone.rate)
}

// ReqDecision is what limit_req makes of one request.
type ReqDecision struct {
	Status Status // None, Passed, Delayed or Rejected
	// Limit is the index of the limit that refused the request, or whose delay
	// is the longest; of a request that passes, of the last limit looked up. It
	// is -1 with None.
	Limit int
	// Excess is the excess in that limit's zone in thousandths of a request, as
	// nginx logs it.
	Excess int64
	// Delay is how long the request sleeps, in milliseconds. It is the span that
	// nginx gives its timer, unlimited.
	Delay Millis
	// NoRoom: refused because its state found no room in the zone; nginx then
	// logs an alert and no excess.
	NoRoom bool
	// Oversize counts the keys longer than MaxReqKey, which limit nothing.
	Oversize int
}

// DecideReq judges one request at now against the limits in configuration
// order, and changes their zones accordingly. keys has the key of each limit's
// zone; an empty one does not limit. A zone stands at most once in limits, as
// nginx demands ("limit_req" directive is duplicate).
//
// It is ngx_http_limit_req_module.c:ngx_http_limit_req_handler: the caller
// calls it once for a main request, with the same arguments in dry run.
func DecideReq(now Millis, limits []ReqLimit, keys [][]byte) ReqDecision {
	d := ReqDecision{Limit: -1}
	v := declined
	n := 0
	for ; n < len(limits); n++ {
		key := keys[n]
		if len(key) == 0 {
			continue
		}
		if len(key) > MaxReqKey {
			d.Oversize++
			continue
		}
		var excess uint64
		l := &limits[n]
		v, excess = l.Zone.lookup(now, key, l.BurstExcess(), n == len(limits)-1)
		d.Limit, d.Excess = n, int64(excess)
		if v != again {
			break
		}
	}
	switch v {
	case declined:
	case busy, noRoom:
		d.Status, d.NoRoom = Rejected, v == noRoom
		unhold(limits[:n])
	default:
		d.pass(now, v, limits, n)
	}
	return d
}

// unhold lets go of the states held in the zones before the one that refused.
// Their excess and time stay what they were.
func unhold(limits []ReqLimit) {
	for i := range limits {
		limits[i].Zone.held = 0
	}
}

// pass accounts the request in the held zones from the last to the first, and
// takes the longest delay; the first found wins a tie
// (ngx_http_limit_req_module.c:ngx_http_limit_req_account). The zone that said
// ok, number n, has accounted already.
func (d *ReqDecision) pass(now Millis, v verdict, limits []ReqLimit, n int) {
	var longest uint64
	if v == ok {
		longest = limits[n].wait(uint64(d.Excess))
	}
	for i := n - 1; i >= 0; i-- {
		l := &limits[i]
		if l.Zone.held == 0 {
			continue
		}
		excess := l.Zone.accountHeld(now)
		wait := l.wait(excess)
		if wait > longest || i == d.Limit {
			longest = wait
			d.Limit, d.Excess = i, int64(excess)
		}
	}
	d.Status, d.Delay = Passed, Millis(longest)
	if longest > 0 {
		d.Status = Delayed
	}
}

// accountHeld takes the request into the held state and lets go of it. The
// burst was compared when it was looked up and is not again.
func (z *ReqZone) accountHeld(now Millis) uint64 {
	s := &z.table.at(z.held).state
	z.held = 0
	ms := elapsed(now, s.last)
	excess := s.excessWith(z.rate, ms)
	s.account(excess, ms, now)
	return excess
}
