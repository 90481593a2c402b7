package parser

import (
	"iter"

	"github.com/tufanbarisyildirim/gonginx/config"
)

// Arg is one argument of a directive.
type Arg struct {
	Value string // decoded as nginx decodes it
	Raw   string // the bytes of the source, quotes included
	Quote byte   // '"', '\'' or 0
	// Template tells that the argument holds a placeholder of a template
	// language, so that its value is not known.
	Template bool

	start, end int32 // byte offsets in the file
}

// Directive is one directive of a configuration. The embedded directive of
// gonginx carries name, raw parameters, block and line, so that gonginx's
// queries and dumper work on the tree.
type Directive struct {
	*config.Directive

	Args     []Arg
	File     *File
	Parent   *Directive   // the enclosing block, also across an include; nil at the top
	Children []*Directive // directives of the block in source order, include directives as such
	Block    bool         // has braces
	Included []*File      // the files that an include brought here, in nginx's order

	// byte offsets: name, the ';' or '{' that ends the arguments, the end of the whole
	start, nameEnd, term, end int32

	body body
}

// Span covers the whole directive, block included.
func (d *Directive) Span() Span { return d.File.span(d.start, d.end) }

// NameSpan covers the directive's name.
func (d *Directive) NameSpan() Span { return d.File.span(d.start, d.nameEnd) }

// HeadSpan covers name and arguments, without ";" or the block.
func (d *Directive) HeadSpan() Span { return d.File.span(d.start, d.term) }

// TermSpan covers the ";" or "{": the place whose line nginx reports.
func (d *Directive) TermSpan() Span { return d.File.span(d.term, d.term+1) }

// ArgSpan covers argument i.
func (d *Directive) ArgSpan(i int) Span { return d.File.span(d.Args[i].start, d.Args[i].end) }

// All yields the directives of the block with every include replaced by what
// it brought in, as nginx sees them.
func (d *Directive) All() iter.Seq[*Directive] { return flat(d.Children) }

func flat(ds []*Directive) iter.Seq[*Directive] {
	return func(yield func(*Directive) bool) { flatten(ds, yield) }
}

func flatten(ds []*Directive, yield func(*Directive) bool) bool {
	for _, d := range ds {
		if len(d.Included) == 0 {
			if !yield(d) {
				return false
			}
			continue
		}
		for _, f := range d.Included {
			if !flatten(f.Directives, yield) {
				return false
			}
		}
	}
	return true
}
