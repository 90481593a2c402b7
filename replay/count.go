package replay

import (
	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay/limit"
)

// count adds a request to the totals, to its route and to the zones that
// counted it.
func (s *simulator) count(e *Event, p *pending) {
	t := s.total
	if !s.counted {
		s.counted, t.First, t.Last = true, e.At, e.At
	}
	t.First, t.Last = min(t.First, e.At), max(t.Last, e.At) // late ones come after their time
	t.Coarse = max(t.Coarse, p.it.resolution)
	p.it.route.requests++
	switch {
	case e.Bypass != "":
		t.Bypassed++
		return
	case e.Unknown != "":
		t.unjudged(e.Unknown)
		return
	}
	outcome := e.Outcome()
	t.add(outcome)
	p.it.route.count.add(outcome)
	s.countZones(e, p)
}

func (s *simulator) countZones(e *Event, p *pending) {
	r := p.it.route
	if e.Outcome() == limit.Rejected {
		if z := s.zones[e.Zone]; z != nil {
			z.counts.add(limit.Rejected)
		}
		return
	}
	for i, z := range r.zones {
		if z == nil || len(s.keys[i]) == 0 {
			continue
		}
		if i == p.req.Limit && p.req.Status == limit.Delayed {
			z.counts.add(limit.Delayed)
		} else {
			z.counts.add(limit.Passed)
		}
	}
}

// routeCounts are the counts of every server and location that had requests,
// in the order of the configuration.
func (s *simulator) routeCounts(c *nginx.Config) []*RouteCounts {
	by := map[spot]*RouteCounts{}
	for _, r := range s.routes {
		at := spot{r.server, r.location}
		sum := by[at]
		if sum == nil {
			sum = &RouteCounts{Server: r.server, Location: r.location}
			by[at] = sum
		}
		sum.Requests += r.requests
		sum.Limited += r.count.Limited
		sum.Passed += r.count.Passed
		sum.Delayed += r.count.Delayed
		sum.Rejected += r.count.Rejected
	}
	var all []*RouteCounts
	take := func(at spot) {
		if sum := by[at]; sum != nil {
			all = append(all, sum)
		}
	}
	take(spot{})
	for _, server := range c.Servers {
		take(spot{server: server})
		for _, l := range server.Locations {
			eachLocation(l, func(l *nginx.Location) { take(spot{server, l}) })
		}
	}
	return all
}

func eachLocation(l *nginx.Location, do func(*nginx.Location)) {
	do(l)
	for _, inner := range l.Inner {
		eachLocation(inner, do)
	}
}
