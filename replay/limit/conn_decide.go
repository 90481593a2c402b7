package limit

// ConnLimit is one limit_conn: at most N requests in progress of one key, N from
// 1 to 65535.
type ConnLimit struct {
	Zone *ConnZone
	N    int
}

// Slots are the slots that one request holds, from its decision to the end of
// its life. The zero value holds none; after Release it can serve another
// request, without allocating anew.
type Slots struct {
	held []connSlot
}

type connSlot struct {
	zone *ConnZone
	id   id
}

// Len is how many slots are held.
func (s *Slots) Len() int { return len(s.held) }

// ConnDecision is what limit_conn makes of one request.
type ConnDecision struct {
	Status Status // None, Passed or Rejected
	// Limit is the index of the limit that refused the request, of the last one
	// that applied when it passes, and -1 with None.
	Limit int
	// NoRoom: refused because its key found no room in the zone. nginx logs no
	// "limiting connections" then.
	NoRoom bool
	// Oversize counts the keys longer than MaxConnKey, which limit nothing.
	Oversize int
}

// DecideConn judges one request against the limits in configuration order. What
// it takes goes to slots, which must hold nothing; a refused request gives
// everything back at once, in dry run too although it is then served
// (ngx_http_limit_conn_module.c:ngx_http_limit_conn_cleanup_all). keys has the
// key of each limit's zone; an empty one does not limit.
//
// The caller calls it once for a main request, after the delay that limit_req
// may have imposed, and calls Release when the request is freed: right after
// its line in the access log.
func DecideConn(limits []ConnLimit, keys [][]byte, slots *Slots) ConnDecision {
	d := ConnDecision{Limit: -1}
	for n := range limits {
		key := keys[n]
		if len(key) == 0 {
			continue
		}
		if len(key) > MaxConnKey {
			d.Oversize++
			continue
		}
		l := &limits[n]
		i, v := l.Zone.take(key, l.N)
		d.Limit = n
		if v != ok {
			Release(slots)
			d.Status, d.NoRoom = Rejected, v == noRoom
			return d
		}
		d.Status = Passed
		slots.held = append(slots.held, connSlot{l.Zone, i})
	}
	return d
}

// Release gives back all slots, the last taken first, as the cleanups of a
// request's pool run.
func Release(s *Slots) {
	for i := len(s.held) - 1; i >= 0; i-- {
		s.held[i].zone.give(s.held[i].id)
		s.held[i].zone = nil
	}
	s.held = s.held[:0]
}
