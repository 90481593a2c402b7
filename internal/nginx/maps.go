package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// addMap reads a map block (ngx_http_map_module.c:ngx_http_map).
func (b *builder) addMap(d *parser.Directive) {
	if len(d.Args) != 2 {
		return
	}
	name, ok := b.newVariable(d, 1)
	if !ok {
		return
	}
	m := &Map{Source: b.value(d, 0), Var: name, Dir: d}
	for e := range d.Entries() {
		b.addMapEntry(m, e)
	}
	b.config.Maps = append(b.config.Maps, m)
}

func (b *builder) addMapEntry(m *Map, e *parser.Entry) {
	if len(e.Args) == 1 {
		switch e.Args[0].Value {
		case "hostnames":
			m.Hostnames = true
		case "volatile":
			m.Volatile = true
		}
		return
	}
	if len(e.Args) != 2 {
		return
	}
	entry := &MapEntry{Pattern: e.Args[0].Value, Wildcards: m.Hostnames, Span: e.Span()}
	entry.Result = b.entryValue(m, e)
	switch {
	case entry.Pattern == "default":
		if m.Default != nil {
			b.refuseAt(atParsing, m.Dir, e.Span(), e.Span().End.Line, "duplicate default map parameter")
			return
		}
		m.Default = entry
		return
	case strings.HasPrefix(entry.Pattern, "~"):
		entry.Regex = true
	default:
		entry.Pattern = strings.TrimPrefix(entry.Pattern, `\`)
	}
	m.Entries = append(m.Entries, entry)
}

// entryValue reads the result of an entry, whose line nginx names.
func (b *builder) entryValue(m *Map, e *parser.Entry) *Value {
	text := e.Args[1].Value
	if v := b.values[text]; v != nil {
		return v
	}
	v, fault := ParseValue(text)
	if fault != "" {
		b.refuseAt(atParsing, m.Dir, e.ArgSpan(1), e.Span().End.Line, fault)
	}
	b.values[text] = v
	return v
}

// newVariable reads the "$name" that a block defines.
func (b *builder) newVariable(d *parser.Directive, i int) (string, bool) {
	name, found := strings.CutPrefix(d.Args[i].Value, "$")
	if !found {
		b.refuse(d, d.ArgSpan(i), `invalid variable name "`+d.Args[i].Value+`"`)
		return "", false
	}
	return strings.ToLower(name), name != ""
}
