package nginx

import (
	"bytes"
	"net/netip"
	"slices"
	"strings"

	"github.com/gaissmai/bart"
)

// geoTable is a geo block made ready.
type geoTable struct {
	source    *text // nil: the client's address
	ranges    []geoRange
	inRanges  bool
	nets      bart.Table[[]byte]
	fallback  []byte
	proxies   *trustList // nil: no "proxy"
	recursive bool
	forwarded int               // the field of X-Forwarded-For
	values    map[string][]byte // millions of lines have few results
}

// geoRange is one range of IPv4 addresses, both ends included.
type geoRange struct {
	from, to netip.Addr
	value    []byte
}

// compileGeo follows src/http/modules/ngx_http_geo_module.c:ngx_http_geo_block.
func (p *program) compileGeo(g *Geo) *geoTable {
	t := &geoTable{values: map[string][]byte{}}
	if g.Source != nil {
		t.source = p.compile(g.Source)
	}
	for e := range g.Dir.Entries() {
		words := make([]string, len(e.Args))
		for i, a := range e.Args {
			words[i] = a.Value
		}
		t.entry(words)
	}
	if t.proxies != nil {
		t.forwarded = p.need("http_x_forwarded_for")
		p.need("realip_remote_addr")
	}
	return t
}

func (t *geoTable) entry(words []string) {
	if len(words) == 1 {
		t.inRanges = t.inRanges || words[0] == "ranges"
		t.recursive = t.recursive || words[0] == "proxy_recursive"
		return
	}
	if len(words) != 2 {
		return
	}
	switch words[0] {
	case "proxy":
		if t.proxies == nil {
			t.proxies = &trustList{}
		}
		if n, ok := parseNetwork(words[1]); ok {
			t.proxies.add(n)
		}
	case "default":
		t.fallback = []byte(strings.Clone(words[1]))
	case "delete":
		t.remove(words[1])
	default:
		t.add(words[0], t.value(words[1]))
	}
}

func (t *geoTable) value(text string) []byte {
	if v, ok := t.values[text]; ok {
		return v
	}
	v := []byte(text)
	t.values[string(v)] = v
	return v
}

func (t *geoTable) add(where string, value []byte) {
	if t.inRanges {
		if from, to, ok := parseRange(where); ok {
			t.addRange(geoRange{from, to, value})
		}
		return
	}
	if n, ok := parseNetwork(where); ok {
		t.nets.Insert(n, value)
	}
}

func (t *geoTable) remove(where string) {
	if t.inRanges {
		if from, to, ok := parseRange(where); ok {
			t.ranges = slices.DeleteFunc(t.ranges, func(r geoRange) bool { return r.from == from && r.to == to })
		}
		return
	}
	if n, ok := parseNetwork(where); ok {
		t.nets.Delete(n)
	}
}

// addRange keeps the ranges apart and in order; one inside another splits it,
// an equal one takes its place (…:ngx_http_geo_add_range).
func (t *geoTable) addRange(r geoRange) {
	i, _ := slices.BinarySearchFunc(t.ranges, r.from, func(have geoRange, from netip.Addr) int { return have.to.Compare(from) })
	if i == len(t.ranges) || r.to.Less(t.ranges[i].from) {
		t.ranges = slices.Insert(t.ranges, i, r)
		return
	}
	have := t.ranges[i]
	if r.from.Less(have.from) || have.to.Less(r.to) {
		return // nginx refuses ranges that overlap
	}
	var pieces []geoRange
	if have.from.Less(r.from) {
		pieces = append(pieces, geoRange{have.from, r.from.Prev(), have.value})
	}
	pieces = append(pieces, r)
	if r.to.Less(have.to) {
		pieces = append(pieces, geoRange{r.to.Next(), have.to, have.value})
	}
	t.ranges = slices.Replace(t.ranges, i, i+1, pieces...)
}

