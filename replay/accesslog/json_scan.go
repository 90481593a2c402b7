package accesslog

import "bytes"

// maxDepth is how deep objects and arrays may be nested.
const maxDepth = 32

// jsonScanner finds the wanted values of a JSON object in any order of its
// keys. It takes more than JSON: what nginx writes when a log_format is not
// quite right. A value that is missing behind its colon, or a bare "-", is
// empty; other bare text is a value; a comma before "}" means nothing. Of keys
// that repeat the last counts.
type jsonScanner struct {
	keys    *keyTree
	line    []byte
	escaped bool     // the line has a backslash
	vals    [][]byte // by field; nil: the line does not have it
	marks   []mark   // all values of the line
	text    *[]byte  // memory for decoded values
}

// mark is a value in a line.
type mark struct {
	start, end int
	field      int
	quoted     bool
}

// scan reads a line. It reports whether it is an object and nothing else.
func (s *jsonScanner) scan(line []byte, escaped bool) bool {
	s.line, s.escaped, s.marks = line, escaped, s.marks[:0]
	clear(s.vals)
	i := s.space(0)
	if i == len(line) || line[i] != '{' {
		return false
	}
	if i = s.object(i+1, &s.keys.root, 0); i < 0 {
		return false
	}
	return s.space(i) == len(line)
}

// object reads what follows "{" and returns the place behind "}", -1 when it
// is no object.
func (s *jsonScanner) object(i int, n *keyNode, depth int) int {
	for {
		i = s.spaceAndCommas(i)
		if i == len(s.line) {
			return -1
		}
		if s.line[i] == '}' {
			return i + 1
		}
		if i = s.member(i, n, depth); i < 0 {
			return -1
		}
		if i = s.space(i); i == len(s.line) || s.line[i] != ',' && s.line[i] != '}' {
			return -1
		}
	}
}

// member reads one key with its value.
func (s *jsonScanner) member(i int, n *keyNode, depth int) int {
	if s.line[i] != '"' {
		return -1
	}
	end := s.stringEnd(i + 1)
	if end < 0 {
		return -1
	}
	key := s.decode(s.line[i+1 : end])
	i = s.space(end + 1)
	if i == len(s.line) || s.line[i] != ':' {
		return -1
	}
	return s.value(s.space(i+1), s.keys.find(n, key), depth, false)
}

func (s *jsonScanner) value(i int, n *keyNode, depth int, inArray bool) int {
	if i == len(s.line) || depth == maxDepth {
		return -1
	}
	switch s.line[i] {
	case '"':
		end := s.stringEnd(i + 1)
		if end < 0 {
			return -1
		}
		s.keep(mark{i + 1, end, s.keys.number(n), true})
		return end + 1
	case '{':
		return s.object(i+1, n, depth+1)
	case '[':
		return s.array(i+1, n, depth+1)
	}
	return s.bare(i, n, inArray)
}

// array reads what follows "["; the first element stands for the array.
func (s *jsonScanner) array(i int, n *keyNode, depth int) int {
	for {
		i = s.spaceAndCommas(i)
		if i == len(s.line) {
			return -1
		}
		if s.line[i] == ']' {
			return i + 1
		}
		if i = s.value(i, n, depth, true); i < 0 {
			return -1
		}
		n = nil
	}
}

// bare reads a value without quotes. A list of upstream times that is not
// quoted goes on behind its commas, up to the next key.
func (s *jsonScanner) bare(start int, n *keyNode, inArray bool) int {
	i := start
	for ; i < len(s.line); i++ {
		switch c := s.line[i]; c {
		case '"', '{', '[':
			return -1
		case '}', ']':
			if (c == ']') != inArray {
				return -1
			}
			return s.keepBare(start, i, n)
		case ',':
			next := s.space(i + 1)
			if inArray || next == len(s.line) || s.line[next] == '"' || s.line[next] == '}' || s.line[next] == ',' {
				return s.keepBare(start, i, n)
			}
		}
	}
	return -1
}

func (s *jsonScanner) keepBare(start, end int, n *keyNode) int {
	last := end
	for last > start && isSpace(s.line[last-1]) {
		last--
	}
	s.keep(mark{start, last, s.keys.number(n), false})
	return end
}

// keep notes a value and decodes it if it is wanted.
func (s *jsonScanner) keep(m mark) {
	s.marks = append(s.marks, m)
	if m.field < 0 {
		return
	}
	for m.field >= len(s.vals) {
		s.vals = append(s.vals, nil)
	}
	v := s.line[m.start:m.end:m.end]
	if m.quoted {
		v = s.decode(v)
	} else if isNothing(v) {
		v = v[:0]
	}
	s.vals[m.field] = v
}

// isNothing tells whether a bare value stands for none.
func isNothing(v []byte) bool { return string(v) == "-" || string(v) == "null" }

func (s *jsonScanner) decode(v []byte) []byte {
	if !s.escaped || bytes.IndexByte(v, '\\') < 0 {
		return v
	}
	at := len(*s.text)
	*s.text = unescape(*s.text, v)
	return (*s.text)[at:len(*s.text):len(*s.text)]
}

// stringEnd finds the quote that ends a string.
func (s *jsonScanner) stringEnd(i int) int {
	for i < len(s.line) {
		n := bytes.IndexByte(s.line[i:], '"')
		if n < 0 {
			return -1
		}
		if !s.escaped {
			return i + n
		}
		slash := bytes.IndexByte(s.line[i:i+n], '\\')
		if slash < 0 {
			return i + n
		}
		i += slash + 2
	}
	return -1
}

func (s *jsonScanner) space(i int) int {
	for i < len(s.line) && isSpace(s.line[i]) {
		i++
	}
	return i
}

func (s *jsonScanner) spaceAndCommas(i int) int {
	for i < len(s.line) && (isSpace(s.line[i]) || s.line[i] == ',') {
		i++
	}
	return i
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }
