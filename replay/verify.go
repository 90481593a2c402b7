package replay

import (
	"bytes"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay/limit"
)

// maxDifferences is how many differences are kept to show.
const maxDifferences = 100

// Agreement compares a replay with what nginx logged of its own decisions, in
// $limit_req_status and $limit_conn_status. Its zero value is not ready; use
// NewAgreement. Observe is a Sink.
type Agreement struct {
	result AgreementResult
	routes map[spot]*RouteAgreement
	zones  map[*nginx.Zone]*ZoneAgreement
}

// spot is a server and a location of it.
type spot struct {
	server   *nginx.Server
	location *nginx.Location
}

// AgreementResult is what the comparison of a run gave. Routes and zones stand
// in the order in which requests met them.
type AgreementResult struct {
	Req, Conn   Confusion
	Unlogged    int64 // requests whose line has neither variable
	Unjudged    int64 // requests whose limits need a variable that the log lacks
	Strange     int64 // values that are none of nginx's
	Routes      []*RouteAgreement
	Zones       []*ZoneAgreement
	Differences []Difference // the first hundred
}

// RouteAgreement is the agreement on the requests of one server and location.
type RouteAgreement struct {
	Server    *nginx.Server
	Location  *nginx.Location // nil: the server itself
	Req, Conn Confusion
}

// ZoneAgreement is the agreement on the requests that a zone decided in the
// replay, or that it was the first to count.
type ZoneAgreement struct {
	Zone *nginx.Zone
	Confusion
}

// Confusion counts requests by what nginx logged, then by what the replay
// decided.
type Confusion [limit.RejectedDryRun + 1][limit.RejectedDryRun + 1]int64

// Difference is one request on which they differ.
type Difference struct {
	Input            string
	Line             int64
	Conn             bool // about limit_conn, not limit_req
	Logged, Replayed limit.Status
}

// Compared is how many requests were compared.
func (c *Confusion) Compared() int64 {
	var n int64
	for logged := range c {
		for _, count := range c[logged] {
			n += count
		}
	}
	return n
}

// Same is how many of them the replay decided as nginx did.
func (c *Confusion) Same() int64 {
	var n int64
	for s := range c {
		n += c[s][s]
	}
	return n
}

// Share is Same of Compared, from 0 to 1; 1 when nothing was compared.
func (c *Confusion) Share() float64 {
	all := c.Compared()
	if all == 0 {
		return 1
	}
	return float64(c.Same()) / float64(all)
}

// NewAgreement makes a comparison of nothing yet.
func NewAgreement() *Agreement {
	return &Agreement{routes: map[spot]*RouteAgreement{}, zones: map[*nginx.Zone]*ZoneAgreement{}}
}

// Result is what was compared so far. It changes with further events.
func (a *Agreement) Result() *AgreementResult { return &a.result }

// Observe compares one request. It never fails.
func (a *Agreement) Observe(e *Event) error {
	switch {
	case e.LoggedReq == nil && e.LoggedConn == nil:
		a.result.Unlogged++
		return nil
	case e.Unknown != "":
		a.result.Unjudged++
		return nil
	}
	route := a.route(e)
	a.compare(e, false, e.LoggedReq, e.ReqStatus, &a.result.Req, &route.Req)
	a.compare(e, true, e.LoggedConn, e.ConnStatus, &a.result.Conn, &route.Conn)
	return nil
}

// compare counts what was logged of one kind of limit, if it was.
func (a *Agreement) compare(e *Event, conn bool, text []byte, replayed limit.Status, total, route *Confusion) {
	if text == nil {
		return
	}
	logged, ok := loggedStatus(text)
	if !ok {
		a.result.Strange++
		return
	}
	total[logged][replayed]++
	route[logged][replayed]++
	if z := decider(e, conn); z != nil {
		a.zone(z).Confusion[logged][replayed]++
	}
	if logged != replayed && len(a.result.Differences) < maxDifferences {
		a.result.Differences = append(a.result.Differences, Difference{e.Input, e.Line, conn, logged, replayed})
	}
}

// loggedStatus reads a status as nginx logs it; a variable that is not set is
// empty, or "-" in a log without escape=json.
func loggedStatus(text []byte) (limit.Status, bool) {
	if bytes.Equal(text, []byte("-")) {
		text = nil
	}
	for s := limit.None; s <= limit.RejectedDryRun; s++ {
		if string(text) == s.String() {
			return s, true
		}
	}
	return limit.None, false
}

// decider is the zone of one kind that refused or delayed a request, else the
// first that counts it; nil when none does.
func decider(e *Event, conn bool) *nginx.Zone {
	kind := nginx.ReqZone
	if conn {
		kind = nginx.ConnZone
	}
	if e.Zone != nil && e.Zone.Kind == kind {
		return e.Zone
	}
	for _, b := range e.Limits {
		switch {
		case len(b.Key) == 0:
		case conn && b.Conn != nil:
			return b.Conn.Zone
		case !conn && b.Req != nil:
			return b.Req.Zone
		}
	}
	return nil
}

func (a *Agreement) route(e *Event) *RouteAgreement {
	at := spot{e.Server, e.Location}
	r := a.routes[at]
	if r == nil {
		r = &RouteAgreement{Server: e.Server, Location: e.Location}
		a.routes[at] = r
		a.result.Routes = append(a.result.Routes, r)
	}
	return r
}

func (a *Agreement) zone(z *nginx.Zone) *ZoneAgreement {
	s := a.zones[z]
	if s == nil {
		s = &ZoneAgreement{Zone: z}
		a.zones[z] = s
		a.result.Zones = append(a.result.Zones, s)
	}
	return s
}
