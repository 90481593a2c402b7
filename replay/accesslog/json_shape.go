package accesslog

import "bytes"

// maxShapes is how many shapes are remembered: logs are mixed.
const maxShapes = 8

// shape is what lines of one log_format have in common: the text between the
// values.
type shape struct {
	segments []segment
	tail     string
	absent   []int // wanted fields that such lines do not have
}

// segment is a value and the text before it.
type segment struct {
	before string
	field  int // never negative: values that are not wanted go to a field of their own
	quoted bool
}

// jsonReader reads JSON lines: those without a backslash by the shapes it has
// learned, the others, and those of a new shape, by the scanner. Both give the
// same values: what a shape accepts the scanner would read alike.
type jsonReader struct {
	scanner jsonScanner
	shapes  []*shape
	last    int    // the shape of the last line
	settled *shape // the absent fields of this shape are nil in vals
	misses  int
	waste   int // the field for values that are not wanted
}

func newJSONReader(keys *keyTree, text *[]byte) *jsonReader {
	waste := len(keys.paths)
	return &jsonReader{scanner: jsonScanner{keys: keys, vals: make([][]byte, waste+1), text: text}, waste: waste}
}

// read finds the values of a line, by field. It reports whether it could.
func (r *jsonReader) read(line []byte, escaped bool) ([][]byte, bool) {
	if escaped {
		r.settled = nil
		return r.scanner.vals, r.scanner.scan(line, true)
	}
	if r.byShape(line) {
		return r.scanner.vals, true
	}
	r.settled = nil
	if !r.scanner.scan(line, false) {
		return nil, false
	}
	r.learn(line)
	return r.scanner.vals, true
}

func (r *jsonReader) byShape(line []byte) bool {
	for i := range r.shapes {
		at := (r.last + i) % len(r.shapes)
		s := r.shapes[at]
		if !s.match(line, r.scanner.vals) {
			continue
		}
		if s != r.settled {
			for _, field := range s.absent {
				r.scanner.vals[field] = nil
			}
			r.settled = s
		}
		r.last = at
		return true
	}
	return false
}

// learn makes a shape of the line that the scanner has read. When all places
// are taken, few of the lines that match none get one: a log without shapes
// shall not make us build them all the time.
func (r *jsonReader) learn(line []byte) {
	r.misses++
	if len(r.shapes) < maxShapes {
		r.shapes = append(r.shapes, r.newShape(line))
	} else if r.misses%1024 == 0 {
		r.shapes[r.misses/1024%maxShapes] = r.newShape(line)
	}
}

func (r *jsonReader) newShape(line []byte) *shape {
	s := &shape{}
	at := 0
	for _, m := range r.scanner.marks {
		field := m.field
		if field < 0 {
			field = r.waste
		}
		s.segments = append(s.segments, segment{string(line[at:m.start]), field, m.quoted})
		at = m.end
	}
	s.tail = string(line[at:])
	for field, v := range r.scanner.vals[:r.waste] {
		if v == nil {
			s.absent = append(s.absent, field)
		}
	}
	return s
}

// match takes the values of a line without backslash if it has this shape.
func (s *shape) match(line []byte, vals [][]byte) bool {
	at := 0
	for i := range s.segments {
		seg := &s.segments[i]
		end := at + len(seg.before)
		if end > len(line) || string(line[at:end]) != seg.before {
			return false
		}
		rest := line[end:]
		n := 0
		if seg.quoted {
			if n = bytes.IndexByte(rest, '"'); n < 0 {
				return false
			}
			vals[seg.field] = rest[:n:n]
		} else {
			for n < len(rest) && isPlain(rest[n]) {
				n++
			}
			v := rest[:n:n]
			if (n == 1 || n == 4) && isNothing(v) {
				v = v[:0]
			}
			vals[seg.field] = v
		}
		at = end + n
	}
	return string(line[at:]) == s.tail
}

// isPlain tells the bytes that bare values are made of and that end none.
func isPlain(c byte) bool {
	return c >= '0' && c <= '9' || c == '.' || c == '-' || c == ':' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
