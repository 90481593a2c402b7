package pcre

import (
	"slices"
	"unicode"
)

// span is an inclusive range of characters.
type span struct{ lo, hi rune }

// set is a sorted list of disjoint, non-adjacent spans: bytes (0..255) in a
// plain pattern, code points in one under (*UTF).
type set []span

const (
	maxByte = 0xff
	maxRune = unicode.MaxRune
)

// The classes of PCRE2's built-in C-locale tables (pcre2_chartables.c.dist).
// VT belongs to \s, unlike in Go.
func digitSet() set { return set{{'0', '9'}} }
func wordSet() set  { return set{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}} }
func spaceSet() set { return set{{'\t', '\r'}, {' ', ' '}} }

// horizontalSet is \h: PCRE2's HSPACE_LIST, cut to bytes without UTF.
func horizontalSet(utf bool) set {
	s := set{{'\t', '\t'}, {' ', ' '}, {0xa0, 0xa0}}
	if utf {
		s = append(s, span{0x1680, 0x1680}, span{0x180e, 0x180e}, span{0x2000, 0x200a},
			span{0x202f, 0x202f}, span{0x205f, 0x205f}, span{0x3000, 0x3000})
	}
	return s
}

// verticalSet is \v: PCRE2's VSPACE_LIST, cut to bytes without UTF.
func verticalSet(utf bool) set {
	s := set{{'\n', '\r'}, {0x85, 0x85}}
	if utf {
		s = append(s, span{0x2028, 0x2029})
	}
	return s
}

// posixSet gives the members of [:name:], or nil for an unknown name.
func posixSet(name string) set {
	switch name {
	case "alpha":
		return set{{'A', 'Z'}, {'a', 'z'}}
	case "lower":
		return set{{'a', 'z'}}
	case "upper":
		return set{{'A', 'Z'}}
	case "alnum":
		return set{{'0', '9'}, {'A', 'Z'}, {'a', 'z'}}
	case "ascii":
		return set{{0, 0x7f}}
	case "blank":
		return set{{'\t', '\t'}, {' ', ' '}}
	case "cntrl":
		return set{{0, 0x1f}, {0x7f, 0x7f}}
	case "digit":
		return digitSet()
	case "graph":
		return set{{0x21, 0x7e}}
	case "print":
		return set{{0x20, 0x7e}}
	case "punct":
		return set{{'!', '/'}, {':', '@'}, {'[', '`'}, {'{', '~'}}
	case "space":
		return spaceSet()
	case "word":
		return wordSet()
	case "xdigit":
		return set{{'0', '9'}, {'A', 'F'}, {'a', 'f'}}
	}
	return nil
}

// propertySet gives the bytes that have a Unicode general category, read as
// Latin-1: PCRE2 looks properties up even without UTF.
func propertySet(table *unicode.RangeTable) set {
	var s set
	for r := rune(0); r <= maxByte; r++ {
		if unicode.Is(table, r) {
			s = append(s, span{r, r})
		}
	}
	return s.normal()
}

// single is the set of one character.
func single(r rune) set { return set{{r, r}} }

// normal sorts and joins the spans.
func (s set) normal() set {
	slices.SortFunc(s, func(a, b span) int { return int(a.lo) - int(b.lo) })
	out := s[:0:0]
	for _, sp := range s {
		if n := len(out); n > 0 && sp.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, sp.hi)
			continue
		}
		out = append(out, sp)
	}
	return out
}

// not is the complement within 0..limit; s must be normal.
func (s set) not(limit rune) set {
	var out set
	next := rune(0)
	for _, sp := range s {
		if sp.lo > next {
			out = append(out, span{next, sp.lo - 1})
		}
		next = sp.hi + 1
	}
	if next <= limit {
		out = append(out, span{next, limit})
	}
	return out
}

// fold adds the other cases: those of ASCII letters alone in the C locale, the
// Unicode ones under UTF.
func (s set) fold(utf bool) set {
	out := slices.Clone(s)
	for _, sp := range s {
		out = append(out, foldASCII(sp, 'a', 'z', -32)...)
		out = append(out, foldASCII(sp, 'A', 'Z', 32)...)
		if utf {
			out = append(out, foldUnicode(sp)...)
		}
	}
	return out.normal()
}

// foldASCII shifts the part of sp that lies within lo..hi.
func foldASCII(sp span, lo, hi, shift rune) set {
	lo, hi = max(lo, sp.lo), min(hi, sp.hi)
	if lo > hi {
		return nil
	}
	return set{{lo + shift, hi + shift}}
}

// lastFolding is above every character that has another case.
const lastFolding = 0x1e943

func foldUnicode(sp span) set {
	var out set
	for r := sp.lo; r <= min(sp.hi, lastFolding); r++ {
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			out = append(out, span{f, f})
		}
	}
	return out
}

// count is the number of characters in s.
func (s set) count() int {
	n := 0
	for _, sp := range s {
		n += int(sp.hi-sp.lo) + 1
	}
	return n
}
