package replay

import (
	"sync"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay/limit"
)

// place is what tells routes apart.
type place struct {
	server          *nginx.Server
	location        *nginx.Location
	block           *nginx.Block
	bypass, unknown string
}

// route is what the requests that meet the same limits have in common.
type route struct {
	place
	limits  []nginx.Bound // without keys: limit_req first, then limit_conn
	reqs    int           // how many of limits are limit_req
	reqDry  bool
	connDry bool

	// Of the simulation alone.
	ready    bool
	req      []limit.ReqLimit
	conn     []limit.ConnLimit
	zones    []*zone // of limits
	count    *Counts
	requests int64
}

// routes are the routes that any worker has met.
type routes struct {
	mu sync.Mutex
	by map[place]*route
}

// intern finds the route of what a router said.
func (all *routes) intern(p place, from *nginx.Route) *route {
	all.mu.Lock()
	defer all.mu.Unlock()
	if r := all.by[p]; r != nil {
		return r
	}
	r := &route{place: p, reqDry: from.ReqDryRun, connDry: from.ConnDryRun}
	for _, b := range from.Limits {
		r.limits = append(r.limits, nginx.Bound{Req: b.Req, Conn: b.Conn})
		if b.Req != nil {
			r.reqs++
		}
	}
	all.by[p] = r
	return r
}
