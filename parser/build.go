package parser

import (
	"math"
	"path"

	"github.com/tufanbarisyildirim/gonginx/config"
)

// What no honest configuration reaches, so that none can exhaust the reader.
const (
	maxDepth  = 256     // includes inside includes
	maxFiles  = 100_000 // inclusions in one tree
	maxErrors = 1000    // faults reported for one tree

	maxDirectives = 5_000_000 // in one tree, before another file is included
	maxText       = 2 << 30   // bytes of all files
)

// level is the block that nginx is in, whatever file its lines stand in.
type level struct {
	in   context
	body body
	seen []*command // directives that may stand here once
	last frame      // the block that was closed last in this level
}

// frame is one open block, or the top of a file.
type frame struct {
	*level
	dir  *Directive // the block; at the top of a file the block that includes it
	base int        // where its directives start in builder.pending
	skip bool       // a block that nginx could not open; its content is not kept
}

// builder makes the tree of one configuration.
type builder struct {
	opts  Options
	tree  *Tree
	name  string // of the root file
	dump  bool   // the root is the output of nginx -T
	base  string // what relative includes are relative to
	chain []Span // the includes that lead to the file being read, outermost first
	names []string

	pending []*Directive // finished directives of all open blocks
	nodes   []node       // unused nodes, made in bulk
	args    []Arg
	params  []config.Parameter

	version   version
	faults    int
	suggested int
	read      int // directives
	text      int // bytes
}

// node is a directive with gonginx's part of it.
type node struct {
	d Directive
	g config.Directive
}

func newBuilder(name string, opts Options) *builder {
	b := &builder{opts: opts, tree: &Tree{}, name: name, version: parseVersion(opts.Version)}
	b.base = baseFolder(name, opts.Prefix)
	return b
}

// root reads the root file.
func (b *builder) root(src []byte) {
	if main, texts := splitDump(src); texts != nil {
		b.name, src = main, texts[path.Clean(main)]
		b.base = baseFolder(main, "")
		b.opts.FS, b.opts.PathMap, b.dump = newTextFiles(texts), nil, true
	}
	f := b.newFile(b.name, src, nil)
	b.tree.Root = f
	b.readFile(f, b.rootLevel(f), nil)
}

func (b *builder) newFile(name string, src []byte, by *Directive) *File {
	f := &File{Name: name, Source: src, IncludedBy: by}
	if len(src) >= math.MaxInt32 {
		f.Source = nil
		f.lines = lineStarts(nil)
		b.addFault(f, &Error{Kind: Unreadable, Span: f.span(0, 0), Line: 1, Msg: "the file is too large: 2 GiB or more"})
	}
	b.text += len(f.Source)
	f.lines = lineStarts(f.Source)
	f.mask = placeholderMask(f.Source)
	b.tree.Files = append(b.tree.Files, f)
	return f
}

// fileReader reads the statements of one file into the tree.
type fileReader struct {
	*builder
	f      *File
	lex    *lexer
	frames []frame

	counted bool // surplus is known
	surplus int  // closing braces that the file has too many
	guesses int
	env     []int32 // start and end of words with placeholders
}

// readFile reads a file whose lines stand in a level; parent is the block
// around them.
func (b *builder) readFile(f *File, at *level, parent *Directive) {
	r := &fileReader{builder: b, f: f, lex: f.lexer()}
	r.lex.fail = r.lexical
	r.lex.comment = r.comment
	r.frames = []frame{{level: at, dir: parent, base: len(b.pending)}}
	for r.statement() {
	}
	for len(r.frames) > 1 {
		r.close(len(f.Source))
	}
	f.Directives = b.take(r.frames[0].base)
	r.reportEnv()
	if f.mask != nil {
		b.onlyTemplate(f)
	}
}

func (r *fileReader) top() *frame { return &r.frames[len(r.frames)-1] }

// statement reads one statement; false at the end of the file.
func (r *fileReader) statement() bool {
	switch end := r.lex.next(); end {
	case endEOF:
		r.endOfFile()
		return false
	case endClose:
		r.closeBrace()
	case endOpen, endSemi:
		switch {
		case len(r.lex.args) == 0: // a lone "{"
			r.push(frame{level: &level{in: inUnknown}, skip: true})
		case r.top().body != directives:
			r.entry(end)
		default:
			r.directive(end)
		}
	}
	return true
}

func (r *fileReader) push(f frame) {
	f.base = len(r.pending)
	if f.dir == nil {
		f.dir = r.top().dir
	}
	r.frames = append(r.frames, f)
}

// endOfFile requires that every block is closed.
func (r *fileReader) endOfFile() {
	if r.lex.fatal || len(r.frames) == 1 {
		return
	}
	end := len(r.f.Source)
	r.lexical(end, end, `unexpected end of file, expecting "}"`)
}

func (r *fileReader) closeBrace() {
	if len(r.frames) == 1 {
		r.lex.unexpected(r.lex.term)
		return
	}
	r.close(r.lex.term + 1)
}

// close ends the innermost block at an offset.
func (r *fileReader) close(end int) {
	fr := *r.top()
	r.frames = r.frames[:len(r.frames)-1]
	if fr.skip {
		r.pending = r.pending[:fr.base]
		return
	}
	d := fr.dir
	d.end = int32(end)
	d.Children = r.take(fr.base)
	setBlock(d)
	r.top().last = fr
}

