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

// value evaluates t as nginx does: first every variable, to learn the length,
// then the bytes, when captures are those that the variables left behind
// (src/http/ngx_http_script.c:ngx_http_complex_value).
func (s *state) value(t *text) datum {
	if len(t.parts) == 0 {
		return known(t.literal)
	}
	for i := range t.parts {
		if p := &t.parts[i]; p.v >= 0 {
			s.flush(p.v)
		}
	}
	if len(t.parts) == 1 {
		return s.part(&t.parts[0])
	}
	size := 0
	for i := range t.parts {
		d := s.part(&t.parts[i])
		if d.unknown() {
			return d
		}
		size += len(d.b)
	}
	return s.join(t, size)
}

// join writes the parts one after the other. When a part has changed its
// length since it was measured, nginx's result is not defined.
func (s *state) join(t *text, size int) datum {
	var room [8]datum
	parts := room[:0]
	for i := range t.parts { // evaluation may write to the arena itself
		parts = append(parts, s.part(&t.parts[i]))
	}
	at := len(s.arena)
	for _, d := range parts {
		if d.unknown() {
			return d
		}
		s.arena = append(s.arena, d.b...)
	}
	if len(s.arena)-at != size {
		return missing(firstCapture(t))
	}
	return known(s.arena[at:len(s.arena):len(s.arena)])
}

func firstCapture(t *text) string {
	for _, p := range t.parts {
		if p.group > 0 {
			return string(rune('0' + p.group))
		}
	}
	return "1"
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
