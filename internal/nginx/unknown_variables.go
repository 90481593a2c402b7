package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// checkVariables refuses variables that nobody defines, in the order in which
// nginx meets them (ngx_http_variables.c:ngx_http_variables_init_vars). Where
// a module that is not of stock nginx may define some, nothing is refused.
func (b *builder) checkVariables() {
	if b.config.HTTP == nil || b.incomplete() || b.mayDefineMore() {
		return
	}
	seen := map[string]bool{}
	for d := range everyDirective(b.config.Tree) {
		for _, i := range variableArgs(d) {
			b.checkUses(d, i, seen)
		}
		if d.Name == "map" {
			b.checkMapResults(d, seen)
		}
	}
}

// mayDefineMore tells whether modules are in use that define variables of
// their own.
func (b *builder) mayDefineMore() bool {
	if len(b.config.Tree.Notes) > 0 || b.config.defs.scripts || len(b.config.defs.scripted) > 0 {
		return true
	}
	for d := range b.config.Tree.All() {
		if d.Name == "load_module" {
			return true
		}
	}
	return false
}

// variableArgs are the arguments in which nginx looks for variables when it
// reads the directive, as far as reviews look at them, too.
func variableArgs(d *parser.Directive) []int {
	switch d.Name {
	case "limit_req_zone", "limit_conn_zone":
		return upTo(d, 1)
	case "map", "split_clients":
		return upTo(d, 1)
	case "geo":
		if len(d.Args) == 2 {
			return []int{0}
		}
	case "log_format", "return", "add_header", "add_trailer", "proxy_set_header", "fastcgi_param", "uwsgi_param",
		"scgi_param", "grpc_set_header":
		return from(d, 1)
	case "set", "auth_request_set":
		return from(d, 1)
	case "rewrite":
		if len(d.Args) > 1 {
			return []int{1}
		}
	}
	return nil
}

func upTo(d *parser.Directive, n int) []int {
	var list []int
	for i := range min(n, len(d.Args)) {
		list = append(list, i)
	}
	return list
}

func from(d *parser.Directive, first int) []int {
	var list []int
	for i := first; i < len(d.Args); i++ {
		list = append(list, i)
	}
	return list
}

func (b *builder) checkUses(d *parser.Directive, i int, seen map[string]bool) {
	v, fault := ParseValue(d.Args[i].Value)
	if fault != "" {
		return
	}
	for _, name := range v.Vars() {
		b.checkUse(d, d.ArgSpan(i), name, seen)
	}
}

func (b *builder) checkMapResults(d *parser.Directive, seen map[string]bool) {
	for _, m := range b.config.Maps {
		if m.Dir != d {
			continue
		}
		for _, e := range m.inOrder() {
			for _, name := range e.Result.Vars() {
				b.checkUse(d, e.Span, name, seen)
			}
		}
	}
}

func (m *Map) inOrder() []*MapEntry {
	if m.Default == nil {
		return m.Entries
	}
	return append([]*MapEntry{m.Default}, m.Entries...)
}

func (b *builder) checkUse(d *parser.Directive, at parser.Span, name string, seen map[string]bool) {
	if seen[name] || isDigit(name) || b.config.defs.known(name) || foreign(name) {
		return
	}
	if _, stock := LookupVariable(name); stock {
		return
	}
	seen[name] = true
	b.refuseAt(atVariables, d, at, 0, `unknown "`+name+`" variable`)
}

// foreign tells whether a well-known module that needs no directive defines
// variables of that name.
func foreign(name string) bool {
	for _, prefix := range []string{
		"acme_", "brotli_", "geoip2_", "jwt_", "keyval", "modsecurity", "otel_", "sess", "ssl_ja", "vts_", "zstd_",
		"upstream_", "ssl_", "http", "proxy_", "request_", "tcpinfo_", "quic", "spdy",
	} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
