package nginx

import "sync"

// factsCache remembers what was said of keys: rules ask for each limit in
// each block. It is safe for concurrent use.
type factsCache struct {
	sync.Mutex
	anywhere map[*Value]*KeyFacts // keys that are the same in all blocks
	there    map[factsID]*KeyFacts
}

type factsID struct {
	value *Value
	at    *Block
}

func (c *factsCache) get(v *Value, at *Block) *KeyFacts {
	c.Lock()
	defer c.Unlock()
	if f := c.anywhere[v]; f != nil {
		return f
	}
	return c.there[factsID{v, at}]
}

func (c *factsCache) put(v *Value, at *Block, f *KeyFacts, local bool) {
	c.Lock()
	defer c.Unlock()
	if c.there == nil {
		c.anywhere, c.there = map[*Value]*KeyFacts{}, map[factsID]*KeyFacts{}
	}
	if local {
		c.there[factsID{v, at}] = f
		return
	}
	c.anywhere[v] = f
}
