package nginx

// planTree remembers plans by the inputs that led to them: each node names
// the slot that is read next, each edge a value of it. The phases read slots
// in an order that the values before determine, so a path through the tree
// is a run of the phases without running them.
type planTree struct {
	roots [8]*planNode // by rootOf
	size  int
}

type planNode struct {
	plan    *plan // of a leaf
	slot    int
	known   map[string]*planNode
	missing *planNode
}

// maxPlanNodes bounds the tree; when it is full it starts anew.
const maxPlanNodes = 1 << 16

// rootOf is the root for a request: what the slots do not show chooses it.
func rootOf(s *state) int {
	root := 0
	for i, is := range []bool{s.req.Complete, s.in.normalized, s.in.absolute} {
		if is {
			root |= 1 << i
		}
	}
	return root
}

// find is the plan for a request seen before, else nil.
func (t *planTree) find(s *state) *plan {
	n := t.roots[rootOf(s)]
	for n != nil && n.plan == nil {
		n = n.next(s.peek(n.slot))
	}
	if n == nil {
		return nil
	}
	return n.plan
}

// keep enters a plan with what was read on the way to it.
func (t *planTree) keep(s *state, p *plan) {
	if t.size >= maxPlanNodes {
		*t = planTree{}
	}
	node := &planNode{plan: p}
	reads, root := s.reads, rootOf(s)
	at := t.roots[root]
	if at == nil || len(reads) == 0 {
		t.roots[root] = chainOf(reads, node)
		t.size += len(reads) + 1
		return
	}
	for i, r := range reads {
		next := at.next(r.val)
		if next == nil {
			at.set(r.val, chainOf(reads[i+1:], node))
			t.size += len(reads) - i
			return
		}
		at = next
	}
}

// chainOf is a path of new nodes that ends in a leaf.
func chainOf(reads []read, leaf *planNode) *planNode {
	for i := len(reads) - 1; i >= 0; i-- {
		n := &planNode{slot: reads[i].slot}
		n.set(reads[i].val, leaf)
		leaf = n
	}
	return leaf
}

func (n *planNode) next(d datum) *planNode {
	if d.unknown() {
		return n.missing
	}
	return n.known[string(d.b)]
}

func (n *planNode) set(d datum, to *planNode) {
	if d.unknown() {
		n.missing = to
		return
	}
	if n.known == nil {
		n.known = map[string]*planNode{}
	}
	n.known[string(d.b)] = to
}
