package limit

import (
	"encoding/binary"
	"math/bits"
)

// Keys that do not fit into their state go to an arena: blocks of 64 KiB, cut
// into pieces of a few sizes, each size with its own list of free pieces.
const (
	arenaUnit  = 8 // pieces start on multiples of it
	arenaBlock = 1 << 16
	// Up to smallPiece sizes are multiples of arenaUnit, above powers of two.
	smallPiece  = 256
	pieceSizes  = smallPiece/arenaUnit + 8
	unitsABlock = arenaBlock / arenaUnit
)

// arenaRef is the place of a piece in units; 0 is no place.
type arenaRef uint32

type arena struct {
	blocks []*[arenaBlock]byte
	unused int // bytes at the end of the last block
	free   [pieceSizes]arenaRef
}

// pieceSize is the list and the length of the piece that holds n bytes,
// 1 ≤ n ≤ 65536.
func pieceSize(n int) (list, size int) {
	if n <= smallPiece {
		units := (n + arenaUnit - 1) / arenaUnit
		return units - 1, units * arenaUnit
	}
	doublings := bits.Len(uint(n-1)) - bits.Len(uint(smallPiece-1))
	return smallPiece/arenaUnit + doublings - 1, smallPiece << doublings
}

// bytes are the n bytes at r.
func (a *arena) bytes(r arenaRef, n int) []byte {
	offset := int(r%unitsABlock) * arenaUnit
	return a.blocks[r/unitsABlock][offset : offset+n]
}

// put copies b, at most 65,535 bytes, to a free piece.
func (a *arena) put(b []byte) arenaRef {
	list, size := pieceSize(len(b))
	r := a.free[list]
	if r == 0 {
		r = a.cut(size)
	} else {
		a.free[list] = arenaRef(binary.LittleEndian.Uint32(a.bytes(r, 4)))
	}
	copy(a.bytes(r, len(b)), b)
	return r
}

// drop frees the piece that put chose for n bytes.
func (a *arena) drop(r arenaRef, n int) {
	list, _ := pieceSize(n)
	binary.LittleEndian.PutUint32(a.bytes(r, 4), uint32(a.free[list]))
	a.free[list] = r
}

func (a *arena) cut(size int) arenaRef {
	if a.unused < size {
		a.blocks = append(a.blocks, new([arenaBlock]byte))
		a.unused = arenaBlock
		if len(a.blocks) == 1 {
			a.unused -= arenaUnit // place 0 is no place
		}
	}
	if a.unused < size { // the very first piece fills a block
		return a.cut(size)
	}
	offset := arenaBlock - a.unused
	a.unused -= size
	return arenaRef((len(a.blocks)-1)*unitsABlock + offset/arenaUnit)
}
