package nginx

// text is a Value made ready for evaluation.
type text struct {
	literal []byte // the whole, when there are no parts
	parts   []piece
}

// piece is a literal (lit), a variable (v >= 0) or a capture (group > 0).
type piece struct {
	lit   []byte
	v     int
	group int
}

// compile resolves the variables of v.
func (p *program) compile(v *Value) *text {
	if v == nil {
		return &text{}
	}
	t := &text{}
	for _, part := range v.Parts {
		t.parts = append(t.parts, p.piece(part))
	}
	if len(t.parts) == 1 && t.parts[0].v < 0 && t.parts[0].group == 0 {
		t.literal, t.parts = t.parts[0].lit, nil
	}
	return t
}

// compileText is compile for an argument of a rewrite directive. A text that
// nginx would refuse is used as far as it goes.
func (p *program) compileText(s string) *text {
	v, _ := ParseValue(s)
	return p.compile(v)
}

func (p *program) piece(part Part) piece {
	switch {
	case part.Var == "":
		return piece{lit: []byte(part.Literal), v: -1}
	case len(part.Var) == 1 && part.Var[0] >= '1' && part.Var[0] <= '9':
		return piece{v: -1, group: int(part.Var[0] - '0')}
	}
	return piece{v: p.variable(part.Var)}
}

// value evaluates t (src/http/ngx_http_script.c:ngx_http_complex_value).
func (s *state) value(t *text) datum {
	if len(t.parts) == 0 {
		return known(t.literal)
	}
	s.flushAll(t.parts)
	if len(t.parts) == 1 {
		return s.part(&t.parts[0])
	}
	return s.pieces(t.parts, false)
}

// pieces joins parts as nginx does: it measures them all, which evaluates
// every variable, and then copies what captures and variables have become by
// then. What no longer fits is an error that ends the request with 500.
func (s *state) pieces(parts []piece, escape bool) datum {
	size, miss := 0, ""
	for i := range parts { // all of them: they may leave captures behind
		d := s.part(&parts[i])
		if d.unknown() && miss == "" {
			miss = d.miss
		}
		size += len(d.b)
		if escape && parts[i].group > 0 {
			size += 2 * escapes(d.b)
		}
	}
	if miss != "" {
		return missing(miss)
	}
	var room [8]datum
	all := room[:0]
	for i := range parts { // evaluation may write to the arena itself
		all = append(all, s.part(&parts[i]))
	}
	at := len(s.arena)
	for i, d := range all {
		if d.unknown() {
			return d
		}
		if escape && parts[i].group > 0 {
			s.arena = escapeArgs(s.arena, d.b)
		} else {
			s.arena = append(s.arena, d.b...)
		}
	}
	if len(s.arena)-at > size {
		s.failed = true
		return datum{}
	}
	return known(s.arena[at:len(s.arena):len(s.arena)])
}

func (s *state) part(p *piece) datum {
	switch {
	case p.v >= 0:
		return s.variable(p.v)
	case p.group > 0:
		return s.caps.group(p.group)
	}
	return known(p.lit)
}
