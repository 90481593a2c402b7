package nginx

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes random configurations in which every block has a marker
// and every limit a key that nginx prints.
type generator struct {
	*rand.Rand
	port    int
	b       strings.Builder
	marker  int
	zones   int
	servers int
	limited []int // markers of the blocks that have limits of their own
	pages   bool  // some error_page may hide where the limits were
}

func (g *generator) pick(from ...string) string  { return from[g.IntN(len(from))] }
func (g *generator) chance(percent int) bool     { return g.IntN(100) < percent }
func (g *generator) put(format string, a ...any) { fmt.Fprintf(&g.b, format, a...) }

// source is something a key or a map is made of.
func (g *generator) source() string {
	return g.pick("$uri", "$args", "$arg_a", "$arg_B", "$host", "$http_host", "$remote_addr", "$binary_remote_addr",
		"$http_x_a", "$http_x_b", "$cookie_c", "$request_uri", "$request_method", "$server_name", "$scheme", "$is_args",
		"$m0", "$m1", "$m2", "$m3", "$g0", "$g1", "$g2", "$c0", "$v0", "$v1", "$1", "$2", "$n0", "$n1", "$server_port",
		"$document_uri", "$query_string", "$realip_remote_addr", "$http_user_agent", "$server_protocol", "$remote_user",
		"$proxy_add_x_forwarded_for", "$http_x_forwarded_for", "$status", "$request_body", "$upstream_addr", "$https")
}

func (g *generator) expression() string {
	switch g.IntN(6) {
	case 0:
		return g.source() + "-" + g.source()
	case 1:
		return "x" + g.source()
	case 2:
		return g.source() + g.source()
	}
	return g.source()
}

// word is a value that requests use, too.
func (g *generator) word() string {
	return g.pick("a", "b", "A", "foo", "bar.example.com", "www.example.com", "example.com", "", "0", "1", "/a/b", "/", "GET", "x y", "127.0.0.1", "default.net")
}

func (g *generator) regex() string {
	return g.pick(`^/a`, `^(.*)b`, `b$`, `(a)(b)?`, `(?<n0>[a-c]+)`, `^/(?<n1>[^/]+)/`, `\.(gif|php)$`, `o{2}`, `^$`, `.`, `(x)|(y)`, `[A-Z]`, `^(?!a)`, `é|\xc3`, `(\w+)\.com`)
}

func (g *generator) maps() {
	for i := range 4 {
		src := g.expression()
		if g.chance(60) {
			src = g.pick("$http_x_a", "$arg_a", "$host", "$uri", "$http_x_b")
		}
		src = strings.ReplaceAll(src, fmt.Sprintf("$m%d", i), "$uri")
		for j := i; j < 4; j++ { // no loops
			src = strings.ReplaceAll(src, fmt.Sprintf("$m%d", j), "$args")
		}
		g.put("map %s $m%d {\n", src, i)
		hostnames := g.chance(30)
		if hostnames {
			g.put("  hostnames;\n")
			g.put("  .example.com %q;\n  bar.* tail;\n  *.default.net head$1;\n", g.mapResult(i))
		}
		if g.chance(20) {
			g.put("  volatile;\n")
		}
		g.entries(i, hostnames)
		if g.chance(60) {
			g.put("  default %q;\n", g.mapResult(i))
		}
		g.put("}\n")
	}
}

func (g *generator) entries(i int, hostnames bool) {
	seen := map[string]bool{"example.com": hostnames}
	for range g.IntN(4) {
		if w := strings.ToLower(g.word()); !seen[w] {
			seen[w] = true
			g.put("  %q %q;\n", w, g.mapResult(i))
		}
	}
	for range g.IntN(3) {
		g.put("  \"%s%s\" %q;\n", g.pick("~", "~*"), g.regex(), g.mapResult(i))
	}
}

