package limit

import "errors"

// ReqZone is a limit_req_zone: one rate, and the states of the keys that were
// seen last, as many as fit. It is not safe for concurrent use.
type ReqZone struct {
	name  string
	size  int64
	rate  Rate
	slab  slab
	table table[reqState]
	held  id // the entry that the request being decided holds, 0 if none
	stats ReqZoneStats
}

// reqState is what nginx keeps of a key. newer and older link the states in the
// order in which they were looked up last; entry 0 is the head, its older the
// newest state and its newer the oldest.
type reqState struct {
	last         Millis
	excess       uint64 // thousandths of a request, at the time last
	newer, older id
}

// ReqZoneStats counts what happened to the states of a zone.
type ReqZoneStats struct {
	Live    int    // states in the zone now
	Peak    int    // the most there ever were
	Expired uint64 // dropped after 60 s, with nothing left to remember
	Forced  uint64 // dropped to make room: the limit of that key was forgotten
	NoRoom  uint64 // requests refused because nothing that was dropped made room
}

// NewReqZone makes an empty zone of size bytes. It refuses a size below 8 pages,
// as nginx does, and a rate of 0, by which nginx would divide.
func NewReqZone(name string, size int64, rate Rate) (*ReqZone, error) {
	if rate == 0 {
		return nil, errors.New("zone with a rate of 0")
	}
	s, err := newZoneSlab(size, reqHeadBytes, reqNameBytes+len(name))
	if err != nil {
		return nil, err
	}
	return &ReqZone{name: name, size: size, rate: rate, slab: s, table: newTable[reqState]()}, nil
}

// Reload is the zone after a reload of the configuration: with the same size
// the states stay and are judged with the new rate, with another it starts
// empty. The caller sees to it that the key expression is the same, without
// which nginx keeps its old configuration
// (ngx_http_limit_req_module.c:ngx_http_limit_req_init_zone).
func (z *ReqZone) Reload(size int64, rate Rate) (*ReqZone, error) {
	if size != z.size || rate == 0 {
		return NewReqZone(z.name, size, rate)
	}
	z.rate = rate
	return z, nil
}

// Name is the name of the zone.
func (z *ReqZone) Name() string { return z.name }

// Rate is the rate of the zone.
func (z *ReqZone) Rate() Rate { return z.rate }

// Stats counts what happened to the states so far.
func (z *ReqZone) Stats() ReqZoneStats {
	z.stats.Live = z.table.live
	return z.stats
}

// pushNewest puts an entry that is not linked at the new end of the order.
func (z *ReqZone) pushNewest(i id, s *reqState) {
	head := &z.table.at(0).state
	s.newer, s.older = 0, head.older
	z.table.at(head.older).state.newer = i
	head.older = i
}

func (z *ReqZone) unlink(s *reqState) {
	z.table.at(s.newer).state.older = s.older
	z.table.at(s.older).state.newer = s.newer
}

// touch makes the entry the newest. A lookup does so whatever comes of it.
func (z *ReqZone) touch(i id, s *reqState) {
	if s.newer == 0 {
		return
	}
	z.unlink(s)
	z.pushNewest(i, s)
}

func (z *ReqZone) oldest() id { return z.table.at(0).state.newer }

func (z *ReqZone) drop(i id) {
	e := z.table.at(i)
	z.unlink(&e.state)
	z.slab.release(e.addr)
	z.table.remove(i)
}
