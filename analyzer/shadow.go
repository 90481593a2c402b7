package analyzer

import (
	"encoding/binary"
	"fmt"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay"
	"github.com/nglimit/nglimit/replay/limit"
)

// shadowSize is the size of a zone with split keys: large enough to forget
// nobody in all but the largest logs. Only what is used is allocated.
const shadowSize = 1 << 30

// clockBase is where the clock of the shadow limits stands at the first event
// (see limit.Millis).
const clockBase limit.Millis = 1_000_000_000

// shadows are the limits of the configuration beside the real ones, with every
// key split by client.
type shadows struct {
	zones  map[*nginx.Zone]*limit.ReqZone
	first  replay.Millis
	begun  bool
	limits []limit.ReqLimit
	keys   [][]byte
	bytes  []byte
}

func newShadows() *shadows { return &shadows{zones: map[*nginx.Zone]*limit.ReqZone{}} }

// decide is what limit_req would have said if each client had its own bucket.
func (s *shadows) decide(e *replay.Event, client uint64) (limit.Status, error) {
	if !s.begun {
		s.begun, s.first = true, e.At
	}
	s.limits, s.keys, s.bytes = s.limits[:0], s.keys[:0], s.bytes[:0]
	for i := range e.Limits {
		l := e.Limits[i].Req
		if l == nil {
			break
		}
		z, err := s.zone(l.Zone)
		if err != nil {
			return limit.None, err
		}
		s.limits = append(s.limits, limit.ReqLimit{Zone: z, Burst: l.Burst, Delay: l.Delay, Nodelay: l.Nodelay})
		s.keys = append(s.keys, s.split(e.Limits[i].Key, client))
	}
	now := clockBase + limit.Millis(e.At-s.first)
	return limit.DecideReq(now, s.limits, s.keys).Status, nil
}

// split makes the key of one client; what limits nobody stays so.
func (s *shadows) split(key []byte, client uint64) []byte {
	if len(key) == 0 {
		return nil
	}
	start := len(s.bytes)
	s.bytes = append(s.bytes, key...)
	s.bytes = binary.LittleEndian.AppendUint64(s.bytes, client)
	return s.bytes[start:len(s.bytes):len(s.bytes)]
}

func (s *shadows) zone(z *nginx.Zone) (*limit.ReqZone, error) {
	if known := s.zones[z]; known != nil {
		return known, nil
	}
	made, err := limit.NewReqZone(z.Name, shadowSize, limit.Rate(z.Rate))
	if err != nil {
		return nil, fmt.Errorf("set up the counterfactual of zone %s: %w", z.Name, err)
	}
	s.zones[z] = made
	return made, nil
}
