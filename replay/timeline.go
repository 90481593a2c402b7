package replay

import (
	"container/heap"

	"github.com/nglimit/nglimit/replay/limit"
)

// moment is something that happens after a request has arrived: it ends and
// gives its slots back, or, delayed, it is handed on to limit_conn.
type moment struct {
	at    Millis
	order int64
	slots *limit.Slots // to give back; nil: the request starts
	start *pending
}

// timeline holds moments by time. Within one millisecond requests end before
// others start, which is nearest to what nginx does.
type timeline []moment

func (t timeline) Len() int      { return len(t) }
func (t timeline) Swap(i, j int) { t[i], t[j] = t[j], t[i] }

func (t timeline) Less(i, j int) bool {
	a, b := t[i], t[j]
	if a.at != b.at {
		return a.at < b.at
	}
	if (a.slots != nil) != (b.slots != nil) {
		return a.slots != nil
	}
	return a.order < b.order
}

// Push and Pop are for container/heap.
func (t *timeline) Push(x any) { *t = append(*t, x.(moment)) }

// Pop removes the last moment.
func (t *timeline) Pop() any {
	last := len(*t) - 1
	m := (*t)[last]
	*t = (*t)[:last]
	return m
}

func (t *timeline) add(m moment) { heap.Push(t, m) }

// due takes the next moment that is not later than now.
func (t *timeline) due(now Millis) (moment, bool) {
	if len(*t) == 0 || (*t)[0].at > now {
		return moment{}, false
	}
	return heap.Pop(t).(moment), true
}
