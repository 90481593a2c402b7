package nginx

import "bytes"

// cleanHost is the host without port and trailing dot, in lower case, as
// $host and the choice of a server see it; false for what nginx answers with
// 400 (src/http/ngx_http_request.c:ngx_http_validate_host). The result is
// part of dst when it differs from host.
func cleanHost(dst, host []byte) (clean, grown []byte, ok bool) {
	end, dot, upper := hostEnd(host)
	if end < 0 {
		return nil, dst, false
	}
	if dot == end-1 {
		end--
	}
	if end <= 0 {
		return nil, dst, false
	}
	if !upper {
		return host[:end], dst, true
	}
	at := len(dst)
	dst = append(dst, host[:end]...)
	lower(dst[at:])
	return dst[at:len(dst):len(dst)], dst, true
}

// hostEnd finds where the port begins; -1 for an invalid host. dot is the
// place of the last dot, wherever it stands.
func hostEnd(host []byte) (end, dot int, upper bool) {
	end, dot = len(host), len(host)
	literal, rest := false, false
	for i, c := range host {
		switch {
		case c == '.':
			if dot == i-1 {
				return -1, 0, false
			}
			dot = i
		case c == ':' && !literal && !rest:
			end, rest = i, true
		case c == '[' && i == 0:
			literal = true
		case c == ']' && literal && !rest:
			end, rest = i+1, true
		case c == '/' || badInTarget(c):
			return -1, 0, false
		case c >= 'A' && c <= 'Z':
			upper = true
		}
	}
	return end, dot, upper
}

func lower(b []byte) {
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c | 0x20
		}
	}
}

// hostTable finds things by host name: exact, "*.suffix", "prefix.*"
// (src/core/ngx_hash.c:ngx_hash_find_combined).
type hostTable[T any] struct {
	exact  map[string]T
	head   map[string]T // "*.example.com" as "example.com"
	within map[string]T // ".example.com" in maps: the name itself
	tail   map[string]T // "www.*" as "www"
}

func newHostTable[T any]() *hostTable[T] {
	return &hostTable[T]{exact: map[string]T{}, head: map[string]T{}, within: map[string]T{}, tail: map[string]T{}}
}

// add enters a pattern in lower case; the first of two equal ones counts.
func (t *hostTable[T]) add(pattern string, v T) {
	switch {
	case len(pattern) > 1 && pattern[0] == '.':
		put(t.within, pattern[1:], v)
		put(t.head, pattern[1:], v)
	case len(pattern) > 2 && pattern[:2] == "*.":
		put(t.head, pattern[2:], v)
	case len(pattern) > 2 && pattern[len(pattern)-2:] == ".*":
		put(t.tail, pattern[:len(pattern)-2], v)
	default:
		put(t.exact, pattern, v)
	}
}

func put[T any](m map[string]T, k string, v T) {
	if _, taken := m[k]; !taken {
		m[k] = v
	}
}

// find looks up a host in lower case.
func (t *hostTable[T]) find(host []byte) (v T, ok bool) {
	if v, ok = t.exact[string(host)]; ok {
		return v, true
	}
	if v, ok = t.findHead(host); ok {
		return v, true
	}
	return t.findTail(host)
}

// findHead looks for the longest suffix; ".x" matches "x" itself as well as
// anything before it.
func (t *hostTable[T]) findHead(host []byte) (v T, ok bool) {
	if v, ok = t.within[string(host)]; ok {
		return v, true
	}
	for rest := host; len(t.head) > 0; {
		dot := bytes.IndexByte(rest, '.')
		if dot < 0 {
			break
		}
		rest = rest[dot+1:]
		if v, ok = t.head[string(rest)]; ok {
			return v, true
		}
	}
	return v, false
}

func (t *hostTable[T]) findTail(host []byte) (v T, ok bool) {
	for rest := host; len(t.tail) > 0; {
		dot := bytes.LastIndexByte(rest, '.')
		if dot < 0 {
			break
		}
		rest = rest[:dot]
		if v, ok = t.tail[string(rest)]; ok {
			return v, true
		}
	}
	return v, false
}
