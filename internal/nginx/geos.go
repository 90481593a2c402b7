package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// maxGeoResults bounds what is kept of a geo of millions of lines; beyond it
// the results are as good as arbitrary text.
const maxGeoResults = 4096

// addGeo reads what reviews need of a geo block: its results.
func (b *builder) addGeo(d *parser.Directive) {
	if len(d.Args) == 0 {
		return
	}
	last := len(d.Args) - 1
	name, ok := b.newVariable(d, last)
	if !ok {
		return
	}
	g := &Geo{Var: name, Dir: d}
	if last == 1 {
		g.Source = b.value(d, 0)
	}
	seen := map[string]bool{}
	for e := range d.Entries() {
		g.add(e, seen)
	}
	b.config.Geos = append(b.config.Geos, g)
}

func (g *Geo) add(e *parser.Entry, seen map[string]bool) {
	word := e.Args[0].Value
	if len(e.Args) == 1 {
		g.Ranges = g.Ranges || word == "ranges"
		return
	}
	if len(e.Args) != 2 || word == "delete" || word == "proxy" {
		return
	}
	result := e.Args[1].Value
	g.HasDefault = g.HasDefault || word == "default"
	g.Longest = max(g.Longest, len(result))
	if result == "" && len(g.Exempt) < maxExempting {
		g.Exempt = append(g.Exempt, e.Span())
	}
	if seen[result] {
		return
	}
	if len(seen) == maxGeoResults {
		g.Many = true
		return
	}
	result = strings.Clone(result)
	seen[result] = true
	g.Results = append(g.Results, result)
}

// maxExempting is how many exempting lines of a geo are remembered.
const maxExempting = 8

// addSplit reads a split_clients block; what its percentages leave over is "".
func (b *builder) addSplit(d *parser.Directive) {
	if len(d.Args) != 2 {
		return
	}
	name, ok := b.newVariable(d, 1)
	if !ok {
		return
	}
	s := &Split{Source: b.value(d, 0), Var: name, Dir: d}
	for e := range d.Entries() {
		if len(e.Args) == 2 {
			s.Results = append(s.Results, strings.Clone(e.Args[1].Value))
			s.Rest = s.Rest || e.Args[0].Value == "*"
		}
	}
	b.config.Splits = append(b.config.Splits, s)
}
