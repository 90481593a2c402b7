package nginx

import (
	"fmt"
	"strings"
)

// configuration is one random configuration for servers on port.
func (g *generator) configuration() string {
	g.maps()
	g.geos()
	g.keys()
	g.realip()
	g.errorPages()
	if g.chance(50) {
		g.limits()
	}
	g.servers = 1 + g.IntN(4)
	for i := range g.servers {
		g.server(i)
	}
	for _, m := range g.limited {
		g.put("limit_conn_zone \"$pad[s%d|$http_x_id||]\" zone=s%d:32k;\n", m, m)
	}
	return g.b.String()
}

func (g *generator) server(i int) {
	g.put("server {\n")
	if i == 0 {
		g.put(" listen %%ADDR%%;\n location ~ \"(?<n0>zzzz)(?<n1>zzzz)\" { set $v0 $v1; set $v1 $v0; }\n")
	} else {
		g.put(" listen %s%s;\n", g.pick("%ADDR%", fmt.Sprintf("127.0.0.2:%d", g.port), fmt.Sprintf("*:%d", g.port)), "")
	}
	g.names()
	g.limits()
	g.realip()
	g.errorPages()
	if g.chance(20) {
		g.put(" merge_slashes off;\n")
	}
	g.codes(40, true)
	seen := map[string]bool{}
	for range 3 + g.IntN(7) {
		g.location("", seen, 0)
	}
	g.put(" location @n0 { empty_gif;\n")
	g.limits()
	g.codes(20, false)
	g.put(" }\n location @n1 { empty_gif;\n")
	g.limits()
	g.put(" }\n}\n")
}

func (g *generator) names() {
	if g.chance(20) {
		return
	}
	g.put(" server_name")
	for range 1 + g.IntN(3) {
		g.put(" %s", g.pick("example.com", "*.example.com", ".example.org", "www.*", `"~^(?<n0>[a-z]+)\.default\.net$"`, `"~^(.+)\.Reg$"`, "localhost", `""`, "bar.example.com", "_", "default.net", "127.0.0.1"))
	}
	g.put(";\n")
}

func (g *generator) errorPages() {
	if g.chance(30) {
		g.pages = true
		g.put(" error_page %s %s;\n", g.pick("404", "301 302", "503 500", "404 444"), g.pick("/e1", "@n0", "@n1", "/a/e2?e=1", "=200 /b", "http://h/x", "/$1"))
	}
}

func (g *generator) codes(percent int, server bool) {
	for g.chance(percent) {
		g.code()
		if g.chance(40) {
			g.put(" if (%s) {\n", g.condition())
			for g.chance(50) {
				g.code()
			}
			if !server && g.chance(60) {
				g.marker++
				g.put(" add_header X-At b%d always;\n", g.marker)
			}
			g.put(" }\n")
		}
	}
}

func (g *generator) code() {
	switch g.IntN(12) {
	case 0, 1, 2, 3:
		g.put(" set %s %q;\n", g.pick("$v0", "$v1", "$v0", "$v1", "$m2", "$args"), g.expression())
	case 4:
		g.put(" break;\n")
	case 5:
		g.put(" return %s;\n", g.pick("404", "503", "301 /x", "200 ok", "http://h/", "444", "403", "302 /$1"))
	case 6, 7, 8:
		g.put(" rewrite %q %q %s;\n", g.regex(), g.pick("/a/$1", "/b", "/c?r=$1", "/a/b?", "/d?x=1?", "/$2$arg_a", "/e/$1/$v0"), g.pick("last", "break", "", "", "last"))
	case 9:
		g.put(" rewrite %q %q %s;\n", g.regex(), g.pick("/a/$1", "http://h/$1"), g.pick("redirect", "permanent"))
	default:
		g.put(" set $v1 \"%s\";\n", g.pick("$1", "$1$2", "lit", "$v0", "$m0"))
	}
}

func (g *generator) condition() string {
	switch g.IntN(4) {
	case 0:
		return g.source1()
	case 1:
		return fmt.Sprintf("%s %s %q", g.source1(), g.pick("=", "!="), g.pick(g.word(), g.word(), "$arg_a"))
	}
	return fmt.Sprintf("%s %s %q", g.source1(), g.pick("~", "~*", "!~", "!~*"), g.regex())
}

// source1 is a source that is a variable with a name.
func (g *generator) source1() string {
	for {
		if s := g.source(); s != "$1" && s != "$2" {
			return s
		}
	}
}

