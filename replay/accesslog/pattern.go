package accesslog

import (
	"bytes"
	"strings"
)

// pattern is a line of text: literals and the values between them.
type pattern struct {
	parts []part
	tail  string // behind the last value
	open  bool   // more may follow
	plain bool   // escape=none: backslashes are what they are
}

// part is a value and the literal before it.
type part struct {
	before string
	field  int
	form   form
	quoted bool // between quotes that its escapes keep out of it
}

// markQuoted finds the values that end with a quote for certain.
func (p *pattern) markQuoted() {
	for i := range p.parts {
		next := p.tail
		if i+1 < len(p.parts) {
			next = p.parts[i+1].before
		}
		p.parts[i].quoted = !p.plain && strings.HasSuffix(p.parts[i].before, `"`) && strings.HasPrefix(next, `"`)
	}
}

// form is what a variable can look like.
type form uint8

const (
	free   form = iota // anything
	word               // no space
	number             // digits, one point; or "-"
	digit              // digits; or "-"
	stamp              // a time
)

// formOf is the form of a variable's value in a log.
func formOf(variable string) form {
	switch variable {
	case "status", "body_bytes_sent", "bytes_sent", "request_length", "connection", "connection_requests",
		"server_port", "remote_port", "pid":
		return digit
	case "msec", "request_time":
		return number
	case "time_local", "time_iso8601":
		return stamp
	case "remote_addr", "realip_remote_addr", "server_addr", "scheme", "request_id", "pipe", "binary_remote_addr":
		return word
	}
	return free
}

func (f form) fits(v []byte) bool {
	switch f {
	case word:
		return bytes.IndexByte(v, ' ') < 0
	case number:
		return onlyDigits(v, true)
	case digit:
		return onlyDigits(v, false)
	case stamp:
		_, _, ok := parseTime(v)
		return ok
	case free:
	}
	return true
}

func onlyDigits(v []byte, point bool) bool {
	if len(v) == 1 && v[0] == '-' {
		return true
	}
	for _, c := range v {
		if c == '.' && point {
			point = false
		} else if c < '0' || c > '9' {
			return false
		}
	}
	return len(v) > 0
}

// maxSteps bounds the search for the places where values end.
const maxSteps = 4096

// textReader reads lines of one pattern.
type textReader struct {
	pattern *pattern
	vals    [][]byte // by field
	text    *[]byte
	line    []byte
	steps   int
}

func newTextReader(p *pattern, text *[]byte) *textReader {
	return &textReader{pattern: p, vals: make([][]byte, len(p.parts)), text: text}
}

// read finds the values of a line, by field. It reports whether it could.
func (r *textReader) read(line []byte, escaped bool) ([][]byte, bool) {
	r.line, r.steps = line, 0
	if !r.from(0, 0) {
		return nil, false
	}
	if !escaped || r.pattern.plain {
		return r.vals, true
	}
	for i, v := range r.vals {
		if bytes.IndexByte(v, '\\') < 0 {
			continue
		}
		at := len(*r.text)
		*r.text = unescape(*r.text, v)
		r.vals[i] = (*r.text)[at:len(*r.text):len(*r.text)]
	}
	return r.vals, true
}

// from reads from part i on, which begins at a place of the line. A value
// ends where the next literal stands first, unless the line makes no sense
// then: a user's name may hold what follows it.
func (r *textReader) from(i, at int) bool {
	p := r.pattern
	if i == len(p.parts) {
		end := at + len(p.tail)
		return end <= len(r.line) && string(r.line[at:end]) == p.tail && (p.open || end == len(r.line))
	}
	this := &p.parts[i]
	start := at + len(this.before)
	if start > len(r.line) || string(r.line[at:start]) != this.before {
		return false
	}
	next := p.tail
	if i+1 < len(p.parts) {
		next = p.parts[i+1].before
	}
	if next == "" {
		return r.upTo(this, i, start, len(r.line))
	}
	if this.quoted {
		end := quoteEnd(r.line, start)
		return end >= 0 && r.upTo(this, i, start, end)
	}
	for end := start; r.steps < maxSteps; end++ {
		r.steps++
		n := bytes.Index(r.line[end:], []byte(next))
		if n < 0 {
			return false
		}
		end += n
		if r.upTo(this, i, start, end) {
			return true
		}
	}
	return false
}

// quoteEnd finds the next quote that no backslash stands before, -1 for none:
// nginx writes one within a value as \x22, or \" with escape=json
// (ngx_http_log_module.c:ngx_http_log_escape,
// src/core/ngx_string.c:ngx_escape_json).
func quoteEnd(line []byte, at int) int {
	for from := at; ; at++ {
		n := bytes.IndexByte(line[at:], '"')
		if n < 0 {
			return -1
		}
		at += n
		slashes := 0
		for at-slashes > from && line[at-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return at
		}
	}
}

// upTo takes a value and goes on behind it.
func (r *textReader) upTo(this *part, i, start, end int) bool {
	v := r.line[start:end:end]
	if !this.form.fits(v) || !r.from(i+1, end) {
		return false
	}
	r.vals[this.field] = v
	return true
}
