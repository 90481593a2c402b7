package nginx

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// builtin is the meaning of nginx's own variables at the time when limits
// are looked at (src/http/ngx_http_variables.c:ngx_http_core_variables).
func (p *program) builtin(name string) (evalVar, bool) {
	if v, ok := p.prefixed(name); ok {
		return v, true
	}
	need := func(fields ...string) {
		for _, f := range fields {
			p.need(f)
		}
	}
	switch name {
	case "uri", "document_uri":
		return evalVar{get: getURI, fleeting: true}, true
	case "args", "query_string":
		need("args")
		return evalVar{get: getArgs, fleeting: true}, true
	case "is_args":
		need("args")
		return evalVar{get: getIsArgs, fleeting: true}, true
	case "request_uri":
		return evalVar{get: getRequestURI}, true
	case "request_method":
		return evalVar{get: getMethod}, true
	case "server_protocol":
		need("server_protocol")
		return evalVar{get: getProtocol}, true
	case "host":
		need("http_host", "host")
		return evalVar{get: getHost}, true
	case "server_name":
		return evalVar{get: getServerName}, true
	case "scheme":
		need("scheme")
		return evalVar{get: getScheme}, true
	case "https":
		need("scheme")
		return evalVar{get: getHTTPS}, true
	case "server_port":
		need("server_port")
		return evalVar{get: getServerPort}, true
	case "remote_addr":
		return evalVar{get: getRemoteAddr}, true
	case "binary_remote_addr":
		return evalVar{get: getBinaryRemoteAddr}, true
	case "realip_remote_addr":
		need("realip_remote_addr")
		return evalVar{get: getRealipRemoteAddr}, true
	case "proxy_add_x_forwarded_for":
		return evalVar{get: getAddForwarded, field: p.need("http_x_forwarded_for")}, true
	case "remote_user":
		need("http_authorization")
		return evalVar{get: getRemoteUser, field: p.need("remote_user")}, true
	case "status":
		return evalVar{get: getStatus, fleeting: true}, true
	case "content_length", "content_type":
		return p.supplied(name), true
	}
	return evalVar{get: getEmpty}, comesLater(name) || strings.HasPrefix(name, "proxy_protocol_") && !p.proxyProtocol()
}

// proxyProtocol tells whether some connection begins with a PROXY header.
func (p *program) proxyProtocol() bool {
	for _, srv := range p.config.Servers {
		for _, l := range srv.Listens {
			if l.ProxyProtocol {
				return true
			}
		}
	}
	return false
}

// comesLater tells whether a variable has no value before the request is
// handed on and answered.
func comesLater(name string) bool {
	switch name {
	case "request_body", "request_body_file", "request_completion", "content_encoding":
		return true
	}
	return strings.HasPrefix(name, "upstream_") || strings.HasPrefix(name, "sent_http_") || strings.HasPrefix(name, "sent_trailer_")
}

// prefixed is the meaning of names like $arg_page.
func (p *program) prefixed(name string) (evalVar, bool) {
	for _, kind := range []struct {
		prefix, source string
		get            getter
		fleeting       bool
	}{
		{"arg_", "args", getArg, true},
		{"cookie_", "http_cookie", getCookie, false},
		{"http_", "", getHeader, false},
	} {
		suffix, ok := strings.CutPrefix(name, kind.prefix)
		if !ok || suffix == "" {
			continue
		}
		if kind.source != "" {
			p.need(kind.source)
		}
		return evalVar{get: kind.get, suffix: suffix, field: p.need(name), fleeting: kind.fleeting}, true
	}
	return evalVar{}, false
}

// getStatus is "000" until there is an answer
// (src/http/ngx_http_variables.c:ngx_http_variable_status).
func getStatus(s *state, _ *evalVar) datum {
	at := len(s.arena)
	s.arena = fmt.Appendf(s.arena, "%03d", s.errStatus)
	return known(s.arena[at:len(s.arena):len(s.arena)])
}

func getURI(s *state, _ *evalVar) datum { return s.uri }

// currentArgs are the arguments as rewrites left them.
func (s *state) currentArgs() datum {
	if s.argsChanged {
		return s.args
	}
	return s.input(slotArgs)
}

func getArgs(s *state, _ *evalVar) datum { return s.currentArgs() }

func getIsArgs(s *state, _ *evalVar) datum {
	args := s.currentArgs()
	if args.unknown() || len(args.b) == 0 {
		return args
	}
	return known([]byte("?")[:1:1])
}

// getArg finds a query argument (src/http/ngx_http_parse.c:ngx_http_arg).
func getArg(s *state, v *evalVar) datum {
	args := s.currentArgs()
	if !args.unknown() {
		return known(queryArg(args.b, v.suffix))
	}
	if !s.argsChanged {
		if val := s.fieldValue(v.field); !val.unknown() {
			return val
		}
	}
	return args
}

// queryArg is the value of the first "name=" in any case.
func queryArg(args []byte, name string) []byte {
	for len(args) > 0 {
		var one []byte
		one, args, _ = bytes.Cut(args, []byte("&"))
		if len(one) > len(name) && one[len(name)] == '=' && equalFold(one[:len(name)], name) {
			return one[len(name)+1:]
		}
	}
	return nil
}

// equalFold compares with a name in lower case, ASCII only.
func equalFold(b []byte, name string) bool {
	if len(b) != len(name) {
		return false
	}
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != name[i] {
			return false
		}
	}
	return true
}

