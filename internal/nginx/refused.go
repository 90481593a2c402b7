package nginx

import (
	"cmp"
	"slices"

	"github.com/nglimit/nglimit/parser"
)

// complaint is one reason for nginx not to start.
type complaint struct {
	stage stage
	dir   *parser.Directive
	err   *parser.Error
}

// stage orders what nginx finds: it stops at the first.
type stage uint8

const (
	atParsing   stage = iota // ngx_conf_parse, directive by directive
	atLocations              // ngx_http.c:ngx_http_init_locations
	atVariables              // ngx_http_variables.c:ngx_http_variables_init_vars
	atZones                  // ngx_cycle.c:ngx_init_cycle, after the whole configuration
)

// refuse notes what nginx would not start with, in its own words, at the line
// on which d ends its arguments.
func (b *builder) refuse(d *parser.Directive, at parser.Span, msg string) {
	b.refuseAt(atParsing, d, at, d.TermSpan().Start.Line, msg)
}

// refuseAt is refuse for what nginx finds later; line is 0 where it names none.
func (b *builder) refuseAt(s stage, d *parser.Directive, at parser.Span, line int, msg string) {
	b.complaints = append(b.complaints, complaint{s, d, &parser.Error{Kind: parser.BadArgs, Span: at, Line: line, Msg: msg}})
}

// sortComplaints puts the complaints into the order in which nginx would meet
// them, were each the only one.
func (b *builder) sortComplaints() {
	if len(b.complaints) == 0 {
		return
	}
	slices.SortStableFunc(b.complaints, func(x, y complaint) int {
		return cmp.Or(cmp.Compare(x.stage, y.stage), cmp.Compare(b.position(x.dir), b.position(y.dir)))
	})
	for _, r := range b.complaints {
		b.config.Refused = append(b.config.Refused, r.err)
	}
}

// position counts the directives that nginx reads before this one.
func (b *builder) position(d *parser.Directive) int {
	if b.positions == nil {
		b.positions = map[*parser.Directive]int{}
		for d := range everyDirective(b.config.Tree) {
			b.positions[d] = len(b.positions)
		}
	}
	return b.positions[d]
}

// everyDirective yields all directives in the order in which nginx reads them.
func everyDirective(tree *parser.Tree) func(func(*parser.Directive) bool) {
	return func(yield func(*parser.Directive) bool) {
		for d := range tree.All() {
			if !everyIn(d, yield) {
				return
			}
		}
	}
}

func everyIn(d *parser.Directive, yield func(*parser.Directive) bool) bool {
	if !yield(d) {
		return false
	}
	for inner := range d.All() {
		if !everyIn(inner, yield) {
			return false
		}
	}
	return true
}

// incomplete tells whether something that the configuration needs may stand
// in text that was not given or not read.
func (b *builder) incomplete() bool {
	if b.config.Snippet {
		return true
	}
	for _, e := range b.config.Tree.Errors {
		if e.Kind != parser.BadArgs && e.Kind != parser.BadContext {
			return true
		}
	}
	return false
}
