package oracle

import (
	"bytes"
	"strconv"
)

// Response is one response of HTTP/1. Its bytes are those of the connection's
// buffer: they are good until the next call on it.
type Response struct {
	Status int
	Body   []byte // without the framing of chunks
	head   []byte // status line and header lines, each with its line end
}

// Header returns the value of the first header line of that name, in any case;
// "" when there is none or it is empty.
func (r Response) Header(name string) string {
	rest := r.head
	for {
		at := bytes.IndexByte(rest, '\n')
		if at < 0 || at+1 == len(rest) {
			return ""
		}
		rest = rest[at+1:]
		if len(rest) > len(name) && rest[len(name)] == ':' && bytes.EqualFold(rest[:len(name)], []byte(name)) {
			value, _, _ := bytes.Cut(rest[len(name)+1:], []byte("\r"))
			return string(bytes.TrimSpace(value))
		}
	}
}

// Head returns the status line and the header lines as they came.
func (r Response) Head() string { return string(r.head) }

// cut takes the body off what follows the header, and says how long it is with
// its framing. A body of neither length nor chunks lasts until the end of the
// connection. Responses to HEAD are not supported: they look like others.
func (r Response) cut(rest []byte, eof bool) (body []byte, size int, whole bool) {
	if r.Status/100 == 1 || r.Status == 204 || r.Status == 304 {
		return nil, 0, true
	}
	if length := r.Header("Content-Length"); length != "" {
		size, err := strconv.Atoi(length)
		if err != nil || size < 0 || size > len(rest) {
			return nil, 0, false
		}
		return rest[:size], size, true
	}
	if r.Header("Transfer-Encoding") == "chunked" {
		return unchunk(rest)
	}
	return rest, len(rest), eof
}

func unchunk(rest []byte) (body []byte, size int, whole bool) {
	for {
		line, after, found := bytes.Cut(rest[size:], []byte("\r\n"))
		if !found {
			return nil, 0, false
		}
		length, err := strconv.ParseInt(string(line), 16, 32)
		if err != nil || length < 0 || int(length)+2 > len(after) {
			return nil, 0, false
		}
		body = append(body, after[:length]...)
		size += len(line) + 2 + int(length) + 2
		if length == 0 {
			return body, size, true
		}
	}
}
