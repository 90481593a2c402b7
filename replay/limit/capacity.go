package limit

import (
	"fmt"
	"math"
)

// Sizes of what the two modules put into a zone, on a 64-bit machine.
const (
	reqHeadBytes  = 80 // ngx_http_limit_req_shctx_t
	reqNameBytes  = 22 // sizeof(" in limit_req zone \"\"")
	reqNodeBytes  = 80 // rbtree node up to color + ngx_http_limit_req_node_t up to data
	connHeadBytes = 64 // ngx_http_limit_conn_shctx_t
	connNameBytes = 23 // sizeof(" in limit_conn_zone \"\"")
	connNodeBytes = 36 // rbtree node up to color + ngx_http_limit_conn_node_t up to data
)

// The longest keys that the modules look at; longer ones are skipped with a
// line in the error log.
const (
	MaxReqKey  = 65535
	MaxConnKey = 255
)

// ReqCapacity is how many keys of keyLen bytes a limit_req_zone of size bytes
// keeps before it drops the oldest for a new one. The name counts because it
// is stored in the zone. A size that nginx refuses has no capacity.
func ReqCapacity(size int64, nameLen, keyLen int) int {
	s, err := newZoneSlab(size, reqHeadBytes, reqNameBytes+nameLen)
	if err != nil {
		return 0
	}
	return s.capacity(reqNodeBytes + keyLen)
}

// ConnCapacity is how many keys of keyLen bytes a limit_conn_zone of size bytes
// can count at one time; further keys are refused.
func ConnCapacity(size int64, nameLen, keyLen int) int {
	s, err := newZoneSlab(size, connHeadBytes, connNameBytes+nameLen)
	if err != nil {
		return 0
	}
	return s.capacity(connNodeBytes + keyLen)
}

// newZoneSlab is a slab as a module leaves it when a zone has been set up: its
// head first, then the text that names the zone in messages
// (ngx_http_limit_req_module.c:ngx_http_limit_req_init_zone).
func newZoneSlab(size int64, head, name int) (slab, error) {
	if size < MinZoneSize {
		return slab{}, fmt.Errorf("zone of %d bytes: nginx needs at least %d", size, MinZoneSize)
	}
	if pages := slabPages(size); pages > maxPages || pages > math.MaxInt32 {
		return slab{}, fmt.Errorf("zone of %d bytes: more than %d pages", size, maxPages)
	}
	s := newSlab(size)
	for _, n := range [...]int{head, name} {
		if _, ok := s.alloc(n); !ok {
			return slab{}, fmt.Errorf("zone of %d bytes: no room for its name", size)
		}
	}
	return s, nil
}
