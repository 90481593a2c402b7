package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/nglimit/nglimit/replay/accesslog"
)

// ahead is how many blocks of an input are read before they are needed, per
// worker.
const ahead = 2

// job is a block on its way through a worker.
type job struct {
	block  accesslog.Block
	format *accesslog.Format
	batch  *batch
	done   chan struct{}
}

// input reads one log: blocks go to the workers, and come back in order.
type input struct {
	Input
	index   int
	jobs    chan *job // in order of the log
	stopped <-chan struct{}
	pool    *pool
	mu      sync.Mutex // guards result: a reader may outlive a run that was stopped
	result  InputResult
	current *batch
	at      int   // the next item of current
	lines   int64 // before the next batch
	spread  spreader
	head    *item // the next request; nil when there is none
}

func newInput(in Input, index, workers int, p *pool) *input {
	return &input{
		Input: in, index: index, result: InputResult{Name: in.Name}, pool: p, jobs: make(chan *job, ahead*workers),
	}
}

// feed reads the input to its end. What goes wrong stands in the result, which
// may be read when jobs has been closed and drained.
func (in *input) feed(ctx context.Context, hints accesslog.Hints, work chan<- *job) {
	defer close(in.jobs)
	raw, err := in.Open()
	if err != nil {
		in.fail(err)
		return
	}
	shut := sync.OnceFunc(func() { raw.Close() }) //nolint:errcheck // it was only read
	defer shut()
	defer context.AfterFunc(ctx, shut)() // ends a Read that waits
	text, packed, err := accesslog.Unpack(raw)
	in.note(func(r *InputResult) { r.Compression = packed })
	if err != nil {
		in.fail(err)
		return
	}
	defer text.Close() //nolint:errcheck // it was only read
	in.blocks(ctx, accesslog.NewBlocks(text), hints, work)
}

func (in *input) note(change func(*InputResult)) {
	in.mu.Lock()
	defer in.mu.Unlock()
	change(&in.result)
}

func (in *input) fail(err error) { in.note(func(r *InputResult) { r.Err = err }) }

// outcome is what is known of the input by now.
func (in *input) outcome() *InputResult {
	in.mu.Lock()
	defer in.mu.Unlock()
	known := in.result
	return &known
}

// blocks hands out the blocks of the text.
func (in *input) blocks(ctx context.Context, blocks *accesslog.Blocks, hints accesslog.Hints, work chan<- *job) {
	c := chooser{hints: hints}
	for ctx.Err() == nil {
		j := in.pool.job(in)
		err := blocks.Next(&j.block)
		if err != nil {
			if !errors.Is(err, io.EOF) && ctx.Err() == nil {
				in.fail(fmt.Errorf("read %s: %w", in.Name, err))
			}
			return
		}
		if c.chosen == nil {
			c.look(&j.block)
			in.note(c.tell)
		}
		j.format = c.current
		select {
		case in.jobs <- j:
		case <-ctx.Done():
			return
		}
		select {
		case work <- j:
		case <-ctx.Done():
			close(j.done)
			return
		}
	}
}

// raw takes the next request of the log, nil at its end.
func (in *input) raw(total *Result) *item {
	for in.current == nil || in.at == len(in.current.items) {
		j, more := in.nextJob()
		if !more {
			return nil
		}
		in.begin(j, total)
	}
	it := &in.current.items[in.at]
	in.at++
	return it
}

// nextJob waits for the next block; there is none after the last, or when the
// run is stopped: a reader may hang in a pipe for ever.
func (in *input) nextJob() (j *job, more bool) {
	select {
	case j, more = <-in.jobs:
	case <-in.stopped:
		return nil, false
	}
	if !more {
		return nil, false
	}
	select {
	case <-j.done:
		return j, true
	case <-in.stopped:
		return nil, false
	}
}

// begin counts what a batch has and goes to its first item.
func (in *input) begin(j *job, total *Result) {
	b := j.batch
	b.base = in.lines
	in.lines += int64(b.lines)
	in.note(func(r *InputResult) {
		r.Lines += int64(b.lines)
		r.Requests += int64(len(b.items))
	})
	for kind := range b.skips {
		if s := b.skips[kind]; s.count > 0 {
			total.skip(accesslog.Kind(kind), s.count, in.Name, b.base+int64(s.first)+1)
		}
	}
	in.current, in.at = b, 0
	if b.refs == 0 {
		in.current = nil
		in.pool.putBatch(b)
	}
	in.pool.putJob(j)
}
