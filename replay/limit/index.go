package limit

// slot is a hash and the id of its entry; 0 is an empty slot.
type slot uint64

func newSlot(hash uint32, i id) slot { return slot(hash)<<32 | slot(i) }
func (s slot) hash() uint32          { return uint32(s >> 32) }
func (s slot) id() id                { return id(s) }

// index is an open-addressing hash table with linear probing and without
// tombstones. A slot holds its whole hash, so growth and removal never look at
// the entries. The number of slots is a power of two.
type index struct {
	slots []slot
	used  int
}

const firstSlots = 16

func newIndex() index { return index{slots: make([]slot, firstSlots)} }

// add enters a pair that is not there.
func (x *index) add(hash uint32, i id) {
	if (x.used+1)*5 > len(x.slots)*4 {
		x.grow()
	}
	x.used++
	place(x.slots, newSlot(hash, i))
}

func (x *index) grow() {
	slots := make([]slot, 2*len(x.slots))
	for _, s := range x.slots {
		if s != 0 {
			place(slots, s)
		}
	}
	x.slots = slots
}

func place(slots []slot, s slot) {
	mask := uint32(len(slots) - 1)
	i := s.hash() & mask
	for slots[i] != 0 {
		i = (i + 1) & mask
	}
	slots[i] = s
}

// remove takes out a pair that is there, and moves the pairs behind it up so
// that none is cut off from the slot where its search begins.
func (x *index) remove(hash uint32, i id) {
	mask := uint32(len(x.slots) - 1)
	gap := hash & mask
	for x.slots[gap] != newSlot(hash, i) {
		gap = (gap + 1) & mask
	}
	for next := (gap + 1) & mask; x.slots[next] != 0; next = (next + 1) & mask {
		home := x.slots[next].hash() & mask
		if (next-home)&mask >= (next-gap)&mask {
			x.slots[gap] = x.slots[next]
			gap = next
		}
	}
	x.slots[gap] = 0
	x.used--
}
