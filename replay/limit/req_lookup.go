package limit

// verdict is what one zone says of a request.
type verdict uint8

const (
	declined verdict = iota // NGX_DECLINED: not looked up
	ok                      // NGX_OK: accounted
	again                   // NGX_AGAIN: held, to be accounted if all pass
	busy                    // NGX_BUSY: over the burst
	noRoom                  // NGX_ERROR: the state could not be stored
)

// expireAfter is how long a state has to be drained and untouched before a new
// key may push it out.
const expireAfter = 60000

// elapsed is the time that counts as having passed since last. A clock that
// went back less than a minute stands still, further back it counts as 1 ms,
// which lets last follow.
func elapsed(now, last Millis) int64 {
	switch ms := int64(now - last); {
	case ms < -expireAfter:
		return 1
	case ms < 0:
		return 0
	default:
		return ms
	}
}

// leak is what runs off in ms, in unsigned arithmetic that wraps.
func leak(rate Rate, ms int64) uint64 { return uint64(rate) * uint64(ms) / 1000 }

// excessWith is the excess of s with one more request ms after s.last: computed
// modulo 2^64 and then read as signed.
func (s *reqState) excessWith(rate Rate, ms int64) uint64 {
	e := int64(s.excess - leak(rate, ms) + 1000)
	return uint64(max(e, 0))
}

// account stores what a passed request leaves behind. Within one millisecond,
// and when the clock went back, last stays.
func (s *reqState) account(excess uint64, ms int64, now Millis) {
	s.excess = excess
	if ms != 0 {
		s.last = now
	}
}

// lookup judges key against burst thousandths. The last zone of a list accounts
// the request at once, the others hold the state until all have agreed
// (ngx_http_limit_req_module.c:ngx_http_limit_req_lookup).
func (z *ReqZone) lookup(now Millis, key []byte, burst uint64, last bool) (v verdict, excess uint64) {
	hash := z.table.hash(key)
	i := z.table.find(hash, key)
	if i == 0 {
		return z.store(now, hash, key, last), 0
	}
	s := &z.table.at(i).state
	z.touch(i, s)
	ms := elapsed(now, s.last)
	excess = s.excessWith(z.rate, ms)
	if excess > burst {
		return busy, excess
	}
	if last {
		s.account(excess, ms, now)
		return ok, excess
	}
	z.held = i
	return again, excess
}

// store makes the state of a new key. Its first request costs nothing in the
// last zone; in another it starts at time 0 and is accounted like any request.
func (z *ReqZone) store(now Millis, hash uint32, key []byte, last bool) verdict {
	addr, found := z.place(now, reqNodeBytes+len(key))
	if !found {
		z.stats.NoRoom++
		return noRoom
	}
	i, e := z.table.add(hash, key, addr)
	z.stats.Peak = max(z.stats.Peak, z.table.live)
	e.state.excess = 0
	z.pushNewest(i, &e.state)
	if last {
		e.state.last = now
		return ok
	}
	e.state.last = 0
	z.held = i
	return again
}

// place finds room for a node: after the usual housekeeping, or else by
// dropping the oldest state by force.
func (z *ReqZone) place(now Millis, size int) (address, bool) {
	z.expire(now, 1)
	if addr, found := z.slab.alloc(size); found {
		return addr, true
	}
	z.expire(now, 0)
	return z.slab.alloc(size)
}

// expire drops states from the old end: up to two that are drained and a minute
// old when it starts with n = 1, before those the oldest of all when n = 0
// (ngx_http_limit_req_module.c:ngx_http_limit_req_expire).
func (z *ReqZone) expire(now Millis, n int) {
	for ; n < 3; n++ {
		i := z.oldest()
		if i == 0 || i == z.held {
			return
		}
		if n == 0 {
			z.stats.Forced++
		} else if z.table.at(i).state.remembers(z.rate, now) {
			return
		} else {
			z.stats.Expired++
		}
		z.drop(i)
	}
}

// remembers tells whether the state is too young or too full to expire.
func (s *reqState) remembers(rate Rate, now Millis) bool {
	ms := int64(now - s.last)
	if ms < 0 {
		ms = -ms
	}
	return ms < expireAfter || int64(s.excess-leak(rate, ms)) > 0
}

// Peek is the excess, in thousandths, that a request for key at now would meet
// in this zone, and whether the key is known. It changes nothing; a key that is
// not known meets 0.
func (z *ReqZone) Peek(now Millis, key []byte) (excess int64, known bool) {
	i := z.table.find(z.table.hash(key), key)
	if i == 0 {
		return 0, false
	}
	s := &z.table.at(i).state
	return int64(s.excessWith(z.rate, elapsed(now, s.last))), true
}
