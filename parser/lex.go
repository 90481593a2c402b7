package parser

import (
	"bytes"
	"strings"
	"unsafe"
)

// confBuffer is the size of nginx's reading buffer (ngx_conf_file.c:
// NGX_CONF_BUFFER): no word and no comment may fill it.
const confBuffer = 4096

// ending says what ended a statement.
type ending byte

const (
	endEOF   ending = iota
	endSemi         // ";"
	endOpen         // "{"
	endClose        // "}" with no word before it
)

// lexer is ngx_conf_file.c:ngx_conf_read_token over the whole text of a file.
// After next, the words of the statement are in args; they are valid until
// the next call.
type lexer struct {
	src  []byte
	text string // src without a copy
	pos  int

	args    []Arg
	term    int  // where the ending is
	damaged bool // the statement holds a fault that is already reported
	fatal   bool // the fault leaves the rest of the file unread

	fail    func(pos, line int, msg string) // nil: faults are not reported
	comment func(start, end int)            // nil: comments are skipped

	mask      []byte // src, or a copy of it with template placeholders blanked
	templates bool   // mask is such a copy
}

func newLexer(src []byte) *lexer {
	return &lexer{src: src, text: unsafeText(src), mask: src}
}

// lexer reads the tokens of a file.
func (f *File) lexer() *lexer {
	l := newLexer(f.Source)
	if f.mask != nil {
		l.mask, l.templates = f.mask, true
	}
	return l
}

// unsafeText shares the bytes of a file, which nobody changes after reading
// it: a copy would double the memory of a large geo file.
func unsafeText(src []byte) string { return unsafe.String(unsafe.SliceData(src), len(src)) }

// What a byte can do outside of quotes.
const (
	plain  = iota
	space  // separates words
	ender  // ends word and statement
	escape // takes the next byte with it
	dollar // keeps a following brace in the word
)

var classes = [256]byte{' ': space, '\t': space, '\r': space, '\n': space, ';': ender, '{': ender, '\\': escape, '$': dollar}

// next reads one statement and says what ended it.
func (l *lexer) next() ending {
	l.args = l.args[:0]
	l.damaged = false
	for l.pos < len(l.mask) && !l.fatal {
		ch := l.mask[l.pos]
		switch ch {
		case ' ', '\t', '\r', '\n':
			l.pos++
		case ';', '{':
			l.term = l.pos
			l.pos++
			if len(l.args) > 0 {
				return endOf(ch)
			}
			l.unexpected(l.term)
			if ch == '{' {
				return endOpen
			}
			l.damaged = false
		case '}':
			l.term = l.pos
			if len(l.args) == 0 {
				l.pos++
				return endClose
			}
			l.unexpected(l.pos)
			return endSemi
		case '#':
			l.readComment()
		case '"', '\'':
			if l.readQuoted(ch) {
				return endOf(l.mask[l.term])
			}
		default:
			if l.readWord() {
				return endOf(l.mask[l.term])
			}
		}
	}
	return l.atEnd()
}

func endOf(ch byte) ending {
	if ch == '{' {
		return endOpen
	}
	return endSemi
}

// atEnd ends the last statement of a file.
func (l *lexer) atEnd() ending {
	if len(l.args) > 0 && !l.fatal {
		l.endOfFile()
	}
	l.pos = len(l.src)
	l.term = l.pos
	return endEOF
}

func (l *lexer) endOfFile() {
	l.report(len(l.src), len(l.src), `unexpected end of file, expecting ";" or "}"`)
	l.fatal = true
}

// report reports a fault at pos whose line is that of lineAt.
func (l *lexer) report(pos, lineAt int, msg string) {
	l.damaged = true
	if l.fail != nil {
		l.fail(pos, lineAt, msg)
	}
}

func (l *lexer) unexpected(pos int) {
	l.report(pos, pos, `unexpected "`+string(l.src[pos:pos+1])+`"`)
}

// readComment reads a "#" to the end of its line.
func (l *lexer) readComment() {
	start := l.pos
	end := len(l.mask)
	if n := bytes.IndexByte(l.mask[start:], '\n'); n >= 0 {
		end = start + n
	}
	if end-start > confBuffer || end-start == confBuffer && end < len(l.mask) {
		l.tooLong(start)
	}
	if l.comment != nil {
		l.comment(start, end)
	}
	l.pos = end
}

