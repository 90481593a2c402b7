package nginx

import (
	"iter"

	"github.com/nglimit/nglimit/parser"
)

// roots finds the http and stream blocks, or takes the text as a fragment of
// the level that its directives belong to.
func (b *builder) roots() {
	for d := range b.config.Tree.All() {
		switch {
		case !d.Block:
		case d.Name == "http" && b.config.HTTP == nil:
			b.config.HTTP = b.block(HTTPLevel, d, nil, d.All())
		case d.Name == "stream" && b.config.Stream == nil:
			b.config.Stream = b.block(StreamLevel, d, nil, d.All())
		}
	}
	if b.config.HTTP == nil && b.config.Stream == nil && !hasMainContext(b.config.Tree) {
		b.fragment()
	}
}

// hasMainContext tells whether the text is a whole configuration without http.
func hasMainContext(tree *parser.Tree) bool {
	for d := range tree.All() {
		switch d.Name {
		case "events", "mail", "worker_processes", "load_module", "daemon", "pid", "user":
			return true
		}
	}
	return false
}

// fragment implies the blocks that enclose a snippet.
func (b *builder) fragment() {
	all := b.config.Tree.All()
	level := fragmentLevel(all)
	if level == nil {
		return
	}
	b.config.Snippet = true
	if *level == HTTPLevel {
		b.config.HTTP = b.block(HTTPLevel, nil, nil, all)
		return
	}
	b.config.HTTP = b.block(HTTPLevel, nil, nil, none)
	if *level == ServerLevel {
		b.server(nil, b.config.HTTP, all)
		return
	}
	server := b.server(nil, b.config.HTTP, none)
	b.impliedLocation(server, all)
}

func none(func(*parser.Directive) bool) {}

// fragmentLevel is the innermost level that can hold all directives of a
// fragment as far as they tell; directives allowed everywhere are taken at
// the outermost level. Nil when there is no directive at all.
func fragmentLevel(all iter.Seq[*parser.Directive]) *Level {
	var level *Level
	at := func(l Level) *Level { return &l }
	for d := range all {
		switch d.Name {
		case "server", "upstream", "map", "geo", "split_clients", "limit_req_zone", "limit_conn_zone", "log_format":
			return at(HTTPLevel)
		case "location", "listen", "server_name":
			level = at(ServerLevel)
		case "proxy_pass", "fastcgi_pass", "uwsgi_pass", "scgi_pass", "grpc_pass", "memcached_pass",
			"alias", "internal", "limit_except", "empty_gif", "stub_status":
			if level == nil || *level == HTTPLevel {
				level = at(LocationLevel)
			}
		default:
			if level == nil {
				level = at(HTTPLevel)
			}
		}
	}
	return level
}

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
	}
}
