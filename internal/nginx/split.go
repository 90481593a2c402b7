package nginx

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// splitTable is a split_clients block made ready.
type splitTable struct {
	source *text
	parts  []splitPart
}

// splitPart takes the hashes below limit; 0 takes all.
type splitPart struct {
	limit uint32
	value []byte
}

// compileSplit follows
// src/http/modules/ngx_http_split_clients_module.c:ngx_conf_split_clients_block,
// sums in 32 bits included.
func (p *program) compileSplit(sp *Split) *splitTable {
	out := &splitTable{source: p.compile(sp.Source)}
	var last uint32
	for e := range sp.Dir.Entries() {
		if len(e.Args) != 2 {
			continue
		}
		part := splitPart{value: []byte(e.Args[1].Value)}
		if percent := hundredths(e.Args[0].Value); percent > 0 {
			last += uint32(uint64(percent) * 0xffffffff / 10000)
			part.limit = last
		}
		out.parts = append(out.parts, part)
	}
	return out
}

// hundredths reads "12.5%" as 1250; 0 for "*".
func hundredths(text string) uint32 {
	whole, fraction, _ := strings.Cut(strings.TrimSuffix(text, "%"), ".")
	n, err := strconv.ParseUint(whole+(fraction + "00")[:2], 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}

func getSplit(s *state, v *evalVar) datum {
	in := s.value(v.split.source)
	if in.unknown() {
		return in
	}
	hash := murmur2(in.b)
	for _, part := range v.split.parts {
		if hash < part.limit || part.limit == 0 {
			return known(part.value)
		}
	}
	return datum{}
}

// murmur2 is MurmurHash2 with seed 0 ^ length
// (src/core/ngx_murmurhash.c:ngx_murmur_hash2).
func murmur2(b []byte) uint32 {
	const m = 0x5bd1e995
	h := uint32(len(b))
	for ; len(b) >= 4; b = b[4:] {
		k := binary.LittleEndian.Uint32(b) * m
		k ^= k >> 24
		k *= m
		h = h*m ^ k
	}
	for i, v := range slices.Backward(b) {
		h ^= uint32(v) << (8 * i)
	}
	if len(b) > 0 {
		h *= m
	}
	h ^= h >> 13
	h *= m
	return h ^ h>>15
}
