package replay

import (
	"math/bits"
	"slices"
)

// wheel puts requests in order of arrival: a slot for each millisecond of a
// window. All requests before its time have been taken.
type wheel struct {
	window Millis
	slots  []slot // a power of two
	used   []uint64
	now    Millis // the first millisecond that may still be taken
	count  int
	begun  bool
	same   []*item
}

type slot struct{ first, last *item }

// newWheel makes a wheel for a window of milliseconds.
func newWheel(window Millis) *wheel {
	n := 64
	for Millis(n) <= window {
		n *= 2
	}
	return &wheel{window: window, slots: make([]slot, n), used: make([]uint64, n/64)}
}

// put places a request. One that arrived before the wheel's time is late: it
// comes next. The arrival must be within the window from there.
func (w *wheel) put(it *item) (late bool) {
	at := it.at
	if !w.begun {
		w.begun, w.now = true, it.end-w.window
	}
	if at < w.now {
		at, late = w.now, true
	}
	i := int(at) & (len(w.slots) - 1)
	s := &w.slots[i]
	it.next = nil
	if s.first == nil {
		s.first = it
		w.used[i/64] |= 1 << (i % 64)
	} else {
		s.last.next = it
	}
	s.last = it
	w.count++
	return late
}

// take takes the requests of the first millisecond that has any before the
// limit, in order; it returns none when there are none, and the wheel's time is
// the limit then.
func (w *wheel) take(limit Millis) []*item {
	if limit <= w.now {
		return nil
	}
	at := w.first(limit)
	if at >= limit {
		w.now = max(w.now, limit)
		return nil
	}
	w.now = at // another may come for the same millisecond
	i := int(at) & (len(w.slots) - 1)
	w.same = w.same[:0]
	for it := w.slots[i].first; it != nil; it = it.next {
		w.same = append(w.same, it)
	}
	w.slots[i] = slot{}
	w.used[i/64] &^= 1 << (i % 64)
	w.count -= len(w.same)
	if len(w.same) > 1 {
		slices.SortStableFunc(w.same, before)
	}
	return w.same
}

// before orders requests of one millisecond: by their end, then as they stand
// in the logs.
func before(a, b *item) int {
	switch {
	case a.at != b.at: // late ones
		return int(max(-1, min(1, a.at-b.at)))
	case a.end != b.end:
		return int(max(-1, min(1, a.end-b.end)))
	case a.batch.input != b.batch.input:
		return a.batch.input.index - b.batch.input.index
	case a.batch != b.batch:
		return int(max(-1, min(1, a.batch.base-b.batch.base)))
	}
	return int(a.line) - int(b.line)
}

// first is the first millisecond from now on that has a request, limit when
// there is none before.
func (w *wheel) first(limit Millis) Millis {
	if w.count == 0 || !w.begun {
		return limit
	}
	mask := len(w.used) - 1
	start := int(w.now) & (len(w.slots) - 1)
	word := start / 64
	set := w.used[word] &^ (1<<(start%64) - 1)
	for range len(w.used) + 1 {
		if set != 0 {
			i := word*64 + bits.TrailingZeros64(set)
			return w.now + Millis((i-start)&(len(w.slots)-1))
		}
		word = (word + 1) & mask
		set = w.used[word]
	}
	return limit
}