func (g *generator) location(prefix string, seen map[string]bool, depth int) {
	path := prefix + g.pick("/", "/a", "/a/", "/a/b", "/a/b/", "/b", "/b/", "/c", "/c/d", "/e1", "/x.php", "/é", "/a b")
	mod := g.pick("", "", "", "= ", "^~ ", "~ ", "~* ")
	if prefix == "~" {
		mod = g.pick("~ ", "~* ")
	}
	if mod == "~ " || mod == "~* " {
		path = g.regex()
	} else {
		key := "p" + path
		if mod == "= " {
			key = "=" + path
		}
		if seen[key] {
			return
		}
		seen[key] = true
	}
	g.put(" location %s%q {\n", mod, path)
	if g.chance(25) {
		g.put(" proxy_pass http://127.0.0.1:9;\n")
	} else {
		g.put(" empty_gif;\n")
	}
	if g.chance(8) {
		g.put(" internal;\n")
	}
	g.limits()
	g.realip()
	g.errorPages()
	g.codes(35, false)
	if depth < 2 && mod != "= " && g.chance(35) {
		inner := path
		if mod == "~ " || mod == "~* " {
			inner = "~" // a prefix would be outside
		}
		for range 1 + g.IntN(3) {
			g.location(inner, seen, depth+1)
		}
	}
	g.put(" }\n")
}

// sent is one random request.
type sent struct {
	id      int
	raw     []byte
	from    string
	to      string
	request Request
	line    string
}

// request makes a request and what a complete description of it is.
func (g *generator) request(id int, field func(string) int) *sent {
	s := &sent{id: id, from: g.pick("127.0.0.1", "127.0.0.1", "127.0.0.5", "127.1.2.3", "127.200.0.1"), to: g.pick("127.0.0.1", "127.0.0.1", "127.0.0.2")}
	set := func(name, value string) {
		f := field(name)
		for len(s.request.Values) <= f {
			s.request.Values = append(s.request.Values, nil)
		}
		s.request.Values[f] = []byte(value)
		if value == "" {
			s.request.Values[f] = []byte{}
		}
	}
	s.request.Complete = true
	set("remote_addr", s.from)
	set("server_addr", s.to)
	set("server_port", fmt.Sprint(g.port))
	protocol := g.pick("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0")
	s.line = g.pick("GET", "GET", "GET", "POST", "OPTIONS") + " " + g.target() + " " + protocol
	set("request", s.line)
	s.raw = append(s.raw, s.line+"\r\nConnection: close\r\n"...)
	header := func(name, variable, value string) {
		s.raw = append(s.raw, name+": "+value+"\r\n"...)
		set(variable, strings.Trim(value, " "))
	}
	header("X-Id", "http_x_id", fmt.Sprint(id))
	if protocol == "HTTP/1.1" || g.chance(70) {
		header("Host", "http_host", g.host())
	}
	for _, h := range [][2]string{{"X-A", "http_x_a"}, {"X-B", "http_x_b"}, {"User-Agent", "http_user_agent"}} {
		if g.chance(60) {
			header(h[0], h[1], g.value())
		}
	}
	if g.chance(10) {
		s.raw = append(s.raw, "Cookie: a=b\r\n"...)
		header("Cookie", "http_cookie", "d=e; c=f")
		set("http_cookie", "a=b\nd=e; c=f")
	} else if g.chance(50) {
		header("Cookie", "http_cookie", g.pick("c=1", "C=foo; c=2", "d=1; c=a b", "x=1;c=;c=2", "cc=1", "d=c=9, c=8", "c", "  c = 5 ; d"))
	}
	if g.chance(50) {
		lines := g.forwarded()
		for g.chance(20) {
			s.raw = append(s.raw, "X-Forwarded-For: "+lines[strings.LastIndexByte(lines, '\n')+1:]+"\r\n"...)
			lines += "\n" + g.forwarded()
		}
		header("X-Forwarded-For", "http_x_forwarded_for", lines[strings.LastIndexByte(lines, '\n')+1:])
		set("http_x_forwarded_for", lines)
	}
	if g.chance(40) {
		header("X-Real-IP", "http_x_real_ip", g.address())
	}
	if g.chance(20) {
		header("Authorization", "http_authorization", g.pick("Basic YWxpY2U6cHc=", "Basic bm8=", "basic Ym9iOg==", "Bearer x", "Basic ???"))
	}
	s.raw = append(s.raw, "\r\n"...)
	return s
}

