package replay

import (
	"context"
	"slices"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay/accesslog"
)

// Variables that every item has, before those of the configuration.
const (
	varAddress = iota
	varStatus
	varLoggedReq
	varLoggedConn
	fixedVars
)

// plan says which variables are read and where they go.
type plan struct {
	want  []string // variables that readers give
	field []int    // by variable: its field of the router
	keep  []int    // variables that go with an item beside the fixed ones
}

func newPlan(r *nginx.Router, keep []string) *plan {
	p := &plan{want: []string{"remote_addr", "status", "limit_req_status", "limit_conn_status"}}
	p.keep = []int{varAddress, varLoggedReq, varLoggedConn}
	add := func(name string) int {
		if i := slices.Index(p.want, name); i >= 0 {
			return i
		}
		p.want = append(p.want, name)
		return len(p.want) - 1
	}
	for _, name := range r.Fields() {
		add(name)
	}
	for _, name := range routingVariables() {
		add(name)
	}
	for _, name := range keep {
		p.keep = append(p.keep, add(name))
	}
	for _, name := range p.want {
		p.field = append(p.field, r.Field(name))
	}
	return p
}

// routingVariables are read whenever a log has them: each tells something of
// where a request goes.
func routingVariables() []string {
	return []string{"request", "request_uri", "uri", "args", "request_method", "http_host", "host", "server_protocol", "scheme", "server_port"}
}

// worker reads blocks and routes their requests.
type worker struct {
	plan    *plan
	router  *nginx.Router
	routes  *routes
	seen    map[place]*route
	last    *route
	readers map[*accesslog.Format]*accesslog.Reader
	request nginx.Request
	out     nginx.Route
	record  accesslog.Record
}

func newWorker(p *plan, r *nginx.Router, all *routes) *worker {
	top := slices.Max(p.field)
	return &worker{
		plan: p, router: r, routes: all, seen: map[place]*route{},
		readers: map[*accesslog.Format]*accesslog.Reader{},
		request: nginx.Request{Values: make([][]byte, top+1)},
	}
}

// serve routes blocks until there are no more.
func (w *worker) serve(ctx context.Context, work <-chan *job) {
	for {
		select {
		case j, more := <-work:
			if !more {
				return
			}
			w.do(j)
			close(j.done)
		case <-ctx.Done():
			return
		}
	}
}

// do fills the batch of a job from its block.
func (w *worker) do(j *job) {
	r := w.readers[j.format]
	if r == nil {
		r = j.format.NewReader(w.plan.want)
		w.readers[j.format] = r
	}
	b := j.batch
	r.Begin(&j.block)
	for rec := &w.record; r.Next(rec); b.lines++ {
		if rec.Kind != accesslog.Good {
			b.skip(rec.Kind, rec.Line)
			continue
		}
		w.add(b, rec)
	}
	b.refs = len(b.items)
}

// add routes a request and puts it into the batch.
func (w *worker) add(b *batch, rec *accesslog.Record) {
	for i, v := range rec.Values {
		w.request.Values[w.plan.field[i]] = v
	}
	w.router.Route(&w.request, &w.out)
	start := uint32(len(b.bytes))
	for i := range w.out.Limits {
		l := &w.out.Limits[i]
		if l.Unknown != "" {
			b.bytes = append(b.bytes, 0)
			b.bytes = appendValue(b.bytes, []byte(l.Unknown))
		} else if l.Key == nil {
			b.bytes = append(b.bytes, 1) // empty is not unknown
		} else {
			b.bytes = appendValue(b.bytes, l.Key)
		}
	}
	for _, i := range w.plan.keep {
		b.bytes = appendValue(b.bytes, rec.Values[i])
	}
	took := max(0, rec.Took)
	b.items = append(b.items, item{
		at: rec.End - took, end: rec.End, resolution: rec.Resolution, took: took, route: w.routeOf(),
		batch: b, line: uint32(rec.Line), bytes: start, status: status(rec.Values[varStatus]),
	})
}

func (w *worker) routeOf() *route {
	o := &w.out
	p := place{o.Server, o.Location, o.Block, o.Bypass, o.Unknown}
	if w.last != nil && w.last.place == p {
		return w.last
	}
	r := w.seen[p]
	if r == nil {
		r = w.routes.intern(p, o)
		w.seen[p] = r
	}
	w.last = r
	return r
}

// status is a response code of three digits, else 0.
func status(v []byte) uint16 {
	if len(v) != 3 {
		return 0
	}
	n := uint16(0)
	for _, c := range v {
		if c < '0' || c > '9' {
			return 0
		}
		n = n*10 + uint16(c-'0')
	}
	return n
}
