package nginx

import "strings"

// move is a way from a location to another one after its limits: the limits
// there count only if those here came to no decision, because each module
// decides once for a request and all its subrequests
// (src/http/modules/ngx_http_limit_req_module.c:ngx_http_limit_req_handler).
type move struct {
	target     *text // a URI or the name of a named location
	status     int   // instead: the error page of this status
	subrequest bool
	indexed    bool   // only if the URI ends with "/"
	why        string // what would tell whether it is taken; empty: it is
}

// unknownFile names the variable behind everything that a file decides.
const unknownFile = "request_filename"

// compileMoves lists the moves of a block in the order of the phases.
func (p *program) compileMoves(b *Block) []move {
	var out []move
	guarded := ""
	for _, name := range []string{"deny", "auth_basic", "auth_jwt"} {
		if ds, _ := b.Nearest(name); len(ds) > 0 && !off(b, name) {
			guarded = "status"
		}
	}
	for _, name := range []string{"auth_request", "mirror"} {
		if ds, _ := b.Nearest(name); len(ds) > 0 && !off(b, name) && len(ds[0].Args) > 0 {
			out = append(out, move{target: p.compileText(ds[0].Args[0].Value), subrequest: true, why: guarded})
		}
	}
	p.needEvidence(b)
	if try := b.Own("try_files"); len(try) > 0 {
		return append(out, p.tryFiles(b, argTexts(try[0].Args))...)
	}
	if !handles(b) {
		for _, file := range p.indexFiles(b, "${uri}") {
			out = append(out, move{target: file, indexed: true, why: unknownFile})
		}
	}
	return out
}

// needEvidence asks for what tells whether try_files sent a request on.
func (p *program) needEvidence(b *Block) {
	if len(b.Own("try_files")) == 0 {
		return
	}
	for _, name := range []string{"status", "upstream_addr", "upstream_status", "upstream_response_time"} {
		p.need(name)
	}
}

// tryFiles lists where try_files may send a request: to the index of a
// directory that exists, to what stands last.
func (p *program) tryFiles(b *Block, args []string) (out []move) {
	for i, arg := range args {
		switch {
		case i == len(args)-1 && strings.HasPrefix(arg, "="):
			out = append(out, move{status: returnStatus(arg[1:]), why: unknownFile})
		case i == len(args)-1:
			out = append(out, move{target: p.compileText(arg), why: unknownFile})
		case strings.HasSuffix(arg, "/"):
			for _, file := range p.indexFiles(b, strings.TrimSuffix(arg, "/")+"/") {
				out = append(out, move{target: file, why: unknownFile})
			}
		}
	}
	return out
}

// indexFiles are the names that the index module tries below dir.
func (p *program) indexFiles(b *Block, dir string) (out []*text) {
	names := []string{"index.html"}
	if ds, _ := b.Nearest("index"); len(ds) > 0 {
		names = argTexts(ds[0].Args)
	}
	for _, name := range names {
		if !strings.HasPrefix(name, "/") {
			name = dir + name
		}
		out = append(out, p.compileText(name))
	}
	return out
}

// handles tells whether a location has a content handler of its own; such a
// location has no index. It is not inherited.
func handles(b *Block) bool {
	for _, name := range []string{"empty_gif", "stub_status", "perl", "js_content", "content_by_lua_block", "content_by_lua_file", "flv", "mp4", "dav_methods"} {
		if len(b.Own(name)) > 0 {
			return true
		}
	}
	return proxies(b)
}

// sequel is a plan that may come after another one.
type sequel struct {
	plan *plan
	why  string
}

// maxSequels bounds how far moves are followed.
const maxSequels = 4

// follow works out where the moves of a plan lead, as far as there are limits.
func (s *state) follow(p *plan, depth int) {
	if depth == maxSequels || p.bypass != "" || p.open || p.block.surely == anyKind {
		return
	}
	for i := range p.block.moves {
		m := &p.block.moves[i]
		s.resume(p)
		s.preaccess = false
		end, ok := s.move(m)
		if !ok || end.bypass != "" {
			continue
		}
		next := s.snapshot(end)
		s.follow(next, depth+1)
		if next.open || len(next.block.limits) > 0 || len(next.sequels) > 0 {
			p.sequels = append(p.sequels, sequel{next, m.why})
		}
	}
}

func (s *state) move(m *move) (ending, bool) {
	if m.status != 0 {
		if s.block.errorPage(m.status) == nil {
			return ending{}, false
		}
		return s.errorPages(ending{bypass: "error", status: m.status}), true
	}
	if m.indexed && !s.uri.unknown() && (len(s.uri.b) == 0 || s.uri.b[len(s.uri.b)-1] != '/') {
		return ending{}, false
	}
	target := s.value(m.target)
	switch {
	case target.unknown():
		return ending{open: target.miss}, true
	case len(target.b) == 0:
		return ending{}, false
	case target.b[0] == '@':
		return s.named(target.b), true
	}
	if m.subrequest {
		s.method, s.caps = []byte("GET"), captures{}
	}
	return s.redirectTo(target.b), true
}

// kinds are the modules that decide: limit_req, limit_conn.
type kinds uint8

const (
	reqKind kinds = 1 << iota
	connKind
	anyKind = reqKind | connKind
)

// The lengths in bytes above which the modules skip a key.
const (
	maxReqKey  = 65535
	maxConnKey = 255
)

// decides tells whether a key makes its module decide.
func (k kinds) decides(key datum) bool {
	if k == connKind && len(key.b) > maxConnKey || len(key.b) > maxReqKey {
		return false
	}
	return len(key.b) > 0 || key.unknown()
}

func (b *Bound) kind() kinds {
	if b.Req != nil {
		return reqKind
	}
	return connKind
}
