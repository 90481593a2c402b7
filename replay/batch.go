package replay

import (
	"encoding/binary"

	"github.com/nglimit/nglimit/replay/accesslog"
)

// item is one request between the reading of its line and its decision. Its
// bytes are in its batch: the keys of the limits of its route, then the kept
// values.
type item struct {
	at, end    Millis
	resolution Millis
	took       Millis
	route      *route
	batch      *batch
	next       *item // in a slot of the wheel
	line       uint32
	bytes      uint32
	status     uint16
}

// batch is a block that was read and routed. It is used again when all of its
// items are decided.
type batch struct {
	input  *input
	items  []item
	bytes  []byte
	base   int64 // number of the line before its first
	lines  int
	skips  [accesslog.Kinds]skip
	refs   int // items that are not decided yet
	passed int // items that were taken from it
}

// skip counts lines of one kind.
type skip struct {
	count int64
	first int // line in the batch, from 0
}

// appendValue appends a value that may be unknown.
func appendValue(b, v []byte) []byte {
	if v == nil {
		return append(b, 0)
	}
	b = binary.AppendUvarint(b, uint64(len(v))+1)
	return append(b, v...)
}

// value takes a value from the front of b.
func value(b []byte) (v, rest []byte) {
	if b[0] < 0x80 {
		if b[0] == 0 {
			return nil, b[1:]
		}
		end := int(b[0])
		return b[1:end:end], b[end:]
	}
	n, width := binary.Uvarint(b)
	end := width + int(n) - 1
	return b[width:end:end], b[end:]
}

func (b *batch) reset(in *input) {
	b.input, b.items, b.bytes = in, b.items[:0], b.bytes[:0]
	b.lines, b.refs, b.passed = 0, 0, 0
	b.skips = [accesslog.Kinds]skip{}
}

// skip counts a line that is no request.
func (b *batch) skip(kind accesslog.Kind, line int) {
	s := &b.skips[kind]
	if s.count == 0 {
		s.first = line
	}
	s.count++
}
