package accesslog

// maxFields bounds the fields that are learned from a log whose keys never
// repeat.
const maxFields = 512

// keyTree numbers the fields of JSON lines by their paths; a key of a nested
// object is "outer.inner".
type keyTree struct {
	root  keyNode
	paths []string // by field
	grow  bool     // fields that are not known yet get numbers
}

// keyNode is one key of an object.
type keyNode struct {
	field int // -1: its value is not wanted
	path  string
	kids  map[string]*keyNode
}

// newKeyTree makes an empty tree that learns the keys it is asked for. Once
// grow is off it is not changed any more, and readers may share it.
func newKeyTree() *keyTree { return &keyTree{root: keyNode{field: -1}, grow: true} }

func (n *keyNode) child(key, path string) *keyNode {
	if n.kids == nil {
		n.kids = map[string]*keyNode{}
	}
	kid := n.kids[key]
	if kid == nil {
		kid = &keyNode{field: -1, path: path}
		n.kids[key] = kid
	}
	return kid
}

// find is the node of a key, nil when nothing below it is wanted.
func (t *keyTree) find(n *keyNode, key []byte) *keyNode {
	if n == nil {
		return nil
	}
	if kid := n.kids[string(key)]; kid != nil || !t.grow {
		return kid
	}
	path := string(key)
	if n.path != "" {
		path = n.path + "." + path
	}
	return n.child(string(key), path)
}

// number is the field of a node that holds a value.
func (t *keyTree) number(n *keyNode) int {
	if n == nil {
		return -1
	}
	if n.field < 0 && t.grow && len(t.paths) < maxFields {
		n.field = len(t.paths)
		t.paths = append(t.paths, n.path)
	}
	return n.field
}
