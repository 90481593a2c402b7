package replay

import (
	"fmt"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay/limit"
)

// zone is a zone of the configuration at work.
type zone struct {
	*nginx.Zone
	req    *limit.ReqZone  // one of the two
	conn   *limit.ConnZone // is set
	counts ZoneCounts
}

// newZones makes empty zones of the sizes and rates of the configuration.
func newZones(c *nginx.Config) (map[*nginx.Zone]*zone, error) {
	if err := defined(c); err != nil {
		return nil, err
	}
	all := map[*nginx.Zone]*zone{}
	for _, z := range c.Zones {
		state := &zone{Zone: z}
		var err error
		switch z.Kind {
		case nginx.ReqZone:
			state.req, err = limit.NewReqZone(z.Name, z.Size, limit.Rate(z.Rate))
		case nginx.ConnZone:
			state.conn, err = limit.NewConnZone(z.Name, z.Size)
		case nginx.StreamConnZone:
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("set up zone %s: %w", z.Name, err)
		}
		state.counts.Zone = z
		all[z] = state
	}
	return all, nil
}

// defined tells whether every limit has its zone. Nginx does not start with one
// that has not, so there is nothing to replay.
func defined(c *nginx.Config) error {
	for b := range c.Blocks() {
		for _, l := range b.LimitReq.Items {
			if l.Zone == nil {
				return fmt.Errorf("%s: zone %q of limit_req is not defined", l.Dir.HeadSpan(), l.ZoneName)
			}
		}
		for _, l := range b.LimitConn.Items {
			if l.Zone == nil {
				return fmt.Errorf("%s: zone %q of limit_conn is not defined", l.Dir.HeadSpan(), l.ZoneName)
			}
		}
	}
	return nil
}

// prepare gives a route its limits with the zones that they count in.
func (s *simulator) prepare(r *route) {
	r.ready = true
	for _, b := range r.limits {
		var z *zone
		if b.Req != nil {
			z = s.zones[b.Req.Zone]
			l := limit.ReqLimit{Burst: b.Req.Burst, Delay: b.Req.Delay, Nodelay: b.Req.Nodelay}
			if z != nil {
				l.Zone = z.req
			}
			r.req = append(r.req, l)
		} else {
			z = s.zones[b.Conn.Zone]
			l := limit.ConnLimit{N: b.Conn.N}
			if z != nil {
				l.Zone = z.conn
			}
			r.conn = append(r.conn, l)
		}
		r.zones = append(r.zones, z)
	}
	r.count = &Counts{}
	s.routes = append(s.routes, r)
}
