package nginx

import "strings"

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

// compileText is compile for an argument of a rewrite directive.
func (p *program) compileText(s string) *text {
	return p.compile(&Value{Text: s, Parts: cutVariables(s)})
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

// cutVariables splits a text at its variables
// (src/http/ngx_http_script.c:ngx_http_script_compile). Text that nginx would
// refuse is taken literally.
func cutVariables(s string) []Part {
	var parts []Part
	for s != "" {
		at := strings.IndexByte(s, '$')
		if at < 0 {
			return append(parts, Part{Literal: s})
		}
		name, size := variableAt(s[at:])
		if size == 0 {
			return append(parts, Part{Literal: s})
		}
		if at > 0 {
			parts = append(parts, Part{Literal: s[:at]})
		}
		parts = append(parts, Part{Var: strings.ToLower(name)})
		s = s[at+size:]
	}
	return parts
}

// variableAt reads the variable at the start of s, which begins with "$".
func variableAt(s string) (name string, size int) {
	if len(s) < 2 {
		return "", 0
	}
	if s[1] >= '1' && s[1] <= '9' {
		return s[1:2], 2
	}
	start, braces := 1, s[1] == '{'
	if braces {
		start = 2
	}
	end := start
	for end < len(s) && isNameByte(s[end]) {
		end++
	}
	if end == start {
		return "", 0
	}
	if !braces {
		return s[1:end], end
	}
	if end == len(s) || s[end] != '}' {
		return "", 0
	}
	return s[start:end], end + 1
}

func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_'
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
