package limit

import (
	"encoding/binary"
	"hash/maphash"
)

const (
	// inlineKey is the longest key kept whole in its entry: IPv4 as text and
	// IPv6 in binary fit. Of a longer one the first prefixKey bytes are there,
	// followed by the place of the rest in the arena.
	inlineKey = 18
	prefixKey = inlineKey - 4

	entriesABlock = 256
)

// entry is one key of a zone: the state S that belongs to it, the place of its
// node in the slab, and the key.
type entry[S any] struct {
	state  S
	addr   address // free entries: the next free entry
	length uint16
	key    [inlineKey]byte
}

// id numbers the entries of a table densely from 1. Entry 0 belongs to the
// zone, which may use its state as the head of a list.
type id uint32

// table finds the entry of a key. It stands for the red-black tree of nginx,
// whose order never shows: crc32 collisions are resolved by the key's bytes
// (ngx_http_limit_req_module.c:ngx_http_limit_req_rbtree_insert_value).
//
// Entries live in blocks, so that they never move and growth copies nothing;
// an open-addressing index of (hash, id) pairs leads to them.
type table[S any] struct {
	blocks []*[entriesABlock]entry[S]
	made   id // entries 0..made-1 exist
	free   id // first of the list of unused entries, 0 if there is none
	live   int
	index  index
	keys   arena
	// seed is random, so that no log can be written whose keys collide. Nothing
	// that leaves the package depends on it.
	seed maphash.Seed
}

func newTable[S any]() table[S] {
	t := table[S]{seed: maphash.MakeSeed(), index: newIndex()}
	t.newEntry()
	return t
}

func (t *table[S]) at(i id) *entry[S] {
	return &t.blocks[i/entriesABlock][i%entriesABlock]
}

func (t *table[S]) hash(key []byte) uint32 { return uint32(maphash.Bytes(t.seed, key)) }

// find returns the entry of key, or 0.
func (t *table[S]) find(hash uint32, key []byte) id {
	slots := t.index.slots
	mask := uint32(len(slots) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		s := slots[i]
		if s == 0 {
			return 0
		}
		if s.hash() == hash && t.at(s.id()).holds(key, &t.keys) {
			return s.id()
		}
	}
}

// add makes an entry for a key that has none. The state of a reused entry is
// what it was: the caller sets it.
func (t *table[S]) add(hash uint32, key []byte, addr address) (id, *entry[S]) {
	i := t.free
	if i == 0 {
		i = t.newEntry()
	} else {
		t.free = id(t.at(i).addr)
	}
	e := t.at(i)
	e.addr = addr
	e.keep(key, &t.keys)
	t.index.add(hash, i)
	t.live++
	return i, e
}

// remove forgets entry i and its key.
func (t *table[S]) remove(i id) {
	e := t.at(i)
	t.index.remove(e.rehash(t.seed, &t.keys), i)
	e.forget(&t.keys)
	e.addr = address(t.free)
	t.free = i
	t.live--
}

func (t *table[S]) newEntry() id {
	i := t.made
	if i%entriesABlock == 0 {
		t.blocks = append(t.blocks, new([entriesABlock]entry[S]))
	}
	t.made++
	return i
}

func (e *entry[S]) ref() arenaRef { return arenaRef(binary.LittleEndian.Uint32(e.key[prefixKey:])) }

func (e *entry[S]) holds(key []byte, keys *arena) bool {
	n := int(e.length)
	if n != len(key) {
		return false
	}
	if n <= inlineKey {
		return string(e.key[:n]) == string(key)
	}
	return string(e.key[:prefixKey]) == string(key[:prefixKey]) &&
		string(keys.bytes(e.ref(), n-prefixKey)) == string(key[prefixKey:])
}

func (e *entry[S]) keep(key []byte, keys *arena) {
	e.length = uint16(len(key))
	if len(key) <= inlineKey {
		copy(e.key[:], key)
		return
	}
	copy(e.key[:prefixKey], key)
	binary.LittleEndian.PutUint32(e.key[prefixKey:], uint32(keys.put(key[prefixKey:])))
}

func (e *entry[S]) forget(keys *arena) {
	if n := int(e.length); n > inlineKey {
		keys.drop(e.ref(), n-prefixKey)
	}
}

// rehash computes again the hash under which the entry was added. Storing it
// would cost every entry four bytes to save the rare removal a few nanoseconds.
func (e *entry[S]) rehash(seed maphash.Seed, keys *arena) uint32 {
	n := int(e.length)
	if n <= inlineKey {
		return uint32(maphash.Bytes(seed, e.key[:n]))
	}
	var h maphash.Hash
	h.SetSeed(seed)
	h.Write(e.key[:prefixKey])
	h.Write(keys.bytes(e.ref(), n-prefixKey))
	return uint32(h.Sum64())
}
