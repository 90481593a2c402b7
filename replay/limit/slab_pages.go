package limit

// runs sums f over the lengths of the free runs, in the order in which they
// are tried.
func (s *slab) runs(f func(run int) int) int {
	sum := 0
	for d := s.pages[freeHead].next; d != freeHead; d = s.pages[d].next {
		sum += f(int(s.pages[d].run))
	}
	return sum
}

// allocPages takes the front of the first free run that is long enough; the
// rest of the run keeps its place in the list
// (ngx_slab.c:ngx_slab_alloc_pages).
func (s *slab) allocPages(n int32) (address, bool) {
	for d := s.pages[freeHead].next; d != freeHead; d = s.pages[d].next {
		if run := s.pages[d].run; run >= n {
			s.takeFront(d-heads, run, n)
			return chunkAddress(d-heads, 0), true
		}
	}
	return 0, false
}

func (s *slab) takeFront(first, run, n int32) {
	prev := s.at(first).prev
	s.unlink(first + heads)
	if run > n {
		rest := s.at(first + n)
		rest.kind, rest.run = free, run-n
		s.link(prev, first+n+heads)
		s.tagLast(first+n, run-n)
	}
	p := s.at(first)
	p.kind, p.run = whole, n
	for i := first + 1; i < first+n; i++ {
		s.at(i).kind = inWhole
	}
}

// tagLast lets the last page of a free run lead to its first. The run at the
// end of the zone needs no tag: no page follows it that could be freed.
func (s *slab) tagLast(first, run int32) {
	if run > 1 && first+run < s.total {
		s.at(first + run - 1).prev = first
	}
}

// freePages returns a run that is in no list. It merges with the free runs on
// both sides and goes to the front of the list
// (ngx_slab.c:ngx_slab_free_pages).
func (s *slab) freePages(first, n int32) {
	for i := first; i < first+n; i++ {
		*s.at(i) = page{}
	}
	if after := first + n; after < s.total && s.at(after).kind == free {
		n += s.pages[after+heads].run
		s.unlink(after + heads)
		s.pages[after+heads].kind = inFree
	}
	if before, ok := s.freeRunBefore(first); ok {
		n += s.pages[before+heads].run
		s.unlink(before + heads)
		first = before
	}
	p := s.at(first)
	p.kind, p.run = free, n
	s.link(freeHead, first+heads)
	s.tagLast(first, n)
}

// freeRunBefore is the first page of the free run that ends just before page n.
func (s *slab) freeRunBefore(n int32) (int32, bool) {
	if n == 0 {
		return 0, false
	}
	switch p := s.at(n - 1); p.kind {
	case free:
		return n - 1, true
	case inFree:
		return p.prev, true
	default:
		return 0, false
	}
}
