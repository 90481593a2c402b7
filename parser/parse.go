package parser

import (
	"io/fs"
)

// Options say where a configuration's files are and how to take them.
type Options struct {
	// Read returns the bytes of a file. Names are as nginx would open them,
	// after PathMap; Stat and ReadDir serve include patterns.
	FS FS
	// Prefix is nginx's -p: the base of relative includes when the root is
	// not a file. Empty: the folder of the root file.
	Prefix string
	// PathMap rewrites the beginnings of paths: /etc/nginx → ./deploy/nginx.
	PathMap []PathMapping
	// Context forces the block that the root file's text is taken to stand
	// in, outermost first ("http", "server"); nil infers it.
	Context []string
	// Version is the nginx to judge by, as "1.22.1". Empty or unreadable: the
	// newest one known here, and what older ones had besides.
	Version string
}

// PathMapping replaces the path prefix From by To.
type PathMapping struct{ From, To string }

// FS is the part of a file system that reading a configuration needs.
type FS interface {
	ReadFile(name string) ([]byte, error)
	ReadDir(name string) ([]fs.DirEntry, error)
	Stat(name string) (fs.FileInfo, error)
}

// Parse reads the configuration whose root file is name. It never fails as a
// whole: what could not be read is in Tree.Errors. A root that is the output
// of nginx -T is taken apart into the files that it holds.
func Parse(name string, opts Options) *Tree {
	b := newBuilder(name, opts)
	src, err := opts.FS.ReadFile(b.located(name))
	b.root(src)
	if err != nil {
		start := Point{Line: 1, Column: 1}
		b.addFault(b.tree.Root, cannotOpen(Span{File: name, Start: start, End: start}, 1, name, err))
	}
	return b.tree
}

// ParseBytes is Parse with the text of the root file given. The text is kept,
// and must not be changed afterwards.
func ParseBytes(name string, src []byte, opts Options) *Tree {
	b := newBuilder(name, opts)
	b.root(src)
	return b.tree
}