// readQuoted reads a quoted word. It tells whether the statement ends with it.
func (l *lexer) readQuoted(quote byte) bool {
	start := l.pos + 1
	end := l.quoteEnd(start, quote)
	switch {
	case end < 0 && len(l.mask)-start > confBuffer:
		l.tooLongQuote(start, quote)
		l.fatal = true
		return false
	case end < 0:
		l.endOfFile()
		return false
	case end-start >= confBuffer:
		l.tooLongQuote(start, quote)
		if bytes.IndexByte(l.mask[start:end], '\n') >= 0 {
			l.fatal = true // where the quote was meant to end is a guess
			return false
		}
	case end-start == confBuffer-1 && end+1 < len(l.mask):
		l.tooLong(start)
	}
	l.push(start-1, end+1, start, end, quote)
	l.pos = end + 1
	return l.afterQuote(start)
}

// quoteEnd finds the closing quote, -1 if there is none.
func (l *lexer) quoteEnd(from int, quote byte) int {
	for i := from; i < len(l.mask); i++ {
		switch l.mask[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return -1
}

// afterQuote requires what nginx requires after a closing quote: white space,
// the end of the statement, or ")" as in if ($a = "b").
func (l *lexer) afterQuote(start int) bool {
	if l.pos >= len(l.mask) {
		return false
	}
	switch ch := l.mask[l.pos]; ch {
	case ' ', '\t', '\r', '\n':
		l.pos++
		if l.pos-start == confBuffer && l.pos < len(l.mask) {
			l.tooLong(start)
		}
	case ')':
	case ';', '{':
		l.term = l.pos
		l.pos++
		return true
	default:
		l.unexpected(l.pos)
	}
	return false
}

// readWord reads an unquoted word. It tells whether the statement ends with it.
func (l *lexer) readWord() bool {
	start := l.pos
	end := l.wordEnd(start)
	if end < 0 {
		if len(l.mask)-start > confBuffer {
			l.tooLong(start)
			l.fatal = true
		} else {
			l.endOfFile()
		}
		return false
	}
	isSpace := classes[l.mask[end]] == space
	if end-start >= confBuffer || isSpace && end-start == confBuffer-1 && end+1 < len(l.mask) {
		l.tooLong(start)
	}
	l.push(start, end, start, end, 0)
	l.pos = end + 1
	l.term = end
	return !isSpace
}

// wordEnd finds the byte that ends the word which starts at i, -1 if the file
// ends first.
func (l *lexer) wordEnd(i int) int {
	src := l.mask
	for i < len(src) {
		switch classes[src[i]] {
		case plain:
			i++
		case escape:
			i += 2
		case dollar:
			for i++; i < len(src) && src[i] == '{'; i++ {
			}
		default:
			return i
		}
	}
	return -1
}

func (l *lexer) tooLong(start int) {
	end := min(start+10, len(l.src))
	l.report(start, start, `too long parameter "`+string(l.src[start:end])+`..." started`)
}

func (l *lexer) tooLongQuote(start int, quote byte) {
	l.report(start-1, start-1, `too long parameter, probably missing terminating "`+string(quote)+`" character`)
}

// push adds the word between from and to, whose source with quotes is rawFrom
// to rawTo.
func (l *lexer) push(rawFrom, rawTo, from, to int, quote byte) {
	a := Arg{Value: l.text[from:to], Raw: l.text[rawFrom:rawTo], Quote: quote, start: int32(rawFrom), end: int32(rawTo)}
	if strings.IndexByte(a.Value, '\\') >= 0 {
		a.Value = unescape(a.Value)
	}
	if l.templates {
		a.Template = !bytes.Equal(l.mask[from:to], l.src[from:to])
	}
	l.args = append(l.args, a)
}

// unescape decodes the escapes that nginx decodes and keeps the others as
// they are, backslash included.
func unescape(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if d := decoded(s[i+1]); d != 0 {
				out.WriteByte(d)
				i++
				continue
			}
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func decoded(ch byte) byte {
	switch ch {
	case '"', '\'', '\\':
		return ch
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'n':
		return '\n'
	}
	return 0
}

// cString cuts a value at a NUL byte, as nginx prints names with %s.
func cString(s string) string {
	s, _, _ = strings.Cut(s, "\x00")
	return s
}
