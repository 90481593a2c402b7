package parser

import (
	"bytes"
	"sort"
	"strconv"
)

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

// lineStarts lists the offsets at which the lines of src start.
func lineStarts(src []byte) []int32 {
	starts := make([]int32, 1, 1+len(src)/32)
	for at := 0; ; {
		n := bytes.IndexByte(src[at:], '\n')
		if n < 0 {
			return starts
		}
		at += n + 1
		starts = append(starts, int32(at))
	}
}

func (f *File) point(offset int) Point {
	offset = min(max(offset, 0), len(f.Source))
	line := sort.Search(len(f.lines), func(i int) bool { return int(f.lines[i]) > offset })
	if line == 0 { // a File that was not made by Parse
		return Point{Offset: offset, Line: 1, Column: offset + 1}
	}
	return Point{Offset: offset, Line: line, Column: offset - int(f.lines[line-1]) + 1}
}