func parseRange(s string) (from, to netip.Addr, ok bool) {
	left, right, _ := strings.Cut(s, "-")
	from, ok1 := parseIPv4([]byte(left))
	to, ok2 := parseIPv4([]byte(right))
	return from, to, ok1 && ok2 && !to.Less(from)
}

// parseIPv4Any is parseIPv4 with 255.255.255.255, which only networks may name
// (…:ngx_http_geo_cidr_value).
func parseIPv4Any(b []byte) (netip.Addr, bool) {
	if string(b) == "255.255.255.255" {
		return netip.AddrFrom4([4]byte{255, 255, 255, 255}), true
	}
	return parseIPv4(b)
}

// parseNetwork reads an address or network, low bits cut
// (src/core/ngx_inet.c:ngx_ptocidr).
func parseNetwork(s string) (netip.Prefix, bool) {
	host, _, hasBits := strings.Cut(s, "/")
	a, ok := parseIPv4Any([]byte(host))
	if !ok {
		if a, ok = parseAddr([]byte(host)); !ok {
			return netip.Prefix{}, false
		}
	}
	if !hasBits {
		return netip.PrefixFrom(a, a.BitLen()), true
	}
	n, err := netip.ParsePrefix(a.String() + s[len(host):])
	return n.Masked(), err == nil
}

// getGeo looks the address up; what is no address counts as 255.255.255.255
// (…:ngx_http_geo_addr).
func getGeo(s *state, v *evalVar) datum {
	t := v.geo
	at, miss := s.geoAddr(t)
	if miss != "" {
		return t.whenUnknown(miss)
	}
	if t.proxies != nil {
		var d datum
		if at, d = s.geoForwarded(t, at); d.unknown() {
			return t.whenUnknown(d.miss)
		}
	}
	return known(t.find(at.Unmap()))
}

func (s *state) geoAddr(t *geoTable) (a netip.Addr, miss string) {
	broadcast := netip.AddrFrom4([4]byte{255, 255, 255, 255})
	if t.source == nil {
		c := s.client()
		if c.val.unknown() {
			return a, c.val.miss
		}
		if !c.addr.IsValid() {
			return broadcast, ""
		}
		return c.addr, ""
	}
	d := s.value(t.source)
	if d.unknown() {
		return a, d.miss
	}
	if a, ok := parseAddr(d.b); ok {
		return a, ""
	}
	return broadcast, ""
}

// geoForwarded follows X-Forwarded-For behind geo's own proxies.
func (s *state) geoForwarded(t *geoTable, a netip.Addr) (netip.Addr, datum) {
	if yes, _ := t.proxies.trusts(a); !yes {
		return a, datum{}
	}
	header := s.fieldValue(t.forwarded)
	if header.unknown() {
		return a, header
	}
	if len(header.b) == 0 {
		return a, datum{}
	}
	c := chain{cur: a, trust: t.proxies, recursive: t.recursive}
	c.lines(header.b)
	return c.cur, datum{}
}

// whenUnknown is the value for an address that is missing: known only if no
// address has another.
func (t *geoTable) whenUnknown(why string) datum {
	for _, r := range t.ranges {
		if !bytes.Equal(r.value, t.fallback) {
			return missing(why)
		}
	}
	for _, value := range t.nets.All() {
		if !bytes.Equal(value, t.fallback) {
			return missing(why)
		}
	}
	return known(t.fallback)
}

func (t *geoTable) find(a netip.Addr) []byte {
	if !t.inRanges {
		if value, ok := t.nets.Lookup(a); ok {
			return value
		}
		return t.fallback
	}
	if !a.Is4() {
		return t.fallback
	}
	i, _ := slices.BinarySearchFunc(t.ranges, a, func(have geoRange, at netip.Addr) int { return have.to.Compare(at) })
	if i < len(t.ranges) && !a.Less(t.ranges[i].from) {
		return t.ranges[i].value
	}
	return t.fallback
}
