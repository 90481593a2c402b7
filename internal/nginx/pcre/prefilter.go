package pcre

import "slices"

// prefilter knows the first three bytes of everything that a pattern can match,
// so that most subjects are turned away without running it. A list of robots
// costs Go's regexp tens of microseconds on a user agent that names none.
//
// It errs towards letting through: letters are compared without case, and
// prefixes that fall together by hash are not told apart.
type prefilter [prefixBits / 64]uint64

const (
	prefixLength = 3
	prefixBits   = 4096
	maxPrefixes  = 256
	maxChoices   = 8 // characters of a class that are tried one by one
)

// newPrefilter gives nil if the pattern is too short or too open, starts with an
// anchor or has a fixed prefix, for which the engine looks by itself.
func newPrefilter(p *parsed, prog *program) *prefilter {
	if prog == nil || p.utf || p.root.startsAnchored() {
		return nil
	}
	if prefix, _ := prog.re.LiteralPrefix(); prefix != "" {
		return nil
	}
	prefixes := p.root.prefixes()
	if prefixes == nil {
		return nil
	}
	f := new(prefilter)
	for _, s := range prefixes {
		if isShort(s) {
			return nil
		}
		h := prefixHash(s[0], s[1], s[2])
		f[h/64] |= 1 << (h % 64)
	}
	return f
}

// admits tells whether subject has one of the prefixes somewhere.
func (f *prefilter) admits(subject []byte) bool {
	for i := prefixLength - 1; i < len(subject); i++ {
		h := prefixHash(subject[i-2]|0x20, subject[i-1]|0x20, subject[i]|0x20)
		if f[h/64]&(1<<(h%64)) != 0 {
			return true
		}
	}
	return false
}

func prefixHash(a, b, c byte) uint32 {
	return (uint32(a)*961 + uint32(b)*31 + uint32(c)) * 2654435761 >> 20
}

func (n *node) startsAnchored() bool {
	switch n.kind {
	case kindBegin:
		return true
	case kindCat, kindCapture:
		return n.subs[0].startsAnchored()
	default: // the other kinds go on below
	}
	return false
}

// prefixes lists how a match of n can begin, each cut to prefixLength; a shorter
// one is a whole match. nil means that there are too many.
func (n *node) prefixes() []string {
	switch n.kind {
	case kindSet:
		return n.set.characters()
	case kindCapture, kindAtomic:
		return n.subs[0].prefixes()
	case kindRepeat:
		return n.repeatPrefixes()
	case kindCat:
		return catPrefixes(n.subs)
	case kindAlt:
		var all []string
		for _, s := range n.subs {
			part := s.prefixes()
			if part == nil || len(all)+len(part) > maxPrefixes {
				return nil
			}
			all = append(all, part...)
		}
		return all
	case kindBackref, kindCondition:
		return nil
	default: // the other kinds go on below
	}
	return []string{""} // consumes nothing
}

func (s set) characters() []string {
	if s.count() > maxChoices || len(s) == 0 {
		return nil
	}
	var all []string
	for _, sp := range s {
		for r := sp.lo; r <= sp.hi; r++ {
			all = append(all, string([]byte{byte(r) | 0x20}))
		}
	}
	return all
}

// repeatPrefixes knows optional bodies, and repeated ones that are long enough
// for one round to tell.
func (n *node) repeatPrefixes() []string {
	body := n.subs[0].prefixes()
	if n.max == 1 {
		if body == nil {
			return nil
		}
		return append([]string{""}, body...)
	}
	for _, s := range body {
		if isShort(s) || n.min == 0 {
			return nil
		}
	}
	return body
}

func catPrefixes(subs []*node) []string {
	all := []string{""}
	for _, s := range subs {
		if slices.IndexFunc(all, isShort) < 0 {
			break
		}
		part := s.prefixes()
		if part == nil {
			return nil
		}
		if all = extend(all, part); len(all) > maxPrefixes {
			return nil
		}
	}
	return all
}

func isShort(prefix string) bool { return len(prefix) < prefixLength }

// extend puts each tail behind each head that is short.
func extend(heads, tails []string) []string {
	var all []string
	for _, head := range heads {
		if !isShort(head) {
			all = append(all, head)
			continue
		}
		for _, tail := range tails {
			all = append(all, (head + tail)[:min(prefixLength, len(head)+len(tail))])
		}
	}
	return all
}
