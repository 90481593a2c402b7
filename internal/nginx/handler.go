package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// passDirectives hand a request to an upstream.
var passDirectives = []string{
	"proxy_pass", "fastcgi_pass", "uwsgi_pass", "scgi_pass", "grpc_pass", "memcached_pass", "tunnel_pass",
}

// ownHandlers answer a request inside nginx.
var ownHandlers = []string{
	"stub_status", "empty_gif", "flv", "mp4", "perl", "api", "status", "js_content",
	"content_by_lua_block", "content_by_lua_file", "content_by_lua", "return",
}

// Handler is the directive that produces the answer of a location and, for a
// pass, the upstream or address in it without scheme and path. A location
// without one serves files: then it is the root, alias or try_files in force,
// or nil for nginx's default root, with the folder. "return" counts as a
// handler only where nothing else is.
func (b *Block) Handler() (*parser.Directive, string) {
	for at := b; at != nil; at = at.Parent {
		if d, target := at.ownHandler(); d != nil {
			return d, target
		}
		// "if" and limit_except are the only blocks that take a handler from
		// outside (ngx_http_proxy_module.c:ngx_http_proxy_merge_loc_conf).
		if at.Level != IfLevel && at.Level != LimitExceptLevel {
			break
		}
	}
	return b.files()
}

func (b *Block) ownHandler() (*parser.Directive, string) {
	for _, name := range passDirectives {
		for _, d := range b.own[name] {
			return d, passTarget(d)
		}
	}
	for _, name := range ownHandlers {
		for _, d := range b.own[name] {
			return d, ""
		}
	}
	return nil, ""
}

func (b *Block) files() (*parser.Directive, string) {
	for _, d := range b.own["try_files"] {
		return d, ""
	}
	for _, d := range b.own["alias"] {
		return d, firstArg(d)
	}
	if ds, _ := b.Nearest("root"); len(ds) > 0 {
		return ds[0], firstArg(ds[0])
	}
	return nil, ""
}

// Pass is the directive that hands requests of the block to an upstream, and
// the upstream; nil when nginx answers itself.
func (b *Block) Pass() (*parser.Directive, string) {
	d, target := b.Handler()
	if d == nil || !strings.HasSuffix(d.Name, "_pass") {
		return nil, ""
	}
	return d, target
}

// passTarget is the host part of a pass: "backend" of http://backend/x.
func passTarget(d *parser.Directive) string {
	target := firstArg(d)
	if _, rest, found := strings.Cut(target, "://"); found {
		target = rest
	}
	if strings.HasPrefix(target, "unix:") {
		return target
	}
	target, _, _ = strings.Cut(target, "/")
	return strings.ToLower(target)
}

func firstArg(d *parser.Directive) string {
	if len(d.Args) == 0 {
		return ""
	}
	return d.Args[0].Value
}
