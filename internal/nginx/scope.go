package nginx

import (
	"iter"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// roots finds the http and stream blocks, or takes the text as a fragment of
// the blocks that the parser says enclose it.
func (b *builder) roots() {
	if b.config.Tree.Context != nil {
		b.config.Snippet = true
		b.fragment(b.config.Tree.Context, b.config.Tree.All())
		return
	}
	for d := range b.config.Tree.All() {
		switch {
		case !d.Block:
		case d.Name == "http" && b.config.HTTP == nil:
			b.config.HTTP = b.block(HTTPLevel, d, nil, d.All())
		case d.Name == "stream" && b.config.Stream == nil:
			b.config.Stream = b.block(StreamLevel, d, nil, d.All())
		}
	}
}

// fragment implies the blocks that enclose a snippet; of those that hold no
// limits, such as the inside of a map, nothing is made.
func (b *builder) fragment(context []string, all iter.Seq[*parser.Directive]) {
	switch strings.Join(context, " ") {
	case "http":
		b.config.HTTP = b.block(HTTPLevel, nil, nil, all)
	case "http server":
		b.server(nil, b.impliedHTTP(), all)
	case "http server location":
		b.impliedLocation(b.server(nil, b.impliedHTTP(), none), all)
	case "stream":
		b.config.Stream = b.block(StreamLevel, nil, nil, all)
	case "stream server":
		b.config.Stream = b.block(StreamLevel, nil, nil, none)
		b.block(StreamServerLevel, nil, b.config.Stream, all)
	}
}

func (b *builder) impliedHTTP() *Block {
	b.config.HTTP = b.block(HTTPLevel, nil, nil, none)
	return b.config.HTTP
}

func none(func(*parser.Directive) bool) {}

// block makes a block with its own directives and, recursively, the blocks in it.
func (b *builder) block(level Level, d *parser.Directive, parent *Block, body iter.Seq[*parser.Directive]) *Block {
	at := &Block{}
	b.open(at, level, d, parent, body)
	return at
}

// open is block for a block that is part of something larger.
func (b *builder) open(at *Block, level Level, d *parser.Directive, parent *Block, body iter.Seq[*parser.Directive]) {
	at.Level, at.Dir, at.Parent = level, d, parent
	if parent != nil {
		parent.Children = append(parent.Children, at)
		if at.Server == nil {
			at.Server = parent.Server
		}
		if at.Location == nil {
			at.Location = parent.Location
		}
	}
	at.own = map[string][]*parser.Directive{}
	for inner := range body {
		at.own[inner.Name] = append(at.own[inner.Name], inner)
		at.order = append(at.order, inner)
		if inner.Block {
			b.inner(at, inner)
		}
	}
}

// inner makes the block of d when d is one of the blocks that nginx's
// directives of a level are kept in.
func (b *builder) inner(at *Block, d *parser.Directive) {
	switch at.Level {
	case HTTPLevel:
		switch d.Name {
		case "server":
			b.server(d, at, d.All())
		case "upstream":
			b.upstream(d, at)
		}
	case StreamLevel:
		if d.Name == "server" {
			b.block(StreamServerLevel, d, at, d.All())
		}
	case ServerLevel:
		if d.Name == "location" {
			b.location(d, at)
		}
	case LocationLevel:
		switch d.Name {
		case "location":
			b.location(d, at)
		case "if":
			b.block(IfLevel, d, at, d.All())
		case "limit_except":
			b.block(LimitExceptLevel, d, at, d.All())
		}
	default: // no blocks of their own inside
	}
}
