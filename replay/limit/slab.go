package limit

import "math/bits"

// The geometry of ngx_slab_pool_t on a 64-bit machine with 4 KiB pages
// (src/core/ngx_slab.c:ngx_slab_init).
const (
	pageSize  = 4096
	pageShift = 12
	minShift  = 3            // ngx_slab_pool_t.min_shift: classes start at 8 bytes
	maxChunk  = pageSize / 2 // larger things take whole pages
	// exactShift is the class whose 64 chunks fill one 64-bit map. Smaller
	// classes keep their map inside the page.
	exactShift = 6

	poolBytes     = 200     // sizeof(ngx_slab_pool_t) with POSIX semaphores
	classBytes    = 24 + 32 // list head and statistics of one class
	pageDescBytes = 24      // sizeof(ngx_slab_page_t)
	poolHeader    = poolBytes + (pageShift-minShift)*classBytes

	// MinZoneSize is the smallest zone that nginx accepts, 8 pages.
	MinZoneSize = 8 * pageSize
	// maxPages keeps an address in 32 bits: 26 for the page, 6 for the chunk.
	maxPages = 1 << 26
)

// address names a chunk in a slab: page number and chunk within the page.
type address uint32

func chunkAddress(page int32, chunk int) address { return address(page)<<6 | address(chunk) }
func (a address) page() int32                    { return int32(a >> 6) }
func (a address) chunk() uint                    { return uint(a & 63) }

// The first descriptors of slab.pages are the heads of its circular lists: the
// free runs, then one list of pages with room per size class.
const (
	freeHead  = 0
	classHead = 1 // + shift - minShift
	heads     = classHead + pageShift - minShift
)

type pageKind uint8

const (
	inFree  pageKind = iota // free, not the first page of its run
	free                    // first page of a free run, in the free list
	chunked                 // cut into chunks of 1<<shift bytes
	whole                   // first page of a run handed out as such
	inWhole                 // a later page of such a run
)

// page is a descriptor, as ngx_slab_page_t. A chunked page that is full is in
// no list (listed is false).
type page struct {
	used       uint64 // chunked: which chunks are taken
	next, prev int32  // neighbours in a list, or, prev of the last page of a free run: its first page
	run        int32  // free and whole: pages in the run
	kind       pageKind
	shift      uint8
	listed     bool
}

// slab hands out the addresses that nginx's allocator would hand out, and
// holds no memory of its own behind them. Placement matters: whether a node of
// another size class still fits depends on which pages became empty.
//
// Descriptors exist up to the highest page ever used; what lies beyond belongs
// to the last free run.
type slab struct {
	pages []page // heads, then page 0, 1, …
	total int32
}

// slabPages is the number of usable pages in a zone of size bytes.
func slabPages(size int64) int64 {
	n := (size - poolHeader) / (pageSize + pageDescBytes)
	start := (poolHeader + n*pageDescBytes + pageSize - 1) / pageSize * pageSize
	return min(n, (size-start)/pageSize)
}

func newSlab(size int64) slab {
	s := slab{pages: make([]page, heads, heads+8), total: int32(slabPages(size))}
	for i := range s.pages {
		s.pages[i].next, s.pages[i].prev = int32(i), int32(i)
	}
	s.at(0).run = s.total
	s.at(0).kind = free
	s.link(freeHead, heads)
	return s
}

// at is the descriptor of page n, made on first use.
func (s *slab) at(n int32) *page {
	for int(n)+heads >= len(s.pages) {
		s.pages = append(s.pages, page{})
	}
	return &s.pages[n+heads]
}

// link puts descriptor d behind head, which makes it the first that is tried.
func (s *slab) link(head, d int32) {
	p := &s.pages[d]
	p.prev, p.next, p.listed = head, s.pages[head].next, true
	s.pages[p.next].prev = d
	s.pages[head].next = d
}

func (s *slab) unlink(d int32) {
	p := &s.pages[d]
	s.pages[p.prev].next = p.next
	s.pages[p.next].prev = p.prev
	p.listed = false
}

// sizeShift is the class of an allocation of at most maxChunk bytes.
func sizeShift(size int) uint8 {
	return uint8(max(bits.Len(uint(size-1)), minShift))
}

// fullMap is the map of a full page of the class.
func fullMap(shift uint8) uint64 {
	return ^uint64(0) >> (64 - (pageSize >> shift))
}

// alloc places size bytes: in the first listed page of the class, lowest chunk
// first, or in new pages (ngx_slab.c:ngx_slab_alloc_locked). False means that
// there is no room.
func (s *slab) alloc(size int) (address, bool) {
	if size > maxChunk {
		return s.allocPages(int32((size + pageSize - 1) / pageSize))
	}
	shift := sizeShift(size)
	if shift < exactShift {
		return s.allocSmall(shift)
	}
	head := int32(classHead + shift - minShift)
	d := s.pages[head].next
	if d == head {
		a, ok := s.allocPages(1)
		if !ok {
			return 0, false
		}
		p := s.at(a.page())
		p.kind, p.shift, p.used = chunked, shift, 1
		s.link(head, a.page()+heads)
		return a, true
	}
	p := &s.pages[d]
	chunk := bits.TrailingZeros64(^p.used)
	p.used |= 1 << chunk
	if p.used == fullMap(shift) {
		s.unlink(d)
	}
	return chunkAddress(d-heads, chunk), true
}

// allocSmall takes a whole page for one chunk of a class below 64 bytes. Only
// the name of a zone is that small, there is one of it and it is never freed,
// so the other chunks of the page are never wanted.
func (s *slab) allocSmall(shift uint8) (address, bool) {
	a, ok := s.allocPages(1)
	if ok {
		p := s.at(a.page())
		p.kind, p.shift = chunked, shift
	}
	return a, ok
}

// release frees what alloc placed (ngx_slab.c:ngx_slab_free_locked). A page
// that was full is tried first from now on; an empty page goes back to the
// free runs.
func (s *slab) release(a address) {
	n := a.page()
	p := s.at(n)
	if p.kind == whole {
		s.freePages(n, p.run)
		return
	}
	if !p.listed {
		s.link(int32(classHead+p.shift-minShift), n+heads)
	}
	p.used &^= 1 << a.chunk()
	if p.used == 0 {
		s.unlink(n + heads)
		s.freePages(n, 1)
	}
}

// capacity is how many more nodes of size bytes fit when nothing is freed.
func (s *slab) capacity(size int) int {
	if size > maxChunk {
		need := (size + pageSize - 1) / pageSize
		return s.runs(func(run int) int { return run / need })
	}
	shift := sizeShift(size)
	perPage := pageSize >> shift
	n := s.runs(func(run int) int { return run * perPage })
	head := int32(classHead + shift - minShift)
	for d := s.pages[head].next; d != head; d = s.pages[d].next {
		n += perPage - bits.OnesCount64(s.pages[d].used)
	}
	return n
}
