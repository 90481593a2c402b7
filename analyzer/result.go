package analyzer

import (
	"cmp"
	"slices"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay/limit"
)

// Damage counts what limits do to requests that they judge.
type Damage struct {
	Requests, Delayed, Rejected int64
	// Collateral are those of Rejected that limit_req refused although they
	// would have passed if each client had a bucket of its own, same rate and
	// burst. Refusals by limit_conn are never among them.
	Collateral int64
}

func (d *Damage) add(s limit.Status, hurt bool) {
	d.Requests++
	switch s {
	case limit.Delayed:
		d.Delayed++
	case limit.Rejected:
		d.Rejected++
	default:
	}
	if hurt {
		d.Collateral++
	}
}

// maxClients bounds how many clients of one address are told apart.
const maxClients = 10_000

// Address is one client address of the log.
type Address struct {
	Address string
	Damage
	Clients int // distinct clients seen, at most 10,000; 0 when the log does not tell

	clients map[uint64]struct{}
	only    uint64
}

// meet counts a client. Most addresses have one only, which needs no map.
func (a *Address) meet(client uint64) {
	if a.Clients == 0 {
		a.Clients, a.only = 1, client
		return
	}
	if a.clients == nil {
		if client == a.only {
			return
		}
		a.clients = map[uint64]struct{}{a.only: {}}
	}
	if len(a.clients) < maxClients {
		a.clients[client] = struct{}{}
		a.Clients = len(a.clients)
	}
}

// Route is the damage at one location.
type Route struct {
	Server   *nginx.Server
	Location *nginx.Location // nil: the server itself
	Damage
}

// Zone is what a zone's numbers would have to be.
type Zone struct {
	Zone *nginx.Zone
	// LeastBurst is the least burst with which, at this rate, no key that had
	// collateral would have been refused anything; 0 when none had any.
	LeastBurst int64
}

// Result is what the events mean.
type Result struct {
	Channel   Channel // the best that told clients apart
	Total     Damage
	Addresses []*Address // most collateral first, then most refusals
	Routes    []*Route   // in the order of the configuration
	Zones     []Zone
}

// Result sums up; the analyzer may go on after it.
func (a *Analyzer) Result(c *nginx.Config) *Result {
	r := &Result{Channel: a.channel, Total: a.total}
	for _, who := range a.addresses {
		r.Addresses = append(r.Addresses, who)
	}
	slices.SortFunc(r.Addresses, func(x, y *Address) int {
		return cmp.Or(
			cmp.Compare(y.Collateral, x.Collateral), cmp.Compare(y.Rejected, x.Rejected),
			cmp.Compare(y.Requests, x.Requests), cmp.Compare(x.Address, y.Address),
		)
	})
	for _, s := range c.Servers {
		r.take(a.bare[s])
		for _, l := range s.Locations {
			r.locations(a, l)
		}
	}
	for _, z := range c.Zones {
		if z.Kind == nginx.ReqZone {
			r.Zones = append(r.Zones, Zone{Zone: z, LeastBurst: leastBurst(a.needs[z])})
		}
	}
	return r
}

func (r *Result) locations(a *Analyzer, l *nginx.Location) {
	r.take(a.routes[l])
	for _, inner := range l.Inner {
		r.locations(a, inner)
	}
}

func (r *Result) take(route *Route) {
	if route != nil {
		r.Routes = append(r.Routes, route)
	}
}
