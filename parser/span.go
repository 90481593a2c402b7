package parser

import "strconv"

// Point is one place in a file: a 0-based byte offset with its 1-based line
// and 1-based byte column.
type Point struct {
	Offset, Line, Column int
}

// Span is a range of bytes of one file; End is just past the last byte.
type Span struct {
	File       string // as given by the user or written in an include, slash-separated
	Start, End Point
}

// String is file:line:column of the start.
func (s Span) String() string {
	return s.File + ":" + strconv.Itoa(s.Start.Line) + ":" + strconv.Itoa(s.Start.Column)
}

func (f *File) span(start, end int32) Span {
	return Span{File: f.Name, Start: f.point(int(start)), End: f.point(int(end))}
}

// point counts from the start of the file; the reader replaces this by a line table.
func (f *File) point(offset int) Point {
	p := Point{Offset: offset, Line: 1, Column: 1}
	for _, b := range f.Source[:offset] {
		p.Column++
		if b == '\n' {
			p.Line++
			p.Column = 1
		}
	}
	return p
}
