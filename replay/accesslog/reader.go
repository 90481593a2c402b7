package accesslog

import "bytes"

// Reader reads the lines of blocks, for one goroutine. It remembers the shapes
// of lines that it has seen; what it gives does not depend on that.
type Reader struct {
	want    []string
	sources []*source
	text    []byte // decoded values of the block

	block *Block
	at    int // where the next line begins
	line  int // its number
	slash int // the next backslash at or behind at, or the end
	note  int // the next note
}

// source is a layout with what is needed to read it.
type source struct {
	*layout
	json *jsonReader
	txt  *textReader
	want [][]int // by variable asked for: the fields that may hold it
	took []int
}

// NewReader makes a reader that gives the values of the wanted variables,
// named without "$".
func (f *Format) NewReader(want []string) *Reader {
	r := &Reader{want: want}
	for _, l := range f.layouts {
		s := &source{layout: l, want: make([][]int, len(want)), took: l.holds["request_time"]}
		for i, name := range want {
			s.want[i] = l.holds[name]
		}
		if l.pattern != nil {
			s.txt = newTextReader(l.pattern, &r.text)
		} else {
			s.json = newJSONReader(l.keys, &r.text)
		}
		r.sources = append(r.sources, s)
	}
	return r
}

// Begin goes to the first line of a block. Values of the block before are no
// longer valid.
func (r *Reader) Begin(b *Block) {
	r.block, r.at, r.line, r.slash, r.note = b, 0, 0, -1, 0
	r.text = r.text[:0]
}

// Next reads the next line of the block. It returns false at its end.
func (r *Reader) Next(rec *Record) bool {
	text := r.block.Text
	if r.at >= len(text) {
		return false
	}
	start, end, whole := r.at, len(text), false
	if n := bytes.IndexByte(text[start:], '\n'); n >= 0 {
		end, whole = start+n, true
	}
	r.at = end + 1
	rec.Line = r.line
	r.line++
	note := r.noteFor(rec.Line)
	if note.Kind != Good {
		rec.Kind = note.Kind
		return true
	}
	rec.Kind = r.read(text[start:end], r.hasBackslash(start, end), note.Stamp, rec)
	if rec.Kind == Malformed && !whole && r.block.Last {
		rec.Kind = Cut
	}
	return true
}

func (r *Reader) noteFor(line int) Note {
	if r.note < len(r.block.Notes) && r.block.Notes[r.note].Line == line {
		r.note++
		return r.block.Notes[r.note-1]
	}
	return Note{}
}

// hasBackslash keeps the next backslash of the block, so that it is looked for
// once and not in every line.
func (r *Reader) hasBackslash(start, end int) bool {
	if r.slash < start {
		r.slash = len(r.block.Text)
		if n := bytes.IndexByte(r.block.Text[start:], '\\'); n >= 0 {
			r.slash = start + n
		}
	}
	return r.slash < end
}

// read reads one line. NUL bytes before it are what a file has that was cut
// while nginx wrote to it.
func (r *Reader) read(line []byte, escaped bool, stamp Millis, rec *Record) Kind {
	raw := line
	if n := len(line); n > 0 && (line[n-1] <= ' ' || line[0] <= ' ') {
		line = bytes.TrimRight(bytes.TrimLeft(line, " \t\r\x00"), " \t\r\x00")
		raw = bytes.TrimRight(bytes.TrimLeft(raw, "\x00"), "\r\x00")
	}
	if len(line) == 0 {
		return Blank
	}
	kind := Malformed
	for _, s := range r.sources {
		if (s.json != nil) != (line[0] == '{') {
			continue
		}
		vals, ok := s.values(line, escaped)
		if !ok && len(raw) != len(line) { // a value at an edge may be empty
			vals, ok = s.values(raw, escaped)
		}
		if !ok {
			continue
		}
		if s.fill(rec, vals, stamp) {
			return Good
		}
		kind = NoTime
	}
	if kind == Malformed {
		kind = notRequest(line)
	}
	return kind
}

func (s *source) values(line []byte, escaped bool) ([][]byte, bool) {
	if s.json != nil {
		return s.json.read(line, escaped)
	}
	return s.txt.read(line, escaped)
}

// fill makes a record of the fields of a line. It reports whether the line
// says when it was written.
func (s *source) fill(rec *Record, vals [][]byte, stamp Millis) bool {
	if !s.time(rec, vals, stamp) {
		return false
	}
	rec.Took = -1
	for _, field := range s.took {
		if took, ok := parseSeconds(vals[field]); ok {
			rec.Took = took
			break
		}
	}
	for len(rec.Values) < len(s.want) {
		rec.Values = append(rec.Values, nil)
	}
	for i, fields := range s.want {
		var v []byte
		for _, field := range fields {
			if v = vals[field]; v != nil {
				break
			}
		}
		if len(v) == 1 && v[0] == '-' && s.dash {
			v = v[:0]
		}
		rec.Values[i] = v
	}
	return true
}

// time takes the first time that can be read. What the line is wrapped in
// helps when it has none, or whole seconds only.
func (s *source) time(rec *Record, vals [][]byte, stamp Millis) bool {
	for i, field := range s.times {
		at, resolution, ok := parseTime(vals[field])
		if !ok {
			continue
		}
		resolution = min(resolution, s.steps[i])
		if resolution >= 1000 && stamp != 0 && stamp-at >= 0 && stamp-at < 2*resolution {
			at, resolution = stamp, 1
		}
		rec.End, rec.Resolution = at, resolution
		return true
	}
	rec.End, rec.Resolution = stamp, 1
	return stamp != 0
}

// notRequest tells what a line is that no format takes.
func notRequest(line []byte) Kind {
	switch {
	case isErrorLog(line):
		return ErrorLog
	case line[0] == '#', bytes.Contains(line, []byte("logfile turned over")), bytes.HasPrefix(line, []byte("==> ")):
		return Marker
	}
	return Malformed
}

// isErrorLog recognizes "2026/01/01 10:00:00 [warn]"
// (src/core/ngx_log.c:ngx_log_error_core).
func isErrorLog(line []byte) bool {
	return len(line) > 22 && line[4] == '/' && line[7] == '/' && line[13] == ':' && line[19] == ' ' && line[20] == '['
}
