package nginx

import (
	"fmt"
	"iter"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// location makes a location from its directive; one without a pattern is
// left out.
func (b *builder) location(d *parser.Directive, outer *Block) {
	mod, pattern, ok := readLocation(d)
	if !ok {
		return
	}
	l := &Location{Block: &Block{}, Modifier: mod, Pattern: pattern, Outer: outer.Location}
	if mod == RegexMatch || mod == RegexNoCase {
		l.Regex = b.regex(pattern, mod == RegexNoCase, d, d.ArgSpan(len(d.Args)-1))
	}
	b.checkNesting(l, d)
	b.addLocation(l, d, outer, d.All())
}

// impliedLocation is the location that a fragment stands in.
func (b *builder) impliedLocation(s *Server, body iter.Seq[*parser.Directive]) {
	b.addLocation(&Location{Block: &Block{}, Pattern: "/"}, nil, s.Block, body)
}

func (b *builder) addLocation(l *Location, d *parser.Directive, outer *Block, body iter.Seq[*parser.Directive]) {
	l.Location = l
	if l.Outer != nil {
		l.Outer.Inner = append(l.Outer.Inner, l)
	} else if outer.Server != nil {
		outer.Server.Locations = append(outer.Server.Locations, l)
	}
	b.open(l.Block, LocationLevel, d, outer, body)
	l.Internal = len(l.Own("internal")) > 0
}

// readLocation takes the arguments of a location apart, in the order in which
// ngx_http_core_module.c:ngx_http_core_location tries the forms.
func readLocation(d *parser.Directive) (mod Modifier, pattern string, ok bool) {
	switch len(d.Args) {
	case 1:
		mod, pattern = gluedLocation(d.Args[0].Value)
		return mod, pattern, true
	case 2:
		mod, ok = map[string]Modifier{"=": Exact, "^~": PrefixNoRegex, "~": RegexMatch, "~*": RegexNoCase}[d.Args[0].Value]
		return mod, d.Args[1].Value, ok
	}
	return 0, "", false
}

func gluedLocation(text string) (Modifier, string) {
	for _, form := range []struct {
		prefix string
		mod    Modifier
	}{{"=", Exact}, {"^~", PrefixNoRegex}, {"~*", RegexNoCase}, {"~", RegexMatch}} {
		if rest, found := strings.CutPrefix(text, form.prefix); found {
			return form.mod, rest
		}
	}
	if strings.HasPrefix(text, "@") {
		return Named, text
	}
	return Prefix, text
}

// checkNesting refuses locations that nginx does not allow inside their
// enclosing one.
func (b *builder) checkNesting(l *Location, d *parser.Directive) {
	if l.Outer == nil {
		return
	}
	isRegex := l.Modifier == RegexMatch || l.Modifier == RegexNoCase
	switch {
	case l.Outer.Modifier == Exact:
		b.refuse(d, d.HeadSpan(), fmt.Sprintf("location \"%s\" cannot be inside the exact location \"%s\"", l.Pattern, l.Outer.Pattern))
	case l.Outer.Modifier == Named:
		b.refuse(d, d.HeadSpan(), fmt.Sprintf("location \"%s\" cannot be inside the named location \"%s\"", l.Pattern, l.Outer.Pattern))
	case l.Modifier == Named:
		b.refuse(d, d.HeadSpan(), fmt.Sprintf("named location \"%s\" can be on the server level only", l.Pattern))
	case !isRegex && !strings.HasPrefix(l.Pattern, l.Outer.Pattern):
		b.refuse(d, d.HeadSpan(), fmt.Sprintf("location \"%s\" is outside location \"%s\"", l.Pattern, l.Outer.Pattern))
	}
}
