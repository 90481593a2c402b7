package nginx

import (
	"sort"

	"github.com/nglimit/nglimit/internal/nginx/pcre"
)

// level is one set of locations that are searched together: those of a
// server or those nested in a location.
type level struct {
	exact    map[string]*locationProgram
	prefixes map[string]*locationProgram
	lengths  []int                       // of the prefixes, longest first
	slashes  map[string]*locationProgram // "/a" to "/a/", when that one redirects to itself
	regexes  []*locationProgram
}

func newLevel(locations []*locationProgram) *level {
	if len(locations) == 0 {
		return nil
	}
	l := &level{exact: map[string]*locationProgram{}, prefixes: map[string]*locationProgram{}, slashes: map[string]*locationProgram{}}
	seen := map[int]bool{}
	for _, loc := range locations {
		switch loc.location.Modifier {
		case Exact:
			l.exact[loc.pattern] = loc
		case Prefix, PrefixNoRegex:
			l.prefixes[loc.pattern] = loc
			if n := len(loc.pattern); !seen[n] {
				seen[n] = true
				l.lengths = append(l.lengths, n)
			}
		case RegexMatch, RegexNoCase:
			l.regexes = append(l.regexes, loc)
			continue
		case Named:
			continue
		}
	}
	for _, loc := range locations {
		if loc.slashRedirect {
			l.slashes[loc.pattern[:len(loc.pattern)-1]] = l.at(loc.pattern)
		}
	}
	sort.Sort(sort.Reverse(sort.IntSlice(l.lengths)))
	return l
}

// at is the location whose settings count at a name: the exact one before the
// prefix of that name.
func (l *level) at(name string) *locationProgram {
	if loc := l.exact[name]; loc != nil {
		return loc
	}
	return l.prefixes[name]
}

// static finds the exact or the longest prefix location
// (src/http/ngx_http_core_module.c:ngx_http_core_find_static_location).
func (l *level) static(uri []byte) (loc *locationProgram, exact, slash bool) {
	if loc = l.exact[string(uri)]; loc != nil {
		return loc, true, false
	}
	if loc = l.slashes[string(uri)]; loc != nil && l.prefixes[string(uri)] == nil {
		return loc, false, true
	}
	for _, n := range l.lengths {
		if n > len(uri) {
			continue
		}
		if loc = l.prefixes[string(uri[:n])]; loc != nil {
			return loc, false, false
		}
	}
	return nil, false, false
}

// outcome of a search for a location.
type outcome uint8

const (
	notFound  outcome = iota
	prefixHit         // regexes of outer levels may still win
	found
	slashRedirect
	searchFailed // a regular expression ran into its limits
)

// locate searches one level and what is nested in it
// (src/http/ngx_http_core_module.c:ngx_http_core_find_location).
func (s *state) locate(l *level, uri []byte) (*locationProgram, outcome) {
	if l == nil {
		return nil, notFound
	}
	best, exact, slash := l.static(uri)
	switch {
	case exact:
		return best, found
	case slash:
		return best, slashRedirect
	}
	noRegex := false
	if best != nil {
		noRegex = best.location.Modifier == PrefixNoRegex
		inner, how := s.locate(best.inner, uri)
		if inner != nil {
			best = inner
		}
		if how >= found {
			return best, how
		}
	}
	if !noRegex {
		if loc, how := s.locateRegex(l, uri); how != notFound {
			return loc, how
		}
	}
	if best == nil {
		return nil, notFound
	}
	return best, prefixHit
}

func (s *state) locateRegex(l *level, uri []byte) (*locationProgram, outcome) {
	for _, loc := range l.regexes {
		switch s.match(loc.regex, known(uri)) {
		case pcre.Failed:
			return nil, searchFailed
		case pcre.Match:
			inner, how := s.locate(loc.innerRegexes, uri)
			if how == searchFailed {
				return nil, how
			}
			if inner != nil {
				return inner, found
			}
			return loc, found
		case pcre.NoMatch:
		}
	}
	return nil, notFound
}
