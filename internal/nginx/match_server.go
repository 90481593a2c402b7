package nginx

import (
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/nglimit/nglimit/internal/nginx/pcre"
)

// socket is one address:port that servers share, with their names
// (src/http/ngx_http.c:ngx_http_optimize_servers).
type socket struct {
	addr      netip.Addr // of a wildcard: not looked at
	wildcard  bool
	port      uint16
	unix      string
	encrypted bool
	fallback  *serverProgram // default_server, else the first
	marked    bool           // fallback was asked for by default_server
	servers   []*serverProgram
	names     *hostTable[*serverProgram]
	regexes   []nameRegex
}

type nameRegex struct {
	regex *regexProgram
	srv   *serverProgram
}

// addServer enters a server at every address it listens on.
func (p *program) addServer(srv *serverProgram) {
	for _, l := range srv.server.Listens {
		at := p.socketFor(l)
		at.encrypted = at.encrypted || l.SSL || l.QUIC
		if at.fallback == nil || l.DefaultServer && !at.marked {
			at.fallback = srv
		}
		at.marked = at.marked || l.DefaultServer
		if n := len(at.servers); n > 0 && at.servers[n-1] == srv {
			continue
		}
		at.servers = append(at.servers, srv)
		p.addNames(at, srv)
	}
}

func (p *program) socketFor(l *Listen) *socket {
	for _, s := range p.sockets {
		if s.unix == l.Unix && s.port == l.Port && s.wildcard == l.Wildcard && (l.Wildcard && s.addr.Is4() == l.Addr.Is4() || s.addr == l.Addr) {
			return s
		}
	}
	s := &socket{addr: l.Addr, wildcard: l.Wildcard, port: l.Port, unix: l.Unix, names: newHostTable[*serverProgram]()}
	p.sockets = append(p.sockets, s)
	return s
}

// addNames enters the names of srv; a server without a name has the name "",
// and is found by requests without a host (src/http/ngx_http.c:ngx_http_server_names).
func (p *program) addNames(at *socket, srv *serverProgram) {
	if len(srv.server.Names) == 0 {
		put(at.names.exact, "", srv)
	}
	for i, n := range srv.server.Names {
		if n.Regex != nil {
			at.regexes = append(at.regexes, nameRegex{srv.nameRegexes[i], srv})
			continue
		}
		at.names.add(strings.ToLower(n.Text), srv)
	}
}

// requestFault says why nginx answers 400 before the phases of a server begin.
type requestFault uint8

const (
	accepted    requestFault = iota
	badLine                  // no header has been read yet
	badHost                  // the headers before Host have been read
	nobodyThere              // the configuration has no server
)

// pickServer finds the server of the request and reads its URI: with the
// settings of the default server, for nginx reads the request line before
// there is a Host (src/http/ngx_http_request.c:ngx_http_process_request_line).
func (s *state) pickServer() requestFault {
	sockets := s.possibleSockets()
	if len(sockets) == 0 {
		return nobodyThere
	}
	s.srv = s.oneOf(fallbacks(sockets), sameMerge)
	raw := s.input(slotHost) // before the path, of which there are more: a flatter memory
	if why := s.input(slotMalformed); len(why.b) > 0 || !s.readURI() {
		return badLine
	}
	if raw.unknown() {
		s.srv = s.anyServer(sockets)
		for _, r := range s.srv.nameRegexes {
			if r != nil { // it may have matched
				s.captureNothing(r, "http_host")
			}
		}
		return accepted
	}
	host, ok := s.hostOf(raw.b)
	if !ok {
		return badHost
	}
	var found []*serverProgram
	for _, at := range sockets {
		found = appendNew(found, s.serverNamed(at, host))
	}
	s.srv = s.oneOf(found, sameServer)
	s.serverNamed(s.socketOf(sockets), host) // its captures are the ones that stay
	if s.in.absolute && !s.headerHostOK() {
		return badHost
	}
	return accepted
}

// headerHostOK tells whether the Host header is fine; nginx looks at it even
// if the request line has a host.
func (s *state) headerHostOK() bool {
	header := s.fieldValue(fieldHTTPHost)
	if header.unknown() {
		return true
	}
	_, ok := s.hostOf(header.b)
	return ok
}

func sameServer(a, b *serverProgram) bool { return a == b }

func sameMerge(a, b *serverProgram) bool { return a.merge == b.merge }

// socketOf is a socket that led to the server that was picked.
func (s *state) socketOf(sockets []*socket) *socket {
	for _, at := range sockets {
		if slices.Contains(at.servers, s.srv) {
			return at
		}
	}
	return sockets[0]
}

