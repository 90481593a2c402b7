package nginx

import "slices"

// planTree remembers plans by the inputs that led to them: each node names
// the slot that is read next, each edge a value of it. The phases read slots
// in an order that the values before determine, so a path through the tree
// is a run of the phases without running them.
type planTree struct {
	roots [8]*planNode // by rootOf
	size  int

	places map[planKey]*plan
}

type planNode struct {
	plan    *plan // of a leaf
	slot    int
	key     string // most nodes have one edge
	next    *planNode
	more    map[string]*planNode
	missing *planNode
}

// maxPlanNodes bounds the tree; when it is full it starts anew.
const maxPlanNodes = 1 << 15

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
		n = n.follow(s.peek(n.slot))
	}
	if n == nil {
		return nil
	}
	return n.plan
}

// keep enters a plan with what was read on the way to it, and returns the
// plan that is used in its place: one that many requests share, where keys
// need nothing of what sets them apart.
func (t *planTree) keep(s *state, p *plan) *plan {
	if t.size >= maxPlanNodes {
		*t = planTree{}
	}
	p = t.shared(p)
	t.enter(s, p)
	return p
}

// shared is the plan of the same place that was kept first.
func (t *planTree) shared(p *plan) *plan {
	if p.block.needsPath || len(p.sequels) > 0 {
		return p
	}
	p.uri, p.args, p.caps, p.vars = datum{}, datum{}, captures{}, nil
	key := planKey{p.srv, p.loc, p.block, p.bypass, p.unknown, p.open, p.headerless, p.errStatus, string(p.method)}
	if have := t.places[key]; have != nil {
		return have
	}
	if t.places == nil {
		t.places = map[planKey]*plan{}
	}
	t.places[key] = p
	return p
}

// planKey tells plans apart whose keys do not depend on the way to them.
type planKey struct {
	srv        *serverProgram
	loc        *locationProgram
	block      *blockProgram
	bypass     string
	unknown    string
	open       bool
	headerless bool
	errStatus  int
	method     string
}

func (t *planTree) enter(s *state, p *plan) {
	node := &planNode{plan: p}
	reads, root := s.reads, rootOf(s)
	at := t.roots[root]
	if at == nil || len(reads) == 0 {
		t.roots[root] = chainOf(reads, node)
		t.size += len(reads) + 1
		return
	}
	for i, r := range reads {
		next := at.follow(r.val)
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
	for _, read := range slices.Backward(reads) {
		n := &planNode{slot: read.slot}
		n.set(read.val, leaf)
		leaf = n
	}
	return leaf
}

func (n *planNode) follow(d datum) *planNode {
	switch {
	case d.unknown():
		return n.missing
	case n.next != nil && n.key == string(d.b):
		return n.next
	case n.more == nil:
		return nil
	}
	return n.more[string(d.b)]
}

func (n *planNode) set(d datum, to *planNode) {
	switch {
	case d.unknown():
		n.missing = to
	case n.next == nil:
		n.key, n.next = string(d.b), to
	default:
		if n.more == nil {
			n.more = map[string]*planNode{}
		}
		n.more[string(d.b)] = to
	}
}
