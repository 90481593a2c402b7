package parser

import (
	"iter"
	"sort"
)

// Entry is one line of a map-like body (map, geo, types, split_clients,
// charset_map): not a directive, and not kept in memory.
type Entry struct {
	Args []Arg // the first word included
	File *File

	start, end int32
}

// Span covers the entry up to its ";".
func (e *Entry) Span() Span { return e.File.span(e.start, e.end) }

// ArgSpan covers word i.
func (e *Entry) ArgSpan(i int) Span { return e.File.span(e.Args[i].start, e.Args[i].end) }

// MapLike tells whether the block's body has entries instead of directives.
func (d *Directive) MapLike() bool { return d.body != directives }

// entryInclude is an include inside a map-like body.
type entryInclude struct {
	at    int32 // the start of the word include
	files []*File
}

// includeAt finds the files that the include at an offset brought in; nil if
// the entry there is not an include.
func (f *File) includeAt(at int32) ([]*File, bool) {
	i := sort.Search(len(f.entries), func(i int) bool { return f.entries[i].at >= at })
	if i < len(f.entries) && f.entries[i].at == at {
		return f.entries[i].files, true
	}
	return nil, false
}

// Entries yields the entries of a map-like body with includes expanded; it
// reads them from the source again each time, so that a geo body of millions
// of lines costs no memory. Entries are reused: copy what is kept.
func (d *Directive) Entries() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		if d.MapLike() {
			readEntries(d.File, int(d.term)+1, yield)
		}
	}
}

// readEntries yields the entries from an offset to the end of their body.
func readEntries(f *File, from int, yield func(*Entry) bool) bool {
	l := f.lexer()
	l.pos = from
	var e Entry
	for {
		switch l.next() {
		case endEOF, endClose:
			return true
		case endOpen:
			continue // refused and reported when the file was read
		case endSemi:
		}
		if len(l.args) == 0 {
			continue
		}
		start := l.args[0].start
		if files, ok := f.includeAt(start); ok {
			for _, g := range files {
				if !readEntries(g, 0, yield) {
					return false
				}
			}
			continue
		}
		e = Entry{Args: l.args, File: f, start: start, end: int32(l.term) + 1}
		if !yield(&e) {
			return false
		}
	}
}
