package replay

import (
	"bytes"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay/limit"
)

// clockBase is where the limits' clock stands at the first arrival: far enough
// from 0 for states that begin there to count as drained, and small enough for
// rate × time not to wrap (see limit.Millis).
const clockBase limit.Millis = 1_000_000_000

// simulator decides requests in order of arrival.
type simulator struct {
	world  World
	zones  map[*nginx.Zone]*zone
	routes []*route
	total  *Result
	sinks  []Sink
	pool   *pool
	kept   int // how many values of Options.Keep items carry

	begun   bool
	counted bool
	first   Millis // the arrival at clockBase
	order   int64
	event   Event
	keys    [][]byte
	later   timeline
	spare   []*limit.Slots
	queue   queue

	lastAt   Millis // of the request decided before, for ties
	lastKeys []byte
}

// pending is a request that is decided, but not by all limits yet, or that
// stands behind such a one.
type pending struct {
	it    *item
	req   limit.ReqDecision
	conn  limit.ConnDecision
	waits bool // for limit_conn, after its delay
}

// limitTime is a point on the limits' clock.
func (s *simulator) limitTime(at Millis) limit.Millis {
	return clockBase + limit.Millis(at-s.first)
}

// arrive decides a request.
func (s *simulator) arrive(it *item) error {
	if !s.begun {
		s.begun, s.first = true, it.at
	}
	if !it.route.ready {
		s.prepare(it.route)
	}
	if err := s.passTime(it.at); err != nil {
		return err
	}
	s.order++
	p := pending{it: it, req: limit.ReqDecision{Limit: -1}, conn: limit.ConnDecision{Limit: -1}}
	if it.route.bypass == "" && it.route.unknown == "" && s.decode(it) {
		s.decide(&p)
	}
	return s.hand(p)
}

// decide asks the limits of the request's route. limit_conn comes after
// limit_req, and after the delay that limit_req imposes
// (ngx_http_core_module.c: preaccess phase).
func (s *simulator) decide(p *pending) {
	r := p.it.route
	s.countTie(p.it)
	if r.reqs > 0 {
		p.req = limit.DecideReq(s.limitTime(p.it.at), r.req, s.keys[:r.reqs])
	}
	if len(r.conn) == 0 || !r.reqDry && p.req.Status == limit.Rejected {
		return
	}
	if !r.reqDry && p.req.Status == limit.Delayed {
		p.waits = true
		return
	}
	s.connect(p, p.it.at)
}

// connect asks limit_conn at the time when the request starts, and notes when
// it ends.
func (s *simulator) connect(p *pending, start Millis) {
	slots := s.slots()
	p.conn = limit.DecideConn(p.it.route.conn, s.keys[p.it.route.reqs:], slots)
	if slots.Len() == 0 {
		s.spare = append(s.spare, slots)
		return
	}
	end := p.it.end
	if s.world == Enforced {
		end += start - p.it.at
	}
	s.order++
	s.later.add(moment{at: max(end, start), order: s.order, slots: slots})
}

func (s *simulator) slots() *limit.Slots {
	if n := len(s.spare); n > 0 {
		slots := s.spare[n-1]
		s.spare = s.spare[:n-1]
		return slots
	}
	return &limit.Slots{}
}

// passTime lets requests end and delayed ones start until now.
func (s *simulator) passTime(now Millis) error {
	for {
		m, some := s.later.due(now)
		if !some {
			return nil
		}
		if m.slots != nil {
			limit.Release(m.slots)
			s.spare = append(s.spare, m.slots)
			continue
		}
		s.decode(m.start.it)
		m.start.waits = false
		s.connect(m.start, m.at)
		if err := s.flush(); err != nil {
			return err
		}
	}
}

// decode gets the keys of a request; false when the log lacks a variable that
// one of them needs.
func (s *simulator) decode(it *item) bool {
	s.keys = s.keys[:0]
	rest := it.batch.bytes[it.bytes:]
	known := true
	for range it.route.limits {
		var key []byte
		if key, rest = value(rest); key == nil {
			key, rest = value(rest)
			if known {
				s.event.Unknown = string(key)
			}
			known, key = false, nil
		}
		s.keys = append(s.keys, key)
	}
	return known
}

// countTie counts requests whose order the log cannot tell: same millisecond,
// same keys. Nothing hangs on it for most, but it bounds what may.
func (s *simulator) countTie(it *item) {
	if it.at == s.lastAt && len(s.keys) > 0 && bytes.Equal(s.keys[0], s.lastKeys) {
		s.total.Ties++
	}
	s.lastAt = it.at
	if len(s.keys) > 0 {
		s.lastKeys = append(s.lastKeys[:0], s.keys[0]...)
	}
}

// end hands on what still waits at the end of the log.
func (s *simulator) end() error { return s.passTime(forever) }
