package nginx

import (
	"github.com/nglimit/nglimit/internal/nginx/pcre"
	"github.com/nglimit/nglimit/parser"
)

// Build works out the effective configuration of a tree. It never fails:
// what nginx would refuse is in Refused, and directives whose arguments make
// no sense are left out, for the parser has reported them.
func Build(tree *parser.Tree) *Config {
	b := &builder{
		config:  &Config{Tree: tree},
		values:  map[string]*Value{},
		regexes: map[regexID]*pcre.Regex{},
	}
	b.roots()
	b.declare()
	if http := b.config.HTTP; http != nil {
		b.conn = ConnZone
		b.fill(http)
	}
	if stream := b.config.Stream; stream != nil {
		b.conn = StreamConnZone
		b.fill(stream)
	}
	b.config.defs = define(b.config)
	b.shareListens()
	b.checkZones()
	b.checkDuplicates()
	b.checkVariables()
	b.sortComplaints()
	return b.config
}

// builder holds what Build needs while it works.
type builder struct {
	config     *Config
	values     map[string]*Value // by text: a large configuration repeats itself
	regexes    map[regexID]*pcre.Regex
	complaints []complaint
	positions  map[*parser.Directive]int
	conn       ZoneKind // of the limit_conn of the part that is being filled
}

// fill works out what is in force in a block and in everything inside it,
// outer levels first, because an inner level takes what the outer one has.
func (b *builder) fill(at *Block) {
	b.merge(at)
	for _, inner := range at.Children {
		b.fill(inner)
	}
}

// unjudged notes a place that nginx accepts and this model does not follow.
func (b *builder) unjudged(at parser.Span, msg string) {
	b.config.Unjudged = append(b.config.Unjudged, &parser.Error{Kind: parser.Unknown, Span: at, Line: at.Start.Line, Msg: msg})
}