// getCookie finds a cookie
// (src/http/ngx_http_parse.c:ngx_http_parse_multi_header_lines).
func getCookie(s *state, v *evalVar) datum {
	if val := s.fieldValue(v.field); !val.unknown() && (len(val.b) > 0 || !s.req.Complete) {
		return val
	}
	header := s.fieldValue(fieldHTTPCookie)
	if header.unknown() {
		return missing(v.name)
	}
	for line := range bytes.SplitSeq(header.b, []byte("\n")) {
		if value, ok := cookie(line, v.suffix); ok {
			return known(value)
		}
	}
	return datum{}
}

// cookie is the value of the first cookie of that name, in any case.
func cookie(header []byte, name string) (value []byte, ok bool) {
	for len(header) > 0 {
		header = bytes.TrimLeft(header, " ")
		if len(header) > len(name) && equalFold(header[:len(name)], name) {
			rest := bytes.TrimLeft(header[len(name):], " ")
			if len(rest) > 0 && rest[0] == '=' {
				value = bytes.TrimLeft(rest[1:], " ")
				if end := bytes.IndexByte(value, ';'); end >= 0 {
					value = value[:end]
				}
				return value, true
			}
		}
		end := bytes.IndexAny(header, ";,")
		if end < 0 {
			break
		}
		header = header[end+1:]
	}
	return nil, false
}

// getHeader is a header; its lines are joined as nginx joins those of Cookie,
// X-Forwarded-For, and since 1.23.0 all others
// (src/http/ngx_http_variables.c:ngx_http_variable_headers_internal).
func getHeader(s *state, v *evalVar) datum {
	val := s.fieldValue(v.field)
	if !s.req.Complete || bytes.IndexByte(val.b, '\n') < 0 {
		return val
	}
	between := []byte(", ")
	if v.field == fieldHTTPCookie {
		between = []byte("; ")
	}
	return known(s.keep(bytes.ReplaceAll(val.b, []byte("\n"), between)))
}

func getRequestURI(s *state, _ *evalVar) datum { return s.input(slotTarget) }

func getMethod(s *state, _ *evalVar) datum {
	if s.method != nil {
		return known(s.method)
	}
	return s.input(slotMethod)
}

func getProtocol(s *state, _ *evalVar) datum { return s.input(slotProtocol) }

// getHost is the host without port, or the server's name when none was sent
// (src/http/ngx_http_variables.c:ngx_http_variable_host).
func getHost(s *state, _ *evalVar) datum {
	raw := s.input(slotHost)
	if raw.unknown() {
		return missing("host")
	}
	if len(raw.b) > 0 {
		var host []byte
		var ok bool
		if host, s.arena, ok = cleanHost(s.arena, raw.b); ok {
			return known(host)
		}
	}
	return known(s.srv.name)
}

func getServerName(s *state, _ *evalVar) datum { return known(s.srv.name) }

func getScheme(s *state, _ *evalVar) datum {
	if scheme := s.fieldValue(fieldScheme); !scheme.unknown() {
		return scheme
	}
	encrypted, known1 := s.encrypted()
	switch {
	case !known1:
		return missing("scheme")
	case encrypted:
		return known([]byte("https"))
	}
	return known([]byte("http"))
}

func getHTTPS(s *state, _ *evalVar) datum {
	if v := s.fieldValue(fieldHTTPS); !v.unknown() {
		return v
	}
	scheme := getScheme(s, nil)
	switch {
	case scheme.unknown():
		return missing("https")
	case string(scheme.b) == "https":
		return known([]byte("on"))
	}
	return datum{}
}

// encrypted tells whether the connection uses TLS, when all of the server's
// addresses agree on it.
func (s *state) encrypted() (yes, certain bool) {
	some, all := false, true
	for _, l := range s.srv.server.Listens {
		tls := l.SSL || l.QUIC
		some, all = some || tls, all && tls
	}
	return all, some == all
}

func getServerPort(s *state, _ *evalVar) datum {
	if port := s.fieldValue(fieldServerPort); !port.unknown() {
		return port
	}
	listens := s.srv.server.Listens
	for _, l := range listens {
		if l.Port != listens[0].Port || l.Unix != "" {
			return missing("server_port")
		}
	}
	if len(listens) == 0 {
		return missing("server_port")
	}
	at := len(s.arena)
	s.arena = strconv.AppendUint(s.arena, uint64(listens[0].Port), 10)
	return known(s.arena[at:len(s.arena):len(s.arena)])
}

// getAddForwarded is X-Forwarded-For with the client's address behind it
// (src/http/modules/ngx_http_proxy_module.c:ngx_http_proxy_add_x_forwarded_for_variable).
func getAddForwarded(s *state, v *evalVar) datum {
	header, addr := getHeader(s, v), getRemoteAddr(s, nil)
	switch {
	case header.unknown():
		return header
	case addr.unknown() || len(header.b) == 0:
		return addr
	}
	at := len(s.arena)
	s.arena = append(append(append(s.arena, header.b...), ", "...), addr.b...)
	return known(s.arena[at:len(s.arena):len(s.arena)])
}

// getRemoteUser is the name in Basic credentials, checked or not
// (src/http/ngx_http_core_module.c:ngx_http_auth_basic_user).
func getRemoteUser(s *state, v *evalVar) datum {
	if user := s.fieldValue(v.field); !user.unknown() {
		return user
	}
	header := s.fieldValue(fieldHTTPAuthorization)
	if header.unknown() {
		return missing("remote_user")
	}
	return known(basicUser(header.b))
}

func basicUser(header []byte) []byte {
	const scheme = "basic "
	if len(header) < len(scheme) || !equalFold(header[:len(scheme)], scheme) {
		return nil
	}
	code := strings.TrimRight(string(bytes.TrimLeft(header[len(scheme):], " ")), "=")
	plain, err := base64.RawStdEncoding.DecodeString(code)
	if err != nil {
		return nil
	}
	user, _, ok := bytes.Cut(plain, []byte(":"))
	if !ok {
		return nil
	}
	return user
}
