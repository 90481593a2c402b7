package limit

import "math"

// ConnZone is a limit_conn_zone: how many requests of each key are in progress.
// Nothing is ever evicted; a key without room is refused. It is not safe for
// concurrent use.
type ConnZone struct {
	name  string
	size  int64
	slab  slab
	table table[connState]
	stats ConnZoneStats
}

// connState counts the requests in progress. nginx keeps it in 16 bits and
// accepts no limit above 65535.
type connState struct {
	count uint16
}

// ConnZoneStats counts what happened in a zone.
type ConnZoneStats struct {
	Live   int    // keys counted now
	Peak   int    // the most there ever were
	NoRoom uint64 // requests refused because their key found no room
}

// NewConnZone makes an empty zone of size bytes. It refuses a size below 8
// pages, as nginx does.
func NewConnZone(name string, size int64) (*ConnZone, error) {
	s, err := newZoneSlab(size, connHeadBytes, connNameBytes+len(name))
	if err != nil {
		return nil, err
	}
	return &ConnZone{name: name, size: size, slab: s, table: newTable[connState]()}, nil
}

// Reload is the zone after a reload of the configuration: the same zone when
// the size is the same, otherwise an empty one, while requests in progress go
// on holding their slots in the old.
func (z *ConnZone) Reload(size int64) (*ConnZone, error) {
	if size == z.size {
		return z, nil
	}
	return NewConnZone(z.name, size)
}

// Name is the name of the zone.
func (z *ConnZone) Name() string { return z.name }

// Stats counts what happened so far.
func (z *ConnZone) Stats() ConnZoneStats {
	z.stats.Live = z.table.live
	return z.stats
}

// Count is how many requests of key are in progress.
func (z *ConnZone) Count(key []byte) int {
	i := z.table.find(z.table.hash(key), key)
	if i == 0 {
		return 0
	}
	return int(z.table.at(i).state.count)
}

// take counts one more request of key unless there are n already
// (ngx_http_limit_conn_module.c:ngx_http_limit_conn_handler).
func (z *ConnZone) take(key []byte, n int) (id, verdict) {
	hash := z.table.hash(key)
	i := z.table.find(hash, key)
	if i == 0 {
		return z.store(hash, key)
	}
	s := &z.table.at(i).state
	if int(s.count) >= min(n, math.MaxUint16) {
		return 0, busy
	}
	s.count++
	return i, ok
}

func (z *ConnZone) store(hash uint32, key []byte) (id, verdict) {
	addr, found := z.slab.alloc(connNodeBytes + len(key))
	if !found {
		z.stats.NoRoom++
		return 0, noRoom
	}
	i, e := z.table.add(hash, key, addr)
	z.stats.Peak = max(z.stats.Peak, z.table.live)
	e.state.count = 1
	return i, ok
}

// give takes one request off the count; the last one frees the node
// (ngx_http_limit_conn_module.c:ngx_http_limit_conn_cleanup).
func (z *ConnZone) give(i id) {
	e := z.table.at(i)
	e.state.count--
	if e.state.count == 0 {
		z.slab.release(e.addr)
		z.table.remove(i)
	}
}
