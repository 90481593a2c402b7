package nginx

// Capacity is how many keys a zone holds.
type Capacity struct {
	Slot   int // bytes that one key takes in the zone
	States int // keys that fit
}

// The numbers of nginx's slab allocator on 64-bit systems with 4 KiB pages
// (ngx_slab.c:ngx_slab_init, ngx_slab_alloc_locked).
const (
	pageSize    = 4096
	slabHeader  = 704 // the pool, one list head and one statistics record a size class
	pageRecord  = 24
	smallestBit = 64 // classes from here on keep their bitmap outside the page
)

// Capacity says what the zone holds when all keys have that many bytes
// (ngx_http_limit_req_module.c:ngx_http_limit_req_lookup and _handler;
// ngx_http_limit_conn_module.c:ngx_http_limit_conn_handler).
func (z *Zone) Capacity(keyLen int) Capacity {
	node, fixed := 80+keyLen, []int{80, 22 + len(z.Name)}
	if z.Kind != ReqZone {
		node, fixed = 36+keyLen, []int{64, 23 + len(z.Name)}
	}
	return capacity(z.Size, node, fixed)
}

// capacity counts nodes of a size in a zone that also holds one chunk of each
// fixed size.
func capacity(size int64, node int, fixed []int) Capacity {
	left := slabPages(size)
	slot := slotClass(node)
	chunks := map[int]int{} // by class
	for _, bytes := range fixed {
		class := slotClass(bytes)
		if chunks[class] == 0 && class != slot {
			left-- // one page holds all fixed chunks of a class
		}
		chunks[class]++
	}
	if slot > pageSize/2 {
		return Capacity{Slot: slot, States: max(0, left) / (slot / pageSize)}
	}
	return Capacity{Slot: slot, States: max(0, left*chunksPerPage(slot)-chunks[slot])}
}

// slabPages is how many pages a zone has for data.
func slabPages(size int64) int {
	if size < slabHeader {
		return 0
	}
	records := (size - slabHeader) / (pageSize + pageRecord)
	start := (slabHeader + records*pageRecord + pageSize - 1) / pageSize * pageSize
	return int(max(0, min(records, (size-start)/pageSize)))
}

// slotClass is the next power of two from 8 up to half a page, beyond that
// whole pages.
func slotClass(bytes int) int {
	if bytes > pageSize/2 {
		return (bytes + pageSize - 1) / pageSize * pageSize
	}
	class := 8
	for class < bytes {
		class *= 2
	}
	return class
}

// chunksPerPage leaves out the chunks that hold the bitmap of small classes.
func chunksPerPage(class int) int {
	n := pageSize / class
	if class < smallestBit {
		n -= max(1, n/(8*class))
	}
	return n
}
