package nginx

// ending is where the phases led a request.
type ending struct {
	loc    *locationProgram // nil: the server itself
	bypass string           // why no limit is reached; empty: the limits of state.block
	status int              // of the answer in case of a bypass; 0: not certain
	open   string           // the variable without which there is no telling
}

// maxURIChanges is how often rewrites and internal redirects may send a
// request to another location
// (src/http/ngx_http_request.h:NGX_HTTP_MAX_URI_CHANGES).
const maxURIChanges = 10

// change counts one more change of the URI; false when it was one too many.
func (s *state) change() bool {
	s.changes++
	return s.changes <= maxURIChanges
}

// phases takes the request from its first byte to the limits
// (src/http/ngx_http_core_module.c:ngx_http_core_run_phases).
func (s *state) phases() ending {
	why := s.pickServer()
	if s.srv == nil {
		return ending{bypass: "no server"}
	}
	s.block = s.srv.blockProgram
	s.noteServer(why)
	refused := ending{bypass: "bad request", status: 400}
	switch why {
	case accepted:
		return s.errorPages(s.fromServer())
	case badHost:
		if s.block.errorPage(400) != nil {
			return ending{open: "http_host"} // which headers came before it is not known
		}
	case badLine:
		s.headerless = true
		s.uri, s.args, s.argsChanged = known([]byte("/")), datum{}, true
		return s.errorPages(refused)
	case nobodyThere:
	}
	return refused
}

// readURI normalises the path of the request.
func (s *state) readURI() bool {
	raw := s.input(slotPath)
	if raw.unknown() || s.in.normalized {
		s.uri = raw
		return true
	}
	at := len(s.arena)
	n := normalize(s.arena, raw.b, s.srv.merge)
	if !n.ok {
		return false
	}
	s.arena = append(s.arena[:at], n.path...)
	s.uri, s.escapes = known(n.path), !n.plain
	return true
}

// fromServer runs the phases from server rewrite on.
func (s *state) fromServer() ending {
	s.block = s.srv.blockProgram
	s.quote, s.phase = true, "server rewrite"
	if v := s.runCodes(s.srv.codes); v.bypass != "" {
		return ending{bypass: v.bypass, status: v.status}
	}
	return s.settle(s.findLocation())
}

// settle runs the rewrite phases until no rewrite asks for another location.
func (s *state) settle(end ending, ok bool) ending {
	for ok {
		if end, ok = s.rewriteIn(end); !ok || !s.uriChanged {
			return end
		}
		if !s.change() {
			return ending{bypass: "rewrite loop", status: 500}
		}
		end, ok = s.findLocation()
	}
	return end
}

// findLocation is the find-config phase; false when it answers the request
// (src/http/ngx_http_core_module.c:ngx_http_core_find_config_phase).
func (s *state) findLocation() (ending, bool) {
	s.uriChanged = false
	s.block = s.srv.blockProgram
	if s.uri.unknown() {
		if s.srv.level == nil {
			return ending{}, true
		}
		return ending{open: s.uri.miss}, false
	}
	loc, how := s.locate(s.srv.level, s.uri.b)
	s.noteLocation(loc, how)
	if loc != nil {
		s.block = loc.blockProgram
	}
	switch {
	case how == searchFailed:
		return ending{bypass: "error", status: 500}, false
	case loc != nil && loc.internal && !s.internal:
		return ending{loc: loc, bypass: "internal", status: 404}, false
	case s.tooLarge():
		return ending{loc: loc, bypass: "body too large", status: 413}, false
	case how == slashRedirect:
		return ending{loc: loc, bypass: "redirect", status: 301}, false
	}
	return ending{loc: loc}, true
}

// rewriteIn runs the rewrite phase of the location that was found; the server
// itself has none (src/http/modules/ngx_http_rewrite_module.c:ngx_http_rewrite_handler).
func (s *state) rewriteIn(end ending) (ending, bool) {
	if end.loc == nil {
		return end, true
	}
	s.quote, s.phase = true, "rewrite"
	if v := s.runCodes(end.loc.codes); v.bypass != "" {
		end.bypass, end.status = v.bypass, v.status
		return end, false
	}
	return end, true
}
