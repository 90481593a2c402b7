package replay

import "sync"

// pool keeps the memory of blocks and batches that are no longer needed.
type pool struct {
	jobs    sync.Pool
	batches sync.Pool
}

// job makes a job for the next block of an input.
func (p *pool) job(in *input) *job {
	j, _ := p.jobs.Get().(*job)
	if j == nil {
		j = &job{}
	}
	j.done = make(chan struct{})
	j.batch, _ = p.batches.Get().(*batch)
	if j.batch == nil {
		j.batch = &batch{}
	}
	j.batch.reset(in)
	return j
}

// putJob takes back a job whose block has been read.
func (p *pool) putJob(j *job) {
	j.batch = nil
	p.jobs.Put(j)
}

// putBatch takes back a batch whose items are all decided.
func (p *pool) putBatch(b *batch) { p.batches.Put(b) }