// take removes the directives above base from pending.
func (b *builder) take(base int) []*Directive {
	ds := append([]*Directive(nil), b.pending[base:]...)
	b.pending = b.pending[:base]
	return ds
}

// setBlock gives gonginx's directive its block.
func setBlock(d *Directive) {
	block := &config.Block{Directives: make([]config.IDirective, len(d.Children))}
	for i, c := range d.Children {
		block.Directives[i] = c.Directive
	}
	d.Directive.Block = block
}

// directive takes one statement of an ordinary block into the tree.
func (r *fileReader) directive(end ending) {
	d := r.newDirective(end)
	r.pending = append(r.pending, d)
	r.markEnv(d)
	if d.Name == "include" && !d.Block && len(d.Args) == 1 {
		if d.Args[0].Template {
			return
		}
		d.Included = r.include(d, d.Args[0].Value, r.top().level)
		return
	}
	c := r.check(d, end)
	switch {
	case d.Block && isLuaBlock(d.Name):
		r.lua(d)
	case d.Block && r.cutRegex(d):
	case d.Block:
		r.open(d, c)
	}
}

// open starts the block of a directive; c is what the table says of it.
func (r *fileReader) open(d *Directive, c *command) {
	in, name := r.top().in, d.Name
	if c != nil {
		name = c.name
		if c.in&in == 0 {
			in = c.in // misplaced: its body is judged all the same
		}
	}
	d.body = bodyKind(name, in)
	r.push(frame{level: &level{in: bodyOf(name, in), body: d.body}, dir: d})
}

// lua takes the body of a Lua block as one piece.
func (r *fileReader) lua(d *Directive) {
	end := skipLua(r.f.Source, r.lex.pos)
	if end < 0 {
		end = len(r.f.Source)
		r.endlessLua(end)
		r.lex.fatal = true
		r.lex.pos = end
	} else {
		d.end = int32(end) + 1
		r.lex.pos = end + 1
	}
	code := r.lex.text[d.term+1 : end]
	d.Directive.Block = &config.Block{IsLuaBlock: true, LiteralCode: code}
}

// endlessLua reports a Lua block without an end (lua-nginx-module,
// ngx_http_lua_conf_read_lua_token).
func (r *fileReader) endlessLua(end int) {
	if at := openBracket(r.f.Source, r.lex.pos); at >= 0 {
		r.lexical(at, at, `Lua code block missing the closing long bracket "`+longBracket(r.f.Source, at)+`", the inlined Lua code may be too long`)
		return
	}
	brace := lastBrace(r.f.Source, r.lex.pos)
	r.lexical(end, brace, "unexpected end of file, expecting terminating characters for lua code block")
}

// newDirective makes a node of the statement just read.
func (r *fileReader) newDirective(end ending) *Directive {
	if len(r.nodes) == 0 {
		r.nodes = make([]node, 64)
	}
	r.read++
	n := &r.nodes[0]
	r.nodes = r.nodes[1:]
	words := r.lex.args
	name := words[0]
	d := &n.d
	*d = Directive{
		Directive: &n.g, Args: r.keep(words[1:]), File: r.f, Parent: r.top().dir, Block: end == endOpen,
		start: name.start, nameEnd: name.end, term: int32(r.lex.term), end: int32(r.lex.term) + 1,
	}
	n.g = config.Directive{Name: name.Value, Line: r.f.point(int(name.start)).Line, Parameters: r.keepParams(words[1:])}
	if d.Parent != nil {
		n.g.Parent = d.Parent.Directive
	}
	return d
}

// keep copies words out of the lexer.
func (b *builder) keep(words []Arg) []Arg {
	if len(b.args) < len(words) {
		b.args = make([]Arg, max(256, len(words)))
	}
	kept := b.args[:len(words):len(words)]
	b.args = b.args[len(words):]
	copy(kept, words)
	return kept
}

func (b *builder) keepParams(words []Arg) []config.Parameter {
	if len(b.params) < len(words) {
		b.params = make([]config.Parameter, max(256, len(words)))
	}
	kept := b.params[:len(words):len(words)]
	b.params = b.params[len(words):]
	for i, w := range words {
		kept[i].Value = w.Raw
	}
	return kept
}

// entry checks one line of a map-like body and reads what it includes.
func (r *fileReader) entry(end ending) {
	words := r.lex.args
	if end == endOpen {
		r.lex.unexpected(r.lex.term)
		r.push(frame{level: &level{in: inUnknown, body: matchBody}, skip: true})
		return
	}
	if r.lex.damaged {
		return
	}
	kind := r.top().body
	if kind.included(words) {
		d := r.newDirective(end)
		files := r.include(d, words[1].Value, r.top().level)
		r.f.entries = append(r.f.entries, entryInclude{at: d.start, files: files})
	} else if msg := kind.refuse(words); msg != "" {
		span := r.f.span(words[0].start, int32(r.lex.term))
		r.fault(&Error{Kind: BadArgs, Span: span, Line: r.f.point(r.lex.term).Line, Msg: msg})
	}
}

func (r *fileReader) comment(start, end int) {
	if n := len(r.f.Comments); n > 0 && r.f.Comments[n-1].Span.Start.Offset >= start {
		return // read again after a guess
	}
	text := r.lex.text[start:end]
	if n := len(text); n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
	}
	r.f.Comments = append(r.f.Comments, Comment{Text: text, Span: r.f.span(int32(start), int32(start+len(text)))})
}
