package nginx

import "net/netip"

// parseInet6 is ngx_inet.c:ngx_inet6_addr, which is a little more lenient than
// the standard: one leading colon too few passes.
func parseInet6(text string) (netip.Addr, bool) {
	r := inet6{gap: -1, digits: -1}
	if text == "" {
		return netip.Addr{}, false
	}
	for i := range len(text) {
		if i == 0 && text[0] == ':' {
			continue
		}
		if !r.take(text, i) {
			return netip.Addr{}, false
		}
		if r.done {
			break
		}
	}
	return r.finish()
}

// inet6 is the state of reading one address.
type inet6 struct {
	out     []byte
	gap     int // where "::" stands in out
	digits  int // where the group starts in the text
	nibbles int
	word    uint32
	done    bool // an IPv4 tail ended the text
}

func (r *inet6) take(text string, i int) bool {
	switch c := text[i]; {
	case c == ':':
		return r.colon(i)
	case c == '.' && r.nibbles > 0:
		return r.tail(text)
	default:
		digit, ok := nibble(c)
		r.nibbles++
		r.word = r.word<<4 | digit
		return ok && r.nibbles <= 4
	}
}

func (r *inet6) colon(i int) bool {
	r.digits = i + 1
	if r.nibbles == 0 {
		first := r.gap < 0
		r.gap = len(r.out)
		return first
	}
	r.out = append(r.out, byte(r.word>>8), byte(r.word))
	r.nibbles, r.word = 0, 0
	return len(r.out) < 16
}

// tail reads an IPv4 address at the end; its last two bytes stay in word.
func (r *inet6) tail(text string) bool {
	if len(r.out) > 12 || r.digits < 0 {
		return false
	}
	v4, ok := parseInet4(text[r.digits:])
	if !ok || v4 == netip.AddrFrom4([4]byte{255, 255, 255, 255}) {
		return false
	}
	b := v4.As4()
	r.out = append(r.out, b[0], b[1])
	r.word = uint32(b[2])<<8 | uint32(b[3])
	r.done = true
	return true
}

func (r *inet6) finish() (netip.Addr, bool) {
	if r.nibbles == 0 && r.gap < 0 {
		return netip.Addr{}, false
	}
	out := append(r.out, byte(r.word>>8), byte(r.word))
	if len(out) > 16 || len(out) == 16 && r.gap >= 0 || len(out) < 16 && r.gap < 0 {
		return netip.Addr{}, false
	}
	var full [16]byte
	copy(full[:], out)
	if r.gap >= 0 {
		clear(full[r.gap:])
		copy(full[16-(len(out)-r.gap):], out[r.gap:])
	}
	return netip.AddrFrom16(full), true
}

func nibble(c byte) (uint32, bool) {
	switch {
	case c >= '0' && c <= '9':
		return uint32(c - '0'), true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return uint32(c|0x20-'a') + 10, true
	}
	return 0, false
}
