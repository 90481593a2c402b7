package nginx

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// impliedListen is what a server without listen has when nginx is started by
// root; started by anyone else the port is 8000.
func impliedListen() *Listen {
	return &Listen{Addr: netip.IPv4Unspecified(), Port: 80, Wildcard: true}
}

// parseListen reads a listen directive; a range of ports is several listens.
func parseListen(d *parser.Directive) []*Listen {
	if len(d.Args) == 0 {
		return nil
	}
	l := &Listen{Dir: d}
	for _, arg := range d.Args[1:] {
		l.set(arg.Value)
	}
	if path, isUnix := strings.CutPrefix(d.Args[0].Value, "unix:"); isUnix {
		l.Unix = path
		return []*Listen{l}
	}
	host, first, last := splitListen(d.Args[0].Value)
	l.setHost(host)
	var all []*Listen
	for port := int(first); port <= int(last); port++ {
		each := *l
		each.Port = uint16(port)
		all = append(all, &each)
	}
	return all
}

func (l *Listen) set(parameter string) {
	switch parameter {
	case "default_server", "default":
		l.DefaultServer = true
	case "ssl":
		l.SSL = true
	case "http2":
		l.HTTP2 = true
	case "quic", "http3":
		l.QUIC = true
	case "proxy_protocol":
		l.ProxyProtocol = true
	}
}

// splitListen separates address and port, or range of ports, as
// ngx_inet.c:ngx_parse_url does for listen.
func splitListen(text string) (host string, first, last uint16) {
	if host, ports, ok := cutPort(text); ok {
		if first, last, ok = parsePorts(ports); ok {
			return host, first, last
		}
	}
	if first, last, ok := parsePorts(text); ok {
		return "*", first, last
	}
	return text, 80, 80
}

func cutPort(text string) (host, port string, ok bool) {
	if strings.HasPrefix(text, "[") {
		end := strings.IndexByte(text, ']')
		if end < 0 || !strings.HasPrefix(text[end+1:], ":") {
			return "", "", false
		}
		return text[:end+1], text[end+2:], true
	}
	return strings.Cut(text, ":")
}

func parsePorts(text string) (first, last uint16, ok bool) {
	low, high, isRange := strings.Cut(text, "-")
	from, err := strconv.ParseUint(low, 10, 16)
	if err != nil || from == 0 {
		return 0, 0, false
	}
	to := from
	if isRange {
		if to, err = strconv.ParseUint(high, 10, 16); err != nil || to < from {
			return 0, 0, false
		}
	}
	return uint16(from), uint16(to), true
}

func (l *Listen) setHost(host string) {
	switch host {
	case "*", "":
		l.Addr, l.Wildcard = netip.IPv4Unspecified(), true
		return
	}
	addr, err := netip.ParseAddr(strings.Trim(host, "[]"))
	if err != nil {
		l.Host = host
		return
	}
	l.Addr, l.Wildcard = addr, addr.IsUnspecified()
}

// id is the address as nginx prints it; "" for a host name.
func (l *Listen) id() string {
	switch {
	case l.Unix != "":
		return "unix:" + l.Unix
	case !l.Addr.IsValid():
		return ""
	case l.Addr.Is6():
		return fmt.Sprintf("[%s]:%d", l.Addr, l.Port)
	}
	return fmt.Sprintf("%s:%d", l.Addr, l.Port)
}

// shareListens gives every listen what any server says of its address: these
// parameters belong to the socket (ngx_http.c:ngx_http_add_addresses).
func (b *builder) shareListens() {
	type flags struct{ ssl, http2, proxyProtocol bool }
	said := map[string]flags{}
	b.eachTCP(func(id string, l *Listen) {
		f := said[id]
		said[id] = flags{f.ssl || l.SSL, f.http2 || l.HTTP2, f.proxyProtocol || l.ProxyProtocol}
	})
	b.eachTCP(func(id string, l *Listen) {
		f := said[id]
		l.SSL, l.HTTP2, l.ProxyProtocol = f.ssl, f.http2, f.proxyProtocol
	})
}

// eachTCP leaves out QUIC, which has sockets of its own, and names of hosts.
func (b *builder) eachTCP(visit func(id string, l *Listen)) {
	for _, s := range b.config.Servers {
		for _, l := range s.Listens {
			if id := l.id(); id != "" && !l.QUIC {
				visit(id, l)
			}
		}
	}
}
