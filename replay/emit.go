package replay

import (
	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay/limit"
)

// queue keeps events in order of arrival while one of them waits.
type queue struct {
	all  []*pending
	head int
}

func (q *queue) empty() bool { return q.head == len(q.all) }

func (q *queue) push(p *pending) { q.all = append(q.all, p) }

func (q *queue) pop() *pending {
	p := q.all[q.head]
	q.all[q.head] = nil
	q.head++
	if q.empty() {
		q.all, q.head = q.all[:0], 0
	} else if q.head > 1024 && q.head*2 > len(q.all) {
		q.all = append(q.all[:0], q.all[q.head:]...)
		q.head = 0
	}
	return p
}

// hand gives a decided request to the sinks, unless it or one before it waits
// for limit_conn.
func (s *simulator) hand(p pending) error {
	if !p.waits && s.queue.empty() {
		return s.emit(&p)
	}
	kept := p
	s.queue.push(&kept)
	if kept.waits {
		s.order++
		s.later.add(moment{at: p.it.at + Millis(p.req.Delay), order: s.order, start: &kept})
	}
	return nil
}

// flush gives out what no longer waits.
func (s *simulator) flush() error {
	for !s.queue.empty() && !s.queue.all[s.queue.head].waits {
		if err := s.emit(s.queue.pop()); err != nil {
			return err
		}
	}
	return nil
}

// emit counts a request and tells the sinks.
func (s *simulator) emit(p *pending) error {
	e := &s.event
	s.fill(e, p)
	s.count(e, p)
	for _, sink := range s.sinks {
		if err := sink(e); err != nil {
			return err
		}
	}
	b := p.it.batch
	if b.refs--; b.refs == 0 {
		s.pool.putBatch(b)
	}
	return nil
}

// fill makes the event of a request.
func (s *simulator) fill(e *Event, p *pending) {
	it, r := p.it, p.it.route
	limits, values := e.Limits[:0], e.Values[:0]
	*e = Event{
		Input: it.batch.input.Name, Line: it.batch.base + int64(it.line) + 1, At: it.at, End: it.end,
		Server: r.server, Location: r.location, Block: r.block, Bypass: r.bypass,
		Status: int(it.status),
	}
	known := s.decode(it)
	if r.unknown != "" {
		e.Unknown = r.unknown
	}
	if known && e.Bypass == "" && e.Unknown == "" {
		for i, b := range r.limits {
			limits = append(limits, nginx.Bound{Req: b.Req, Conn: b.Conn, Key: s.keys[i]})
		}
	}
	e.Limits = limits
	e.outcome(r, p, s.keys)
	rest := it.batch.bytes[it.bytes:]
	for range r.limits {
		var key []byte
		if key, rest = value(rest); key == nil {
			_, rest = value(rest)
		}
	}
	e.Address, rest = value(rest)
	e.LoggedReq, rest = value(rest)
	e.LoggedConn, rest = value(rest)
	for range s.kept {
		var v []byte
		v, rest = value(rest)
		values = append(values, v)
	}
	e.Values = values
}

// outcome says what the limits decided, and which zone tells it best.
func (e *Event) outcome(r *route, p *pending, keys [][]byte) {
	e.ReqStatus, e.ConnStatus = p.req.Status, p.conn.Status
	e.Excess, e.Delay, e.NoRoom = p.req.Excess, Millis(p.req.Delay), p.req.NoRoom || p.conn.NoRoom
	at := -1
	if p.req.Limit >= 0 {
		at = p.req.Limit
	}
	if p.conn.Limit >= 0 && (p.conn.Status == limit.Rejected || at < 0) {
		at = r.reqs + p.conn.Limit
	}
	if at >= 0 {
		if z := r.zones[at]; z != nil {
			e.Zone, e.Key = z.Zone, keys[at]
		}
	}
	if r.reqDry {
		e.ReqStatus = e.ReqStatus.DryRun()
	}
	if r.connDry {
		e.ConnStatus = e.ConnStatus.DryRun()
	}
}

// Outcome is what became of a request by all its limits together: refused by
// one of them, else delayed, else passed; None when none counted it.
func (e *Event) Outcome() limit.Status {
	req, conn := e.ReqStatus.Enforced(), e.ConnStatus.Enforced()
	switch {
	case req == limit.Rejected || conn == limit.Rejected:
		return limit.Rejected
	case req == limit.None:
		return conn
	default:
		return req
	}
}
