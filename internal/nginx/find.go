package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/internal/nginx/pcre"
)

// Find is the location that nginx picks for a path that is normalized
// already; nil for the server itself. Sure is false where a regular
// expression that cannot be run here might have matched first. The redirect
// from "/a" to a proxying "/a/" is left to Router.
func (s *Server) Find(path string) (l *Location, sure bool) {
	l, _, sure = findIn(s.Locations, path)
	return l, sure
}

// findIn searches one level and what is nested in it; final tells that no
// outer regular expression may win (ngx_http_core_module.c:ngx_http_core_find_location).
func findIn(locations []*Location, path string) (best *Location, final, sure bool) {
	best = findStatic(locations, path)
	if best != nil && best.Modifier == Exact {
		return best, true, true
	}
	noRegex := best != nil && best.Modifier == PrefixNoRegex
	if best != nil {
		inner, final, sure := findIn(best.Inner, path)
		if inner != nil {
			best = inner
		}
		if final || !sure {
			return best, final, sure
		}
	}
	if noRegex {
		return best, false, true
	}
	if l, sure := findRegex(locations, path); l != nil || !sure {
		return l, true, sure
	}
	return best, false, true
}

func findStatic(locations []*Location, path string) (best *Location) {
	for _, l := range locations {
		switch {
		case l.Modifier == Exact && l.Pattern == path:
			return l
		case l.Modifier != Prefix && l.Modifier != PrefixNoRegex:
		case strings.HasPrefix(path, l.Pattern) && (best == nil || len(l.Pattern) > len(best.Pattern)):
			best = l
		}
	}
	return best
}

func findRegex(locations []*Location, path string) (l *Location, sure bool) {
	for _, l := range locations {
		if l.Modifier != RegexMatch && l.Modifier != RegexNoCase {
			continue
		}
		if l.Regex == nil {
			return nil, false
		}
		switch result, _ := l.Regex.Match([]byte(path), nil); result {
		case pcre.Failed:
			return nil, false
		case pcre.Match:
			if inner, sure := findRegex(l.Inner, path); inner != nil || !sure {
				return inner, sure
			}
			return l, true
		case pcre.NoMatch:
		}
	}
	return nil, true
}

// Named is the location "@name" of the server; nil when it has none.
func (s *Server) Named(name string) *Location {
	for _, l := range s.Locations {
		if l.Modifier == Named && l.Pattern == name {
			return l
		}
	}
	return nil
}