// hostOf cleans the host as sent. HTTP/1.1 requires one.
func (s *state) hostOf(raw []byte) (host []byte, ok bool) {
	if len(raw) == 0 {
		p := s.input(slotProtocol)
		return nil, p.unknown() || string(p.b) == "HTTP/1.0" || len(p.b) == 0
	}
	host, s.arena, ok = cleanHost(s.arena, raw)
	return host, ok
}

// serverNamed is the server that a host leads to at an address
// (src/http/ngx_http_request.c:ngx_http_find_virtual_server).
func (s *state) serverNamed(at *socket, host []byte) *serverProgram {
	if len(at.servers) == 1 && len(at.regexes) == 0 {
		return at.fallback
	}
	if srv, ok := at.names.find(host); ok {
		return srv
	}
	if len(host) > 0 {
		for _, r := range at.regexes {
			if s.match(r.regex, known(host)) == pcre.Match {
				return r.srv
			}
		}
	}
	return at.fallback
}

// possibleSockets are those the connection may have come to, as far as the
// request tells: the address itself beats the wildcard of its port.
func (s *state) possibleSockets() []*socket {
	all := s.prog.sockets
	if len(all) < 2 {
		return all
	}
	port, addr := s.fieldValue(fieldServerPort), s.fieldValue(fieldServerAddr)
	var out []*socket
	for _, at := range all {
		if port.unknown() || at.unix == "" && strconv.Itoa(int(at.port)) == string(port.b) {
			out = append(out, at)
		}
	}
	if !addr.unknown() {
		out = atAddress(out, string(addr.b))
	}
	if len(out) > 1 {
		out = s.byScheme(out)
	}
	if len(out) == 0 {
		return all // a log of another machine: nothing is known of the address
	}
	return out
}

func atAddress(sockets []*socket, addr string) []*socket {
	a, err := netip.ParseAddr(addr)
	var exact, wild []*socket
	for _, at := range sockets {
		switch {
		case at.unix != "" && strings.TrimPrefix(addr, "unix:") == at.unix, err == nil && !at.wildcard && at.addr == a:
			exact = append(exact, at)
		case at.wildcard && err == nil:
			wild = append(wild, at)
		}
	}
	if len(exact) > 0 {
		return exact
	}
	return wild
}

func (s *state) byScheme(sockets []*socket) []*socket {
	scheme := s.fieldValue(fieldScheme)
	if scheme.unknown() {
		return sockets
	}
	var out []*socket
	for _, at := range sockets {
		if at.encrypted == (string(scheme.b) == "https") {
			out = append(out, at)
		}
	}
	if len(out) == 0 {
		return sockets
	}
	return out
}

// anyServer is the choice without a host: the name that the log gives, else
// every server is possible.
func (s *state) anyServer(sockets []*socket) *serverProgram {
	var all []*serverProgram
	for _, at := range sockets {
		for _, srv := range at.servers {
			all = appendNew(all, srv)
		}
	}
	return s.oneOf(all, sameServer)
}

// oneOf settles which of several servers it is, as far as they differ:
// $server_name may tell, otherwise the question stays open.
func (s *state) oneOf(servers []*serverProgram, same func(a, b *serverProgram) bool) *serverProgram {
	if alike(servers, same) {
		return servers[0]
	}
	if name := s.fieldValue(fieldServerName); !name.unknown() {
		var named []*serverProgram
		for _, srv := range servers {
			if string(srv.name) == string(name.b) {
				named = append(named, srv)
			}
		}
		if len(named) > 0 {
			servers = named
		}
	}
	if alike(servers, same) {
		return servers[0]
	}
	return servers[s.choose(len(servers), s.whatTellsServers())]
}

func alike(servers []*serverProgram, same func(a, b *serverProgram) bool) bool {
	for _, srv := range servers[1:] {
		if !same(srv, servers[0]) {
			return false
		}
	}
	return true
}

func (s *state) whatTellsServers() string {
	switch {
	case s.peek(slotHost).unknown():
		return "http_host"
	case s.peek(derivedSlots + fieldServerPort).unknown():
		return "server_port"
	}
	return "server_addr"
}

func fallbacks(sockets []*socket) (out []*serverProgram) {
	for _, at := range sockets {
		out = appendNew(out, at.fallback)
	}
	return out
}

func appendNew(list []*serverProgram, srv *serverProgram) []*serverProgram {
	if slices.Contains(list, srv) {
		return list
	}
	return append(list, srv)
}
