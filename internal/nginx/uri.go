package nginx

// normalURI is a request path after decoding.
type normalURI struct {
	path  []byte
	plain bool // no "%" and no "+" was seen: captures need no escaping in arguments
	ok    bool // false: nginx answers 400
}

// normalize decodes and cleans the path of a request target into dst, in one
// pass as nginx does (src/http/ngx_http_parse.c:ngx_http_parse_complex_uri):
// decoded "/" and "." count as such, a decoded "?", "#" or "%" does not.
func normalize(dst, raw []byte, mergeSlashes bool) normalURI {
	n := normalizer{out: dst, base: len(dst), merge: mergeSlashes, plain: true}
	if len(raw) == 0 {
		n.out = append(n.out, '/') // "http://host?args"
	}
	for i := 0; i < len(raw); i++ {
		c, literal := raw[i], false
		if badInTarget(c) {
			return normalURI{}
		}
		switch c {
		case '+':
			n.plain = false
		case '%':
			n.plain = false
			var ok bool
			if c, ok = unhex(raw[i+1:]); !ok || c == 0 {
				return normalURI{}
			}
			i += 2
			literal = c == '%' || c == '#' || c == '?'
		}
		if !n.step(c, literal) {
			return normalURI{}
		}
	}
	if !n.end() {
		return normalURI{}
	}
	return normalURI{path: n.out[n.base:len(n.out):len(n.out)], plain: n.plain, ok: true}
}

func badInTarget(c byte) bool { return c <= 0x20 || c == 0x7f }

func unhex(b []byte) (byte, bool) {
	if len(b) < 2 {
		return 0, false
	}
	hi, ok1 := hexDigit(b[0])
	lo, ok2 := hexDigit(b[1])
	return hi<<4 | lo, ok1 && ok2
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10, true
	}
	return 0, false
}

// The states of normalizer: what the output ends with.
const (
	inSegment = iota
	afterSlash
	afterDot    // "/."
	afterDotDot // "/.."
)

type normalizer struct {
	out          []byte
	base         int
	state        int
	merge, plain bool
}

// step takes one decoded byte; literal bytes are never special.
func (n *normalizer) step(c byte, literal bool) bool {
	if literal {
		n.state = inSegment
		n.out = append(n.out, c)
		return true
	}
	switch {
	case c == '/':
		return n.slash()
	case c == '.' && n.state == afterSlash:
		n.state = afterDot
	case c == '.' && n.state == afterDot:
		n.state = afterDotDot
	default:
		n.state = inSegment
	}
	n.out = append(n.out, c)
	return true
}

func (n *normalizer) slash() bool {
	switch n.state {
	case inSegment:
		n.out = append(n.out, '/')
	case afterSlash:
		if !n.merge {
			n.out = append(n.out, '/')
		}
	case afterDot:
		n.out = n.out[:len(n.out)-1]
	case afterDotDot:
		if !n.up() {
			return false
		}
	}
	n.state = afterSlash
	return true
}

// up removes "/.." and the segment before it.
func (n *normalizer) up() bool {
	for i := len(n.out) - 4; i >= n.base; i-- {
		if n.out[i] == '/' {
			n.out = n.out[:i+1]
			return true
		}
	}
	return false
}

func (n *normalizer) end() bool {
	switch n.state {
	case afterDot:
		n.out = n.out[:len(n.out)-1]
	case afterDotDot:
		return n.up()
	}
	return true
}
