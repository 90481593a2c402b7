package parser

import "github.com/tufanbarisyildirim/gonginx/config"

// Gonginx makes gonginx's own tree of one file, complete with comments and
// the entries of map-like bodies, for its dumper. Nothing is wrapped in
// gonginx's types for single directives, which reorder what they hold.
func (f *File) Gonginx() *config.Config {
	w := &gonginxWriter{f: f, comments: f.Comments}
	return &config.Config{FilePath: f.Name, Block: &config.Block{Directives: w.block(f.Directives, nil, int32(len(f.Source)))}}
}

// gonginxWriter walks one file; comments are those not yet placed.
type gonginxWriter struct {
	f        *File
	comments []Comment
}

// block makes the directives of one block, which ends at an offset.
func (w *gonginxWriter) block(ds []*Directive, parent *config.Directive, end int32) []config.IDirective {
	out := make([]config.IDirective, 0, len(ds)+1)
	for _, d := range ds {
		g := w.directive(string(w.f.Source[d.start:d.nameEnd]), d.Args, d.start, d.term, parent)
		switch {
		case d.MapLike():
			g.Block = &config.Block{Directives: w.entries(d, g)}
		case d.Block && len(d.Children) == 0 && isLuaBlock(d.Name):
			g.Block = d.Directive.Block
		case d.Block:
			g.Block = &config.Block{Directives: w.block(d.Children, g, d.end)}
		default:
			w.inline(g, d.end)
		}
		out = append(out, g)
	}
	return append(out, w.tail(parent, end)...)
}

// directive makes one directive with the comments that stand before its end.
func (w *gonginxWriter) directive(name string, args []Arg, start, term int32, parent *config.Directive) *config.Directive {
	g := &config.Directive{Name: name, Line: w.f.point(int(start)).Line, Comment: w.before(term)}
	for _, a := range args {
		g.Parameters = append(g.Parameters, config.Parameter{Value: a.Raw})
	}
	if parent != nil {
		g.Parent = parent
	}
	return g
}

// before takes the comments that start before an offset.
func (w *gonginxWriter) before(end int32) (texts []string) {
	for len(w.comments) > 0 && w.comments[0].Span.Start.Offset < int(end) {
		texts = append(texts, w.comments[0].Text)
		w.comments = w.comments[1:]
	}
	return texts
}

// inline takes the comment that follows on the line where a directive ends.
func (w *gonginxWriter) inline(g *config.Directive, end int32) {
	if len(w.comments) > 0 && w.comments[0].Span.Start.Line == w.f.point(int(end)).Line {
		between := w.f.Source[end:w.comments[0].Span.Start.Offset]
		for _, ch := range between {
			if ch != ' ' && ch != '\t' {
				return
			}
		}
		g.SetInlineComment(config.InlineComment{Value: " " + w.comments[0].Text})
		w.comments = w.comments[1:]
	}
}

// tail is a directive without a name that carries the last comments of a
// block; the dumper prints them alone.
func (w *gonginxWriter) tail(parent *config.Directive, end int32) []config.IDirective {
	texts := w.before(end)
	if texts == nil {
		return nil
	}
	g := &config.Directive{Comment: texts}
	if parent != nil {
		g.Parent = parent
	}
	return []config.IDirective{g}
}

// entries makes the entries of a map-like body, includes as they stand.
func (w *gonginxWriter) entries(d *Directive, parent *config.Directive) []config.IDirective {
	var out []config.IDirective
	l := w.f.lexer()
	l.pos = int(d.term) + 1
	for l.pos < int(d.end) {
		end := l.next()
		if end == endClose || end == endEOF {
			break
		}
		if len(l.args) == 0 {
			continue
		}
		g := w.directive(l.args[0].Raw, l.args[1:], l.args[0].start, int32(l.term), parent)
		w.inline(g, int32(l.term)+1)
		out = append(out, g)
	}
	return append(out, w.tail(parent, d.end)...)
}
