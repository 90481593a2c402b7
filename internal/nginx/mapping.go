package nginx

import (
	"bytes"
	"strings"

	"github.com/nglimit/nglimit/internal/nginx/pcre"
)

// mapping is a map block made ready.
type mapping struct {
	id        int // of its memo
	source    *text
	hostnames bool
	exact     map[string]*text
	hosts     *hostTable[*text]
	regexes   []mapRegex
	fallback  *text
	reach     []*regexProgram // that may leave captures behind, those of maps in results included
}

type mapRegex struct {
	regex  *regexProgram
	result *text
}

// compileMap follows src/http/modules/ngx_http_map_module.c:ngx_http_map.
func (p *program) compileMap(m *Map) *mapping {
	out := &mapping{
		id: len(p.maps), source: p.compile(m.Source), hostnames: m.Hostnames,
		exact: map[string]*text{}, hosts: newHostTable[*text](), fallback: &text{},
	}
	p.maps = append(p.maps, out)
	if m.Default != nil {
		out.fallback = p.compile(m.Default.Result)
	}
	for _, e := range m.Entries {
		result := p.compile(e.Result)
		switch {
		case e.Regex:
			pattern, caseless := mapPattern(e.Pattern)
			out.regexes = append(out.regexes, mapRegex{p.compileRegex(pattern, caseless), result})
		case e.Wildcards && isWildcard(e.Pattern):
			out.hosts.add(strings.ToLower(e.Pattern), result)
		default:
			put(out.exact, strings.ToLower(e.Pattern), result)
		}
	}
	return out
}

func mapPattern(text string) (pattern string, caseless bool) {
	pattern = strings.TrimPrefix(text, "~")
	if rest, ok := strings.CutPrefix(pattern, "*"); ok {
		return rest, true
	}
	return pattern, false
}

func isWildcard(pattern string) bool {
	return strings.HasPrefix(pattern, ".") || strings.HasPrefix(pattern, "*.") || strings.HasSuffix(pattern, ".*")
}

// mapHit is what one input leads to, with the captures of the expression that
// matched; miss when an expression could not be run.
type mapHit struct {
	result  *text
	regex   *regexProgram
	ovector []int
	subject []byte
	miss    string
}

// mapMemo remembers hits by input, in two generations so that it stays small.
type mapMemo struct{ young, old map[string]*mapHit }

// mapMemoSize is how many inputs one generation of a memo holds, and
// mapMemoInput the length in bytes above which an input is not kept.
const (
	mapMemoSize  = 4096
	mapMemoInput = 2048
)

func getMap(s *state, v *evalVar) datum {
	m := v.mapping
	in := s.value(m.source)
	if in.unknown() {
		return s.mapUnknown(m, in.miss)
	}
	hit := s.mapHit(m, in.b)
	if hit.miss != "" {
		return missing(hit.miss)
	}
	if hit.regex != nil {
		s.capture(hit.regex, hit.subject, hit.ovector)
	}
	return s.value(hit.result)
}

// mapUnknown is the value when the input is missing: known only if every line
// of the map leads to the same constant.
func (s *state) mapUnknown(m *mapping, why string) datum {
	for _, r := range m.reach {
		s.captureNothing(r, why)
	}
	if !m.constant() {
		return missing(why)
	}
	return known(m.fallback.literal)
}

// findReach finds the expressions that evaluating a map may run.
func (p *program) findReach() {
	for _, m := range p.maps {
		seen := p.read(m)
		for _, r := range m.regexes {
			m.reach = append(m.reach, r.regex)
		}
		for i := range p.vars {
			if inner := p.vars[i].mapping; seen[i] && inner != nil && inner != m {
				for _, r := range inner.regexes {
					m.reach = append(m.reach, r.regex)
				}
			}
		}
	}
}

// read are the variables that the results of a map are made of, directly or
// through others.
func (p *program) read(m *mapping) map[int]bool {
	seen := map[int]bool{}
	for _, t := range m.texts()[1:] {
		for _, part := range t.parts {
			if part.v >= 0 {
				p.noteVar(part.v, seen)
			}
		}
	}
	return seen
}

// constant tells whether every line leads to the same constant.
func (m *mapping) constant() bool {
	same := func(t *text) bool {
		return len(t.parts) == 0 && bytes.Equal(t.literal, m.fallback.literal)
	}
	if len(m.fallback.parts) > 0 {
		return false
	}
	for _, table := range []map[string]*text{m.exact, m.hosts.head, m.hosts.within, m.hosts.tail} {
		for _, t := range table {
			if !same(t) {
				return false
			}
		}
	}
	for _, r := range m.regexes {
		if !same(r.result) {
			return false
		}
	}
	return true
}

func (s *state) mapHit(m *mapping, in []byte) *mapHit {
	memo := &s.memos[m.id]
	if hit := memo.young[string(in)]; hit != nil {
		return hit
	}
	hit := memo.old[string(in)]
	if hit == nil {
		hit = s.lookup(m, bytes.Clone(in))
	}
	if len(in) > mapMemoInput {
		return hit
	}
	if len(memo.young) >= mapMemoSize || memo.young == nil {
		memo.old, memo.young = memo.young, map[string]*mapHit{}
	}
	memo.young[string(in)] = hit
	return hit
}

// lookup searches the map: exact text, wildcards, then regular expressions in
// order (src/http/ngx_http_variables.c:ngx_http_map_find).
func (s *state) lookup(m *mapping, in []byte) *mapHit {
	low := bytes.Clone(in)
	lower(low)
	if m.hostnames && len(low) > 0 && low[len(low)-1] == '.' {
		low = low[:len(low)-1]
	}
	if t := m.exact[string(low)]; t != nil {
		return &mapHit{result: t}
	}
	if t, ok := m.hosts.find(low); ok {
		return &mapHit{result: t}
	}
	if len(in) > 0 {
		for _, r := range m.regexes {
			if r.regex.regex == nil {
				return &mapHit{miss: "regular expression " + r.regex.text}
			}
			result, ovector := r.regex.regex.Match(in, make([]int, 0, 2+2*r.regex.regex.NumCaptures()))
			switch result {
			case pcre.Match:
				return &mapHit{result: r.result, regex: r.regex, ovector: ovector, subject: in}
			case pcre.Failed: // nginx gives up and takes the default
				return &mapHit{result: m.fallback}
			case pcre.NoMatch:
			}
		}
	}
	return &mapHit{result: m.fallback}
}
