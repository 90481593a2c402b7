package nginx

import (
	"bytes"
	"net/netip"
	"strconv"
)

// parseIPv4 reads a dotted address as ngx_inet_addr does: empty and zero-padded
// octets are fine, 255.255.255.255 is not an address
// (src/core/ngx_inet.c:ngx_inet_addr).
func parseIPv4(b []byte) (netip.Addr, bool) {
	var octets [4]byte
	n, octet := 0, 0
	for _, c := range b {
		switch {
		case c >= '0' && c <= '9':
			if octet = octet*10 + int(c-'0'); octet > 255 {
				return netip.Addr{}, false
			}
		case c == '.' && n < 3:
			octets[n] = byte(octet)
			n, octet = n+1, 0
		default:
			return netip.Addr{}, false
		}
	}
	octets[3] = byte(octet)
	return netip.AddrFrom4(octets), n == 3 && octets != [4]byte{255, 255, 255, 255}
}

// parseAddr reads an IPv4 or IPv6 address (src/core/ngx_inet.c:ngx_parse_addr).
func parseAddr(b []byte) (netip.Addr, bool) {
	if a, ok := parseIPv4(b); ok {
		return a, true
	}
	return parseIPv6(b)
}

// parseIPv6 reads an address as ngx_inet6_addr does, which skips one colon in
// front (src/core/ngx_inet.c).
func parseIPv6(b []byte) (netip.Addr, bool) {
	if len(b) > 0 && b[0] == ':' {
		b = b[1:]
	}
	var p ipv6
	p.zero, p.digit = -1, -1
	for i, c := range b {
		if c == '.' && p.nibbles > 0 {
			return p.dotted(b)
		}
		if ok := c == ':' && p.colon(i) || c != ':' && p.digitOf(c); !ok {
			return netip.Addr{}, false
		}
	}
	return p.end()
}

// ipv6 is an address that is being read.
type ipv6 struct {
	bytes   [16]byte
	n       int // bytes so far
	zero    int // where "::" stands, -1: nowhere
	digit   int // where the last group begins in the text, -1: no colon yet
	nibbles int
	word    uint16
}

func (p *ipv6) colon(i int) bool {
	p.digit, i = i+1, p.nibbles
	switch {
	case i > 0:
		p.put()
		return p.n < 16
	case p.zero < 0:
		p.zero = p.n
		return true
	}
	return false
}

func (p *ipv6) put() {
	p.bytes[p.n], p.bytes[p.n+1] = byte(p.word>>8), byte(p.word)
	p.n, p.nibbles, p.word = p.n+2, 0, 0
}

func (p *ipv6) digitOf(c byte) bool {
	d, ok := hexDigit(c)
	p.nibbles++
	p.word = p.word<<4 | uint16(d)
	return ok && p.nibbles <= 4
}

// dotted ends the address with an IPv4 address.
func (p *ipv6) dotted(b []byte) (netip.Addr, bool) {
	if p.n > 12 || p.digit < 0 {
		return netip.Addr{}, false
	}
	four, ok := parseIPv4(b[p.digit:])
	if !ok {
		return netip.Addr{}, false
	}
	v4 := four.As4()
	p.bytes[p.n], p.bytes[p.n+1] = v4[0], v4[1]
	p.n += 2
	p.word, p.nibbles = uint16(v4[2])<<8|uint16(v4[3]), 1
	return p.end()
}

// end fills the place of "::" with zeros.
func (p *ipv6) end() (netip.Addr, bool) {
	if p.nibbles == 0 && p.zero < 0 {
		return netip.Addr{}, false
	}
	p.put()
	if (p.n < 16) != (p.zero >= 0) {
		return netip.Addr{}, false
	}
	if p.zero >= 0 {
		moved := copy(p.bytes[16-(p.n-p.zero):], p.bytes[p.zero:p.n]) // copy minds the overlap
		clear(p.bytes[p.zero : 16-moved])
	}
	return netip.AddrFrom16(p.bytes), true
}

// parseAddrPort reads an address with or without a port; port is 0 when
// there is none (src/core/ngx_inet.c:ngx_parse_addr_port). "[v6]" without a
// port is an address since nginx 1.27.3.
func parseAddrPort(b []byte) (a netip.Addr, port int, ok bool) {
	if a, ok = parseAddr(b); ok {
		return a, 0, true
	}
	colon := bytes.IndexByte(b, ':')
	host := b
	if len(b) > 0 && b[0] == '[' {
		end := bytes.IndexByte(b, ']')
		if end < 0 || end == len(b)-1 || b[end+1] != ':' {
			return a, 0, false
		}
		host, colon = b[1:end], end+1
	} else if colon >= 0 {
		host = b[:colon]
	}
	if colon < 0 {
		return a, 0, false
	}
	port, err := strconv.Atoi(string(b[colon+1:]))
	if err != nil || port < 1 || port > 65535 || b[colon+1] == '+' {
		return a, 0, false
	}
	a, ok = parseAddr(host)
	return a, port, ok
}

// appendAddr writes an address as nginx prints it
// (src/core/ngx_inet.c:ngx_inet6_ntop): the longest run of at least two zero
// groups is cut, and IPv4-mapped and -compatible addresses end in dots.
func appendAddr(dst []byte, a netip.Addr) []byte {
	if a.Is4() {
		return a.AppendTo(dst)
	}
	p := a.As16()
	zero, run := longestZeros(p)
	groups := 8
	if zero == 0 {
		mapped := run == 5 && p[10] == 0xff && p[11] == 0xff
		if mapped || run == 6 || run == 7 && p[14] != 0 && p[15] != 1 {
			groups = 6
		}
		dst = append(dst, ':')
	}
	for i := 0; i < groups; i++ {
		if i == zero {
			dst = append(dst, ':')
			i += run - 1
			continue
		}
		dst = strconv.AppendUint(dst, uint64(p[2*i])<<8|uint64(p[2*i+1]), 16)
		if i < 7 {
			dst = append(dst, ':')
		}
	}
	if groups == 6 {
		dst = netip.AddrFrom4([4]byte(p[12:])).AppendTo(dst)
	}
	return dst
}

// longestZeros finds the first longest run of zero groups; -1 when none has
// two.
func longestZeros(p [16]byte) (at, length int) {
	at, length = -1, 1
	start, n := 0, 0
	for i := range 8 {
		if p[2*i] != 0 || p[2*i+1] != 0 {
			n = 0
			continue
		}
		if n == 0 {
			start = i
		}
		if n++; n > length {
			at, length = start, n
		}
	}
	return at, length
}
