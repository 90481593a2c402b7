package parser

import "slices"

// enclosing are the blocks that a bare text may be the inside of, from the
// outermost to the innermost: what fits several is taken for the first.
var enclosing = [...]struct {
	in    context
	names []string
}{
	{inMain, nil},
	{inHTTP, []string{"http"}},
	{inServer, []string{"http", "server"}},
	{inLocation, []string{"http", "server", "location"}},
	{inUpstream, []string{"http", "upstream"}},
	{inStream, []string{"stream"}},
	{inStreamServer, []string{"stream", "server"}},
	{inStreamUpstream, []string{"stream", "upstream"}},
	{inEvents, []string{"events"}},
	{inMail, []string{"mail"}},
	{inMailServer, []string{"mail", "server"}},
}

// sampled bounds how many statements are looked at to infer the context.
const sampled = 10_000

// rootLevel says what block the text of the root file stands in.
func (b *builder) rootLevel(f *File) *level {
	if b.opts.Context != nil {
		in, names := namedContext(b.opts.Context)
		b.tree.Context = names
		return &level{in: in}
	}
	top := topLevel(f)
	if top.onlyMain {
		return &level{in: inMain}
	}
	if top.known == 0 && top.foreign > 0 && top.impossible > 0 {
		b.tree.Context = []string{"http", "map"}
		return &level{in: inUnknown, body: splitBody}
	}
	best := 0
	for i := range enclosing {
		if top.fits[i] > top.fits[best] {
			best = i
		}
	}
	b.tree.Context = enclosing[best].names
	return &level{in: enclosing[best].in}
}

// namedContext reads the names of enclosing blocks, of which the outer ones
// may be missing.
func namedContext(names []string) (context, []string) {
	if len(names) == 0 || names[len(names)-1] == "main" {
		return inMain, nil
	}
	for i := range enclosing {
		all := enclosing[i].names
		if n := len(all) - len(names); n >= 0 && slices.Equal(all[n:], names) {
			return enclosing[i].in, all
		}
	}
	return inUnknown, names
}

// topStatements is what the statements outside of any block say.
type topStatements struct {
	onlyMain   bool // one of them can stand nowhere but in the main context
	known      int
	foreign    int // names that nginx does not have
	impossible int // of these, names that no directive can have
	fits       [len(enclosing)]int
}

func topLevel(f *File) (top topStatements) {
	l := f.lexer()
	depth, inside := 0, ""
	for range sampled {
		end := l.next()
		switch {
		case end == endEOF:
			return top
		case end == endClose:
			depth = max(depth-1, 0)
			continue
		case len(l.args) == 0:
		case depth == 0:
			inside = l.args[0].Value
			top.add(inside, end)
		case depth == 1 && inside == "server":
			top.addInServer(l.args[0].Value)
		}
		if end == endOpen && !l.skippedLua() {
			depth++
		}
		if top.onlyMain {
			return top
		}
	}
	return top
}

func (t *topStatements) add(name string, end ending) {
	entries := lookup(name)
	var in context
	for i := range entries {
		if entries[i].block == (end == endOpen) {
			in |= entries[i].in
		}
	}
	if in == 0 {
		if len(entries) == 0 && thirdParty(name) == "" {
			t.foreign++
			if !possibleName(name) {
				t.impossible++
			}
		}
		return
	}
	t.known++
	t.onlyMain = t.onlyMain || in == inMain
	for i := range enclosing {
		if in&enclosing[i].in != 0 {
			t.fits[i]++
		}
	}
}

// addInServer tells servers of http from those of stream by what they hold.
func (t *topStatements) addInServer(name string) {
	var in context
	for _, c := range lookup(name) {
		in |= c.in
	}
	for i := range enclosing {
		outer := enclosing[i].in
		if outer == inHTTP && in&inServer != 0 || outer == inStream && in&inStreamServer != 0 {
			t.fits[i]++
		}
	}
}

// skippedLua goes past the body of the Lua block that was just opened; false
// if the block is none.
func (l *lexer) skippedLua() bool {
	if len(l.args) == 0 || !isLuaBlock(l.args[0].Value) {
		return false
	}
	end := skipLua(l.src, l.pos)
	if end < 0 {
		end = len(l.src) - 1
	}
	l.pos = end + 1
	return true
}
