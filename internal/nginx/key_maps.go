package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// mapShape is what a map's variable can be. A source of which all values are
// known takes exactly the entries that it can reach.
func (a *analysis) mapShape(m *Map, on assumption) shape {
	from := a.value(m.Source, on)
	w := &mapWalk{analysis: a, m: m, from: from, on: on, seen: map[*Value]bool{}}
	if from.finite() && len(from.unknown) == 0 {
		w.finite()
	} else {
		w.all()
	}
	span := m.Dir.HeadSpan()
	sum := w.sum
	sum.chosen = mergeSources(via(span, sum.chosen), via(span, mergeSources(from.parts, from.chosen)))
	sum.parts = via(span, sum.parts)
	sum.late, sum.fixed = union(sum.late, from.late), union(sum.fixed, from.fixed)
	return sum
}

// mapWalk sums up the results of a map.
type mapWalk struct {
	*analysis
	m    *Map
	from shape
	on   assumption
	seen map[*Value]bool // constant results
	sum  shape
	any  bool
}

func (w *mapWalk) add(s shape) {
	if !w.any {
		w.sum, w.any = s, true
		return
	}
	w.sum = w.sum.or(s)
}

// all takes every entry; the default without those texts that have entries.
func (w *mapWalk) all() {
	emptyHasEntry := false
	for _, e := range w.m.Entries {
		emptyHasEntry = emptyHasEntry || w.exact(e) && e.Pattern == ""
		w.entry(e)
	}
	w.fallback(emptyHasEntry)
}

// finite takes the entries that the known texts of the source reach. Regular
// expressions are not run here: with any, all of them and the default count.
func (w *mapWalk) finite() {
	for _, text := range w.from.literals {
		if e := w.lookup(text); e != nil {
			w.entry(e)
			continue
		}
		if text != "" {
			for _, e := range w.m.Entries {
				if !w.exact(e) {
					w.entry(e)
				}
			}
		}
		w.fallback(text != "")
	}
}

// exact tells whether the entry is a text that is compared as a whole.
func (w *mapWalk) exact(e *MapEntry) bool {
	wildcard := e.Wildcards && (strings.HasPrefix(e.Pattern, ".") || strings.Contains(e.Pattern, "*"))
	return !e.Regex && !wildcard
}

func (w *mapWalk) lookup(text string) *MapEntry {
	for _, e := range w.m.Entries {
		if w.exact(e) && strings.EqualFold(e.Pattern, text) {
			return e
		}
	}
	return nil
}

// entry adds the result of an entry.
func (w *mapWalk) entry(e *MapEntry) {
	on := w.on
	if v := singleVariable(w.m.Source); v != "" {
		on.variable, on.exact, on.text = v, w.exact(e), e.Pattern
	}
	if e.Regex {
		on.groups, on.pattern = &w.from, strings.TrimPrefix(e.Pattern[1:], "*")
	}
	w.result(e.Result, on, e.Span, e.Pattern)
}

// fallback adds what comes out when no entry matches. notEmpty tells that the
// source has a text then.
func (w *mapWalk) fallback(notEmpty bool) {
	on := w.on
	if v := singleVariable(w.m.Source); v != "" && notEmpty {
		on.variable, on.exact = v, false
	}
	if w.m.Default != nil {
		w.result(w.m.Default.Result, on, w.m.Default.Span, "default")
		return
	}
	none := literalShape("")
	none.empties = []Emptiness{{
		Kind: EmptyNoDefault, Variable: w.m.Var, Why: "the map has no default", Span: w.m.Dir.HeadSpan(), By: w.choosers(),
	}}
	w.add(none)
}

func (w *mapWalk) result(v *Value, on assumption, span parser.Span, pattern string) {
	if v.Constant() {
		if w.seen[v] && v.Text != "" {
			return
		}
		w.seen[v] = true
	}
	s := w.value(v, on)
	s.parts = via(span, s.parts)
	if v.Text == "" {
		s.empties = []Emptiness{{
			Kind: EmptyExempt, Variable: w.m.Var, Why: "an entry makes it empty", Span: span, Pattern: pattern, By: w.choosers(),
		}}
	}
	w.add(s)
}

func (w *mapWalk) choosers() []Source { return mergeSources(w.from.parts, w.from.chosen) }

// singleVariable is the name of the variable that the text consists of.
func singleVariable(v *Value) string {
	if v != nil && len(v.Parts) == 1 && !isDigit(v.Parts[0].Var) {
		return v.Parts[0].Var
	}
	return ""
}

// geoShape is what a geo's variable can be: one of its texts.
func (a *analysis) geoShape(g *Geo) shape {
	from := a.stock("remote_addr")
	if g.Source != nil {
		from = a.value(g.Source, assumption{})
	}
	sum := literalShapes(g.Results)
	sum.more = sum.more || g.Many
	sum.max = max(sum.max, g.Longest)
	by := mergeSources(from.parts, from.chosen)
	for _, span := range g.Exempt {
		sum.empties = append(sum.empties, Emptiness{Kind: EmptyExempt, Variable: g.Var, Why: "an entry makes it empty", Span: span, By: by})
	}
	if !g.HasDefault {
		none := literalShape("")
		none.empties = []Emptiness{{Kind: EmptyNoDefault, Variable: g.Var, Why: "the geo has no default", Span: g.Dir.HeadSpan(), By: by}}
		sum = sum.or(none)
	}
	sum.chosen = via(g.Dir.HeadSpan(), by)
	return sum
}

func (a *analysis) splitShape(s *Split) shape {
	from := a.value(s.Source, assumption{})
	sum := literalShapes(s.Results)
	if !s.Rest {
		none := literalShape("")
		none.empties = []Emptiness{{Kind: EmptyNoDefault, Variable: s.Var, Why: "the percentages leave some over", Span: s.Dir.HeadSpan()}}
		sum = sum.or(none)
	}
	sum.chosen = via(s.Dir.HeadSpan(), mergeSources(from.parts, from.chosen))
	return sum
}

func literalShapes(texts []string) shape {
	sum := shape{}
	for i, text := range texts {
		if i == 0 {
			sum = literalShape(text)
		} else {
			sum = sum.or(literalShape(text))
		}
	}
	return sum
}
