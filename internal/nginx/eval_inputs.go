package nginx

import "bytes"

// Slots are what a decision may depend on: first the parts of the request
// that are cut out of its fields, then the fields themselves.
const (
	slotHost   = iota // the host as sent, with port; empty: none
	slotPath          // the request target up to its "?"
	slotArgs          // what follows
	slotTarget        // both: $request_uri
	slotMethod
	slotProtocol  // "HTTP/1.1"
	slotMalformed // why the request line is none; empty: it is one
	derivedSlots
)

// inputs are the derived slots of one request.
type inputs struct {
	derived    [derivedSlots]datum
	normalized bool // slotPath is a $uri: decoded already
	absolute   bool // the host is that of the request line
}

// read cuts the derived slots out of the fields: request line first, then the
// single variables.
func (in *inputs) read(req *Request) {
	*in = inputs{}
	in.derived[slotHost] = missing("http_host")
	in.derived[slotPath] = missing("request_uri")
	in.derived[slotArgs] = missing("args")
	in.derived[slotTarget] = missing("request_uri")
	in.derived[slotMethod] = missing("request_method")
	in.derived[slotProtocol] = missing("server_protocol")
	if p := field(req, fieldServerProtocol); p != nil {
		in.derived[slotProtocol] = known(p)
	}
	if line := field(req, fieldRequest); line != nil {
		in.requestLine(line)
	}
	if m := field(req, fieldRequestMethod); m != nil {
		in.derived[slotMethod] = known(m)
	}
	in.readTarget(req)
	if in.absolute {
		return
	}
	in.readHost(req)
}

// readHost takes the Host header. Without one the host may stand in the
// request line, which then must be known.
func (in *inputs) readHost(req *Request) {
	header, lineKnown := field(req, fieldHTTPHost), req.Complete || field(req, fieldRequest) != nil
	switch {
	case len(header) > 0, header != nil && lineKnown:
		in.derived[slotHost] = known(header)
	case field(req, fieldHost) != nil:
		in.derived[slotHost] = known(field(req, fieldHost))
	case req.Complete:
		in.derived[slotHost] = datum{}
	}
}

func field(req *Request, i int) []byte {
	if i < len(req.Values) {
		return req.Values[i]
	}
	return nil
}

func (in *inputs) readTarget(req *Request) {
	if t := field(req, fieldRequestURI); t != nil {
		in.target(t)
		return
	}
	if !in.derived[slotPath].unknown() {
		return
	}
	if u := field(req, fieldURI); u != nil {
		in.derived[slotPath] = known(u)
		in.normalized = true
	}
	if a := field(req, fieldArgs); a != nil {
		in.derived[slotArgs] = known(a)
	} else if req.Complete {
		in.derived[slotArgs] = datum{}
	}
}

// target splits a request target. nginx ends both parts at a "#"
// (src/http/ngx_http_parse.c:ngx_http_parse_complex_uri).
func (in *inputs) target(t []byte) {
	in.derived[slotTarget] = known(t)
	if len(t) == 0 {
		in.derived[slotMalformed] = known([]byte("no request target"))
	}
	if hash := bytes.IndexByte(t, '#'); hash >= 0 {
		t = t[:hash]
	}
	path, args, _ := bytes.Cut(t, []byte("?"))
	in.derived[slotPath], in.derived[slotArgs] = known(path), known(args)
	in.normalized = false
}

// requestLine reads "METHOD target HTTP/1.1"
// (src/http/ngx_http_parse.c:ngx_http_parse_request_line).
func (in *inputs) requestLine(line []byte) {
	method, rest, ok := bytes.Cut(line, []byte(" "))
	rest = bytes.TrimLeft(rest, " ")
	target := rest
	if at := bytes.LastIndex(rest, []byte(" HTTP/")); at >= 0 {
		target = bytes.TrimRight(rest[:at], " ")
		in.derived[slotProtocol] = known(bytes.TrimRight(rest[at+1:], " "))
	}
	if !ok || !isMethod(method) || len(target) == 0 {
		in.derived[slotMalformed] = known([]byte("no request line"))
		return
	}
	in.derived[slotMethod] = known(method)
	if target[0] == '/' {
		in.target(target)
		return
	}
	in.absoluteTarget(target)
}

// absoluteTarget reads "http://host/path": scheme and host are not part of
// $request_uri, and the host counts more than the Host header.
func (in *inputs) absoluteTarget(target []byte) {
	scheme, rest, ok := bytes.Cut(target, []byte("://"))
	if !ok || len(scheme) == 0 || !isScheme(scheme) {
		in.derived[slotMalformed] = known([]byte("no request line"))
		return
	}
	end := bytes.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	in.absolute = true
	in.derived[slotHost] = known(rest[:end])
	if rest = rest[end:]; len(rest) == 0 {
		rest = []byte("/")
	}
	in.target(rest)
}

func isMethod(m []byte) bool {
	for _, c := range m {
		if (c < 'A' || c > 'Z') && c != '_' && c != '-' {
			return false
		}
	}
	return len(m) > 0
}

func isScheme(scheme []byte) bool {
	for i, c := range scheme {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z'
		if !letter && (i == 0 || (c < '0' || c > '9') && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return true
}

// read is one slot that a decision has read, with what it found.
type read struct {
	slot int
	val  datum
}

// input is the value of a slot; a recording remembers it.
func (s *state) input(slot int) datum {
	d := s.peek(slot)
	if s.recording && s.seen[slot] != s.recStamp {
		s.seen[slot] = s.recStamp
		s.reads = append(s.reads, read{slot, d})
	}
	return d
}

// peek is input without a trace.
func (s *state) peek(slot int) datum {
	if slot < derivedSlots {
		return s.in.derived[slot]
	}
	i := slot - derivedSlots
	if v := field(s.req, i); v != nil {
		return known(v)
	}
	if s.req.Complete && s.prog.sent[i] {
		return datum{}
	}
	return missing(s.prog.fields.names[i])
}

// fieldValue is input for a field.
func (s *state) fieldValue(i int) datum {
	if s.headerless && s.prog.sent[i] {
		return datum{}
	}
	return s.input(derivedSlots + i)
}