func (g *generator) host() string {
	return g.pick("example.com", "EXAMPLE.com", "www.example.com", "a.b.example.com", "example.org", "x.example.org", "www.foo", "foo.default.net",
		"localhost", "localhost:8080", "example.com.", "bar.example.com", "default.net", "1.Reg", "a..b", "127.0.0.1", "[::1]:80", "nope", "www.", "x.default.net:1")
}

func (g *generator) value() string {
	if g.chance(20) {
		return g.address()
	}
	return g.pick("a", "b", "A", "foo", "FOO", "bar.example.com", "www.example.com", "example.com.", "example.com", "0", "/a/b", "xb", "yes", "a b", "é", "bar.x", "q.default.net", "X")
}

func (g *generator) address() string {
	return g.pick("1.1.1.1", "10.0.0.1", "10.1.2.3", "127.0.0.5", "192.0.2.7", "2001:db8::1", "::1", "::ffff:10.0.0.9", "1.1.1.1:80", "[2001:db8::2]:443", "bad", "1.2.3", "255.255.255.255", "001.2.3.4", "2001:0DB8:0:0:1:0:0:1", "::1.2.3.4", "[::1]", "10.0.0.1:0", "0.0.0.0", "unix:", ":1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::8", "1:2:3:4:5:6::8", "1:2:3:4:5:6:1.2.3.4", "1::2::3", "::1.2.3", "1..3.4", "fe80::1%eth0", "1::", "::")
}

func (g *generator) forwarded() string {
	out := g.address()
	for g.chance(60) {
		out += g.pick(", ", ",", " ", ", ,") + g.address()
	}
	if g.chance(10) {
		out = g.pick(",", "1.1.1.1,", ",1.1.1.1", "1.1.1.1 ,")
	}
	return out
}

// target is a request target, clean or not.
func (g *generator) target() string {
	if g.chance(4) {
		return g.pick("*", "http://example.com/a/b?x", "http://WWW.example.com:80?q", "http://default.net", "x", "/..", "/a/%2e%2e/..", "/%00", "/%zz", "/a%", "HTTP://h/a")
	}
	out := ""
	for range 1 + g.IntN(4) {
		out += g.pick("/", "/", "/", "//", "/./", "/../", "%2F", "/%2e/") + g.pick("a", "b", "a", "b", "c", "d", "e1", "x.php", "", "%61", "b.gif", "a+b", "a%20b", "%C3%A9", "é", "A", "ab", "...", ".a", "%2525", "%3F", "foo.com")
	}
	if out[0] != '/' {
		out = "/" + out
	}
	if g.chance(50) {
		out += "?" + g.pick("a=1", "a=foo&b=2", "b=1&A=x", "x", "a", "aa=1&a=2", "a=%20+c", "a=1?b=2", "a=10.0.0.5", "a=1.0.0.0", "&&a=&a=3", "")
	}
	if g.chance(5) {
		out += "#frag?a=1"
	}
	return out
}

// forget is a request as a log has it: nothing tells what was not sent, and
// some variables were not logged.
func (g *generator) forget(s *sent, field func(string) int, a answer) *sent {
	out := &sent{id: s.id, to: s.to, from: s.from}
	out.request.Values = append(out.request.Values, s.request.Values...)
	for _, name := range []string{"http_host", "http_x_a", "http_x_b", "http_user_agent", "http_cookie", "http_x_forwarded_for", "http_x_real_ip", "http_authorization", "realip_remote_addr"} {
		for f := field(name); len(out.request.Values) <= f; {
			out.request.Values = append(out.request.Values, nil)
		}
		if f := field(name); out.request.Values[f] == nil {
			out.request.Values[f] = []byte{}
		}
	}
	for _, name := range []string{"http_x_forwarded_for", "http_cookie"} {
		if f := field(name); strings.Contains(string(out.request.Values[f]), "\n") {
			out.request.Values[f] = nil // a log does not tell lines from items
		}
	}
	out.request.Values[field("realip_remote_addr")] = []byte(s.from)
	out.request.Values[field("remote_addr")] = []byte(a.addr)
	out.request.Values[field("server_addr")] = []byte(s.to)
	for f := range out.request.Values {
		if f != field("http_x_id") && f != field("realip_remote_addr") && g.chance(25) {
			out.request.Values[f] = nil
		}
	}
	return out
}
