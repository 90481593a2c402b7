package analyzer

import (
	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay"
	"github.com/nglimit/nglimit/replay/limit"
)

// Options say which of an event's values tell clients apart.
type Options struct {
	Agent   int // index in Event.Values of the user agent; -1: not kept
	Session int // index of a session or user; -1: none
}

// Analyzer watches the events of one run. It is for one goroutine.
type Analyzer struct {
	options   Options
	shadows   *shadows
	needs     map[*nginx.Zone]map[string]*need
	addresses map[string]*Address
	routes    map[*nginx.Location]*Route
	bare      map[*nginx.Server]*Route // requests that no location took
	total     Damage
	channel   Channel
}

// New makes an analyzer.
func New(o Options) *Analyzer {
	return &Analyzer{
		options: o, shadows: newShadows(), needs: map[*nginx.Zone]map[string]*need{},
		addresses: map[string]*Address{}, routes: map[*nginx.Location]*Route{}, bare: map[*nginx.Server]*Route{},
	}
}

// Observe takes the next event, in order of arrival.
func (a *Analyzer) Observe(e *replay.Event) error {
	if e.Unknown != "" || e.Bypass != "" {
		return nil
	}
	client, channel := a.options.identify(e)
	a.channel = max(a.channel, channel)
	hurt, err := a.collateral(e, client, channel)
	if err != nil {
		return err
	}
	a.note(e, client, channel, hurt)
	return nil
}

// collateral tells whether the request is refused by limit_req although it
// would have passed if each client behind the key had a bucket of its own.
func (a *Analyzer) collateral(e *replay.Event, client uint64, channel Channel) (bool, error) {
	if channel == NoChannel || e.ReqStatus == limit.None {
		return false, nil
	}
	alone, err := a.shadows.decide(e, client)
	if err != nil {
		return false, err
	}
	return e.ReqStatus.Enforced() == limit.Rejected && alone != limit.Rejected, nil
}

// note counts the request for its address, its route and its keys.
func (a *Analyzer) note(e *replay.Event, client uint64, channel Channel, hurt bool) {
	outcome := e.Outcome()
	a.total.add(outcome, hurt)
	a.route(e).add(outcome, hurt)
	if e.Address != nil {
		who := a.addresses[string(e.Address)]
		if who == nil {
			who = &Address{Address: string(e.Address)}
			a.addresses[who.Address] = who
		}
		who.add(outcome, hurt)
		if channel != NoChannel {
			who.meet(client)
		}
	}
	for i := range e.Limits {
		a.need(e, &e.Limits[i], hurt)
	}
}

func (a *Analyzer) route(e *replay.Event) *Route {
	if e.Location == nil {
		if a.bare[e.Server] == nil {
			a.bare[e.Server] = &Route{Server: e.Server}
		}
		return a.bare[e.Server]
	}
	if a.routes[e.Location] == nil {
		a.routes[e.Location] = &Route{Server: e.Server, Location: e.Location}
	}
	return a.routes[e.Location]
}
