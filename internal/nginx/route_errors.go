package nginx

import (
	"bytes"
	"slices"
)

// errorPage is an error_page made ready.
type errorPage struct {
	codes    []int
	override int // of "=code", 0 for "=", -1 without
	target   *text
}

func (p *program) compileErrorPages(b *Block) (out []*errorPage) {
	for _, e := range b.ErrorPage.Items {
		out = append(out, &errorPage{e.Codes, e.Override, p.compile(e.Target)})
	}
	return out
}

func (b *blockProgram) errorPage(status int) *errorPage {
	for _, e := range b.errors {
		if slices.Contains(e.codes, status) {
			return e
		}
	}
	return nil
}

// errorPages follows an answer that is certain to its error page, once; for
// a page that is no named location the method becomes GET
// (src/http/ngx_http_special_response.c:ngx_http_special_response_handler).
func (s *state) errorPages(end ending) ending {
	if end.bypass == "" || end.status < 300 || closes(end.status) || s.changes > maxURIChanges {
		return end
	}
	page := s.block.errorPage(end.status)
	if page == nil {
		return end
	}
	if s.errStatus = end.status; page.override >= 0 {
		s.errStatus = page.override
	}
	target := s.value(page.target)
	switch {
	case target.unknown():
		return ending{open: target.miss}
	case len(target.b) > 0 && target.b[0] == '/':
		if m := getMethod(s, nil); m.unknown() || string(m.b) != "HEAD" {
			s.method = []byte("GET")
		}
		return s.redirectTo(target.b)
	case len(target.b) > 0 && target.b[0] == '@':
		return s.named(target.b)
	}
	return ending{loc: end.loc, bypass: "redirect", status: 302}
}

// closes tells whether nginx ends the connection instead of answering
// (src/http/ngx_http_request.c:ngx_http_finalize_request).
func closes(status int) bool { return status == 408 || status == 444 || status == 499 }

// redirectTo is an internal redirect
// (src/http/ngx_http_core_module.c:ngx_http_internal_redirect).
func (s *state) redirectTo(target []byte) ending {
	if !s.change() {
		return ending{bypass: "error", status: 500}
	}
	path, args, _ := bytes.Cut(target, []byte("?"))
	s.uri, s.args, s.argsChanged, s.internal = known(path), known(args), true, true
	return s.fromServer()
}

// named sends the request to a named location, whose rewrite phase runs
// (src/http/ngx_http_core_module.c:ngx_http_named_location).
func (s *state) named(name []byte) ending {
	loc := s.srv.named[string(name)]
	if loc == nil || !s.change() {
		return ending{bypass: "error", status: 500}
	}
	s.internal, s.uriChanged = true, false
	s.block = loc.blockProgram
	return s.settle(ending{loc: loc}, true)
}
