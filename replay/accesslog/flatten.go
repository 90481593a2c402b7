package accesslog

import (
	"bufio"
	"bytes"
	"io"
)

// flatten drops a byte order mark, and makes lines of a JSON array, which is
// what exports write: an object stands on the line where it began, and the
// lines that it went on over follow as blank ones. So lines keep their numbers
// unless several objects stand on one.
func flatten(r io.Reader) io.Reader {
	b := bufio.NewReaderSize(r, 64<<10)
	head, _ := b.Peek(512) // an error comes again with the first read
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		head = head[3:]
		b.Discard(3) //nolint:errcheck // they are there
	}
	rest, found := bytes.CutPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("["))
	if rest = bytes.TrimLeft(rest, " \t\r\n"); found && len(rest) > 0 && rest[0] == '{' {
		return &arrayReader{r: b}
	}
	return b
}

// arrayReader gives the objects of a JSON array line by line.
type arrayReader struct {
	r       io.ByteReader
	out     []byte // not given yet
	depth   int    // of braces and brackets within an object; 0: between objects
	quoted  bool   // in a string
	escaped bool   // behind a backslash
	owed    int    // newlines within the object
	filled  bool   // the line given last has text
	bare    bool   // it has none, but what it stands for had some
	err     error
}

// Read gives what is ready, and goes on to the end of the next line otherwise.
func (a *arrayReader) Read(p []byte) (int, error) {
	for len(a.out) < len(p) && a.err == nil {
		c, err := a.r.ReadByte()
		if err != nil {
			a.end(err)
		} else if a.depth > 0 {
			a.inside(c)
		} else {
			a.between(c)
		}
	}
	n := copy(p, a.out)
	a.out = a.out[:copy(a.out, a.out[n:])]
	if n == 0 && len(p) > 0 {
		return 0, a.err
	}
	return n, nil
}

// end keeps the number of lines at the end of the array, whole or cut.
func (a *arrayReader) end(err error) {
	a.err = err
	switch {
	case a.depth > 0 && a.owed > 0:
		// The object is to be the last line, and known as cut.
		text := a.out[max(0, bytes.LastIndexByte(a.out, '\n')+1):]
		cut := bytes.Clone(text)
		a.out = append(a.out[:len(a.out)-len(text)], bytes.Repeat([]byte("\n"), a.owed)...)
		a.out = append(a.out, cut...)
	case a.depth == 0 && a.bare && !a.filled:
		a.out = append(a.out, ' ')
	}
}

func (a *arrayReader) between(c byte) {
	switch c {
	case '{':
		if a.filled {
			a.out = append(a.out, '\n')
		}
		a.depth, a.filled = 1, true
		a.out = append(a.out, c)
	case '[', ']', ',', ' ', '\t', '\r':
		a.bare = true
	case '\n':
		a.out, a.filled, a.bare = append(a.out, c), false, false
	default:
		a.out, a.filled = append(a.out, c), true
	}
}

func (a *arrayReader) inside(c byte) {
	switch {
	case c == '\n':
		a.owed++
		c = ' '
	case a.escaped:
		a.escaped = false
	case c == '\\':
		a.escaped = a.quoted
	case c == '"':
		a.quoted = !a.quoted
	case a.quoted:
	case c == '{', c == '[':
		a.depth++
	case c == '}', c == ']':
		a.depth--
	}
	a.out = append(a.out, c)
	if a.depth == 0 && a.owed > 0 {
		a.out = append(a.out, bytes.Repeat([]byte("\n"), a.owed)...)
		a.owed, a.filled, a.bare = 0, false, true
	}
}
