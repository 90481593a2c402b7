package replay

import (
	"context"
	"sync"

	"github.com/nglimit/nglimit/internal/nginx"
)

// Run replays the inputs. Sinks take every request in order of arrival. What
// could not be read of an input stands in the result; the error is one of a
// sink or of the configuration. When ctx is done the result is Partial.
func Run(ctx context.Context, o Options, sinks ...Sink) (*Result, error) {
	zones, err := newZones(o.Config)
	if err != nil {
		return nil, err
	}
	if len(o.Log.Defined) == 0 {
		o.Log.Defined = o.Config.LogFormats
	}
	r := &run{
		options: o,
		sim: &simulator{
			world: o.World, zones: zones, total: &Result{}, sinks: sinks, pool: &pool{}, kept: len(o.Keep),
		},
	}
	return r.run(ctx)
}

// run is one run.
type run struct {
	options Options
	sim     *simulator
	inputs  []*input
}

func (r *run) run(ctx context.Context) (*Result, error) {
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	wait := r.start(inner)
	err := r.simulate(inner)
	stopped := inner.Err() != nil || err != nil
	cancel()
	if !stopped {
		wait()
	}
	total := r.sim.total
	total.Partial = ctx.Err() != nil
	total.finish(r.sim, r.inputs, r.options.Config)
	return total, err
}

// start lets inputs be read and their blocks be routed; the function that it
// returns waits until all is read. When ctx is done before, nobody waits: a
// reader may hang in a pipe, and whatever it still sends is not taken.
func (r *run) start(ctx context.Context) (wait func()) {
	workers := max(1, r.options.Workers)
	work := make(chan *job, ahead*workers)
	var reading, working sync.WaitGroup
	for i, in := range r.options.Inputs {
		one := newInput(in, i, workers, r.sim.pool)
		one.stopped = ctx.Done()
		r.inputs = append(r.inputs, one)
		reading.Go(func() { one.feed(ctx, r.options.Log, work) })
	}
	router := nginx.NewRouter(r.options.Config)
	p, known := newPlan(router, r.options.Keep), &routes{by: map[place]*route{}}
	for range workers {
		w := newWorker(p, router.Fork(), known)
		working.Go(func() { w.serve(ctx, work) })
	}
	return func() {
		reading.Wait()
		close(work)
		working.Wait()
	}
}

// simulate takes the requests of all inputs in order of arrival.
func (r *run) simulate(ctx context.Context) error {
	window := r.options.window()
	m, w := merger{inputs: r.inputs, total: r.sim.total}, newWheel(window)
	m.start()
	for it := m.next(); it != nil; it = m.next() {
		if err := r.take(w, it.end-window); err != nil {
			return err
		}
		if w.put(it) {
			r.sim.total.Late++
		}
		if ctx.Err() != nil {
			break
		}
	}
	if err := r.take(w, forever); err != nil {
		return err
	}
	return r.sim.end()
}

// take decides the requests that arrived before a time.
func (r *run) take(w *wheel, before Millis) error {
	for same := w.take(before); len(same) > 0; same = w.take(before) {
		for _, it := range same {
			if err := r.sim.arrive(it); err != nil {
				return err
			}
		}
	}
	return nil
}
