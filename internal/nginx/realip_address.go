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
	if bytes.IndexByte(b, ':') < 0 || bytes.IndexByte(b, '%') >= 0 {
		return netip.Addr{}, false
	}
	a, err := netip.ParseAddr(string(b))
	return a, err == nil
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