func (g *generator) mapResult(i int) string {
	switch g.IntN(6) {
	case 0:
		return "$1"
	case 1:
		return "$http_x_b"
	case 2:
		if i > 0 {
			return "z$m0"
		}
	case 3:
		return ""
	}
	return g.pick("one", "two", "three")
}

func (g *generator) geos() {
	g.put("geo $g0 {\n default d; 127.0.0.0/8 loop; 127.0.0.1 me; 10.0.0.0/8 ten; 10.1.0.0/16 tenone; ::1 six; 2001:db8::/32 doc; 255.255.255.255 none;\n")
	if g.chance(40) {
		g.put(" delete 10.1.0.0/16;\n")
	}
	if g.chance(50) {
		g.put(" proxy 127.0.0.0/8; proxy 10.0.0.0/8;\n")
	}
	if g.chance(50) {
		g.put(" proxy_recursive;\n")
	}
	g.put("}\ngeo %s $g1 {\n ranges; ", g.pick("$arg_a", "$http_x_a", "$remote_addr"))
	if g.chance(50) {
		g.put("default d;")
	}
	g.put(" 127.0.0.0-127.255.255.255 loop; 127.0.0.1-127.0.0.9 few; 10.0.0.0-10.0.0.255 ten; 0.0.0.0-1.0.0.0 low; 255.255.255.0-255.255.255.254 top;\n}\n")
	g.put("geo %s $g2 { 127.0.0.0/9 a; 192.0.2.0/24 b; 0.0.0.0/1 c; }\n", g.pick("$http_x_forwarded_for", "$arg_a", "$http_x_real_ip"))
	g.put("split_clients %q $c0 { 10%% a; 33.33%% b; 0.5%% c; %s }\n", g.pick("$uri", "$http_x_a$arg_a", "$remote_addr", "$binary_remote_addr", "$v0$uri"), g.pick("* d;", ""))
}

func (g *generator) keys() {
	g.put("map 1 $pad { default %s; }\n", strings.Repeat("a", 256))
	g.zones = 8
	for i := range g.zones {
		g.put("limit_conn_zone \"$pad[z%d|$http_x_id|%s|]\" zone=z%d:1m;\n", i, g.expression(), i)
	}
	g.put("limit_conn_zone stop$uri zone=stop:1m;\n")
	for i := range 3 {
		g.put("limit_req_zone %q zone=r%d:1m rate=100000r/s;\n", g.expression(), i)
	}
}

// limits ends in one that always passes, so that nothing after the first
// location with limits is looked at.
func (g *generator) limits() {
	g.marker++
	g.put(" add_header X-At b%d always;\n", g.marker)
	if !g.chance(70) {
		return
	}
	for _, i := range g.Perm(g.zones)[:1+g.IntN(3)] {
		g.put(" limit_conn z%d 1;\n", i)
	}
	g.limited = append(g.limited, g.marker)
	g.put(" limit_conn s%d 1; limit_conn stop 1000;\n", g.marker)
	if g.chance(30) {
		for _, i := range g.Perm(3)[:1+g.IntN(2)] {
			g.put(" limit_req zone=r%d burst=100000 nodelay;\n", i)
		}
	}
}

func (g *generator) realip() {
	if !g.chance(35) {
		return
	}
	g.put(" set_real_ip_from %s;\n", g.pick("127.0.0.0/8", "127.0.0.1", "0.0.0.0/0", "127.0.0.0/9"))
	if g.chance(60) {
		g.put(" set_real_ip_from %s;\n", g.pick("10.0.0.0/8", "2001:db8::/32", "unix:", "::/0"))
	}
	if g.chance(70) {
		g.put(" real_ip_header %s;\n", g.pick("X-Forwarded-For", "X-Forwarded-For", "x-forwarded-for", "X-Real-IP", "X-A", "proxy_protocol"))
	}
	if g.chance(50) {
		g.put(" real_ip_recursive on;\n")
	}
}
