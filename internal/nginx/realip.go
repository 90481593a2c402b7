package nginx

import (
	"bytes"
	"net/netip"
	"strings"

	"github.com/gaissmai/bart"
)

// realip are the real IP settings of one block.
type realip struct {
	trust     *trustList
	field     int  // of the header that names the client
	forwarded bool // X-Forwarded-For in exactly that spelling: all lines count
	never     bool // a header that nginx never sees
	recursive bool
}

// trustList are the addresses of set_real_ip_from or of geo's proxy.
type trustList struct {
	nets  bart.Lite
	unix  bool
	hosts bool // names that nginx resolves when it starts
}

// trusts tells whether a peer is trusted; open when a host name might be it.
func (t *trustList) trusts(a netip.Addr) (yes, open bool) {
	if !a.IsValid() {
		return t.unix, false
	}
	if t.nets.Contains(a.Unmap()) {
		return true, false
	}
	return false, t.hosts
}

// add enters a network. One of IPv4-mapped addresses never matches, because
// such peers are compared as IPv4 (src/core/ngx_inet.c:ngx_cidr_match).
func (t *trustList) add(n netip.Prefix) {
	if n.IsValid() && !n.Addr().Is4In6() {
		t.nets.Insert(n.Masked())
	}
}

// compileRealip is nil for a block without set_real_ip_from: nothing happens
// there (src/http/modules/ngx_http_realip_module.c:ngx_http_realip_handler).
func (p *program) compileRealip(b *Block) *realip {
	if len(b.SetRealIPFrom.Items) == 0 {
		return nil
	}
	out := &realip{trust: &trustList{}, recursive: b.RealIPRecursive.Value}
	for _, t := range b.SetRealIPFrom.Items {
		out.trust.add(t.Net)
		out.trust.unix = out.trust.unix || t.Unix
		out.trust.hosts = out.trust.hosts || t.Host
	}
	header := b.RealIPHeader.Value
	if header == "" {
		header = "X-Real-IP"
	}
	out.forwarded = header == "X-Forwarded-For"
	out.never = strings.Contains(header, "$") || strings.Contains(header, "_") && header != "proxy_protocol" && !on(b, "underscores_in_headers")
	name := "http_" + strings.ReplaceAll(header, "-", "_")
	if header == "proxy_protocol" {
		name = "proxy_protocol_addr"
		out.never = !p.proxyProtocol()
	}
	out.field = p.need(name)
	p.need("realip_remote_addr")
	return out
}

// addressCache is the client's address as far as it has been worked out.
type addressCache struct {
	first, second addressResult // after the server's settings, after the location's
}

type addressResult struct {
	done     bool
	val      datum
	addr     netip.Addr // invalid for a unix socket and for text that is no address
	replaced bool
}

// client is the client's address at the current phase.
func (s *state) client() *addressResult {
	first := &s.addr.first
	if !first.done {
		*first = s.replace(s.peer(), s.srvRealip())
	}
	if !s.preaccess || first.replaced || s.resolved() {
		return first
	}
	second := &s.addr.second
	if !second.done {
		*second = s.replace(*first, s.block.realip)
	}
	return second
}

func (s *state) srvRealip() *realip {
	if s.srv == nil {
		return nil
	}
	return s.srv.realip
}

// resolved tells whether remote_addr is what nginx made of the peer when it
// wrote the log: so it is unless the log has the peer, too.
func (s *state) resolved() bool {
	return !s.req.Complete && s.fieldValue(fieldRealipRemoteAddr).unknown()
}

func (s *state) peer() addressResult {
	val := s.fieldValue(fieldRealipRemoteAddr)
	if val.unknown() || len(val.b) == 0 {
		val = s.fieldValue(fieldRemoteAddr)
	}
	a, _ := parseAddr(val.b)
	return addressResult{done: true, val: val, addr: a}
}

// replace runs the real IP module on an address.
func (s *state) replace(at addressResult, r *realip) addressResult {
	at.done = true
	if r == nil || s.resolved() || at.val.unknown() || r.never {
		return at
	}
	yes, open := r.trust.trusts(at.addr)
	if open {
		at.val = missing("set_real_ip_from")
		return at
	}
	if !yes {
		return at
	}
	header := s.fieldValue(r.field)
	if header.unknown() {
		at.val = header
		return at
	}
	return s.forwardedFor(at, header.b, r)
}

func (s *state) forwardedFor(at addressResult, header []byte, r *realip) addressResult {
	value := header
	if !r.forwarded {
		value, _, _ = bytes.Cut(header, []byte("\n"))
	}
	c := chain{cur: at.addr, trust: r.trust, recursive: r.recursive}
	c.lines(value)
	if c.open {
		at.val = missing("set_real_ip_from")
		return at
	}
	if !c.replaced {
		return at
	}
	from := len(s.arena)
	s.arena = appendAddr(s.arena, c.cur)
	return addressResult{done: true, val: known(s.arena[from:len(s.arena):len(s.arena)]), addr: c.cur, replaced: true}
}

// chain walks the addresses of a forwarding header from the last to the first
// (src/http/ngx_http_core_module.c:ngx_http_get_forwarded_addr).
type chain struct {
	cur       netip.Addr
	trust     *trustList
	recursive bool
	replaced  bool
	open      bool
}

// lines takes the lines of a header from the last to the first; an earlier
// one counts only when the later ones were used up.
func (c *chain) lines(value []byte) {
	for {
		at := bytes.LastIndexByte(value, '\n')
		if !c.line(value[at+1:]) || at < 0 || !c.recursive {
			return
		}
		value = value[:at]
	}
}

// line takes the items of one line; false when nothing before it counts.
func (c *chain) line(value []byte) bool {
	for {
		yes, open := c.trust.trusts(c.cur)
		if c.open = c.open || open; !yes || open {
			return false
		}
		item, rest := lastItem(value)
		a, _, ok := parseAddrPort(item)
		if !ok {
			return false
		}
		c.cur, c.replaced = a, true
		if !c.recursive || rest == nil {
			return true
		}
		value = rest
	}
}

// lastItem is what follows the last space or comma. nginx does not look at
// the very first byte (…:ngx_http_get_forwarded_addr_internal).
func lastItem(value []byte) (item, rest []byte) {
	end := len(value)
	for end > 1 && (value[end-1] == ' ' || value[end-1] == ',') {
		end--
	}
	start := end - 1
	for start > 0 && value[start] != ' ' && value[start] != ',' {
		start--
	}
	if start <= 0 {
		return value[:end], nil
	}
	return value[start+1 : end], value[:start]
}

func getRemoteAddr(s *state, _ *evalVar) datum { return s.client().val }

// getBinaryRemoteAddr is the address in 4 or 16 bytes; of a unix socket the
// text "unix:" (src/http/ngx_http_variables.c:ngx_http_variable_binary_remote_addr).
// A text that is no address, as anonymising logs have it, stands for itself.
func getBinaryRemoteAddr(s *state, _ *evalVar) datum {
	c := s.client()
	switch {
	case c.val.unknown() || !c.addr.IsValid():
		return c.val
	case c.addr.Is4():
		b := c.addr.As4()
		return known(s.keep(b[:]))
	}
	b := c.addr.As16()
	return known(s.keep(b[:]))
}

// getRealipRemoteAddr is the peer before anything replaced it.
func getRealipRemoteAddr(s *state, _ *evalVar) datum {
	if s.resolved() && s.prog.usesRealip {
		return missing("realip_remote_addr")
	}
	return s.peer().val
}
