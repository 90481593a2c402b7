package parser

import "iter"

// File is one inclusion of one file: a file included twice is two Files.
type File struct {
	Name       string
	Source     []byte
	Directives []*Directive
	Comments   []Comment
	IncludedBy *Directive // nil for the root
	Errors     []*Error   // found in this inclusion

	lines   []int32        // where lines start
	mask    []byte         // Source with template placeholders blanked; nil: there are none
	entries []entryInclude // the includes inside map-like bodies, by offset
}

// Comment is one comment with its "#" and without its line end.
type Comment struct {
	Text string
	Span Span
}

// Tree is one configuration: a root file and all it includes.
type Tree struct {
	Root   *File
	Files  []*File  // every inclusion in the order nginx opens them; Files[0] is Root
	Errors []*Error // of all files: what nginx would refuse or could not be read
	Notes  []*Error // what nginx accepts here but could not be judged, such as unknown third-party directives

	// Context names the blocks that a bare text is the inside of, outermost
	// first, as ("http", "server"); nil for a whole configuration.
	Context []string
}

// All yields the top-level directives with includes expanded.
func (t *Tree) All() iter.Seq[*Directive] { return flat(t.Root.Directives) }
