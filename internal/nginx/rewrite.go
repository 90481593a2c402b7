package nginx

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/nglimit/nglimit/internal/nginx/pcre"
	"github.com/nglimit/nglimit/parser"
)

// code is one directive of the rewrite module, ready to run.
type code interface {
	run(s *state) verdict
}

// verdict says how the rewrite phase goes on after a code.
type verdict struct {
	stop   bool   // no further codes
	bypass string // the request is answered here: no limit is reached
	status int    // of that answer; 0 when it is not certain
}

// instruction is a code with the directive it comes from.
type instruction struct {
	code
	dir *parser.Directive
}

type setCode struct {
	v     int
	args  bool // "set $args" changes the arguments of the request
	value *text
}

type breakCode struct{}

type returnCode struct{ status int }

type ifCode struct {
	cond  condition
	block *blockProgram // nil on server level: settings stay
	body  []instruction
	dir   *parser.Directive
}

type rewriteCode struct {
	regex      *regexProgram
	to         *text
	mark       int // index of the part in which the arguments begin, -1 for none
	addArgs    bool
	last, halt bool // "last" and "break"
	redirect   bool
	status     int
}

// compileCodes makes the rewrite directives of a block ready, in order.
func (p *program) compileCodes(b *Block, ds []*parser.Directive) (out []instruction) {
	for _, d := range ds {
		if c := p.compileCode(b, d); c != nil {
			out = append(out, instruction{c, d})
		}
	}
	return out
}

func (p *program) compileCode(b *Block, d *parser.Directive) code {
	switch {
	case d.Name == "set" && len(d.Args) == 2:
		return p.compileSet(d)
	case d.Name == "break":
		return breakCode{}
	case d.Name == "return" && len(d.Args) > 0:
		return returnCode{returnStatus(d.Args[0].Value)}
	case d.Name == "rewrite" && len(d.Args) > 1:
		return p.compileRewrite(d)
	case d.Name == "if":
		return p.compileIf(b, d)
	}
	return nil
}

func returnStatus(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 302 // "return http://…"
	}
	return n
}

func (p *program) compileSet(d *parser.Directive) code {
	name := strings.ToLower(strings.TrimPrefix(d.Args[0].Value, "$"))
	return setCode{v: p.variable(name), args: name == "args", value: p.compileText(d.Args[1].Value)}
}

func (p *program) compileIf(b *Block, d *parser.Directive) code {
	c := &ifCode{cond: p.compileCondition(d), dir: d}
	var body []*parser.Directive
	for inner := range d.All() {
		body = append(body, inner)
	}
	for _, inner := range b.Children {
		if inner.Dir == d && b.Level == LocationLevel {
			c.block = p.compileBlock(inner)
		}
	}
	c.body = p.compileCodes(b, body)
	return c
}

// compileRewrite follows src/http/modules/ngx_http_rewrite_module.c:ngx_http_rewrite.
func (p *program) compileRewrite(d *parser.Directive) code {
	to := d.Args[1].Value
	c := &rewriteCode{regex: p.compileRegex(d.Args[0].Value, false), addArgs: true, mark: -1}
	if before, ok := strings.CutSuffix(to, "?"); ok {
		to, c.addArgs = before, false
	}
	for _, start := range []string{"http://", "https://", "$scheme"} {
		if strings.HasPrefix(to, start) {
			c.redirect, c.status = true, 302
		}
	}
	if len(d.Args) > 2 {
		switch d.Args[2].Value {
		case "last":
			c.last = true
		case "break":
			c.halt = true
		case "redirect":
			c.redirect, c.status = true, 302
		case "permanent":
			c.redirect, c.status = true, 301
		}
	}
	c.to = p.compileText(to)
	if !c.redirect {
		c.cutArgs()
	}
	return c
}

// cutArgs finds the "?" of the replacement: what follows becomes the arguments.
func (c *rewriteCode) cutArgs() {
	if c.to.literal != nil {
		c.to.parts = []piece{{lit: c.to.literal, v: -1}}
		c.to.literal = nil
	}
	for i, part := range c.to.parts {
		at := bytes.IndexByte(part.lit, '?')
		if at < 0 {
			continue
		}
		rest := append([]piece{{lit: part.lit[at+1:], v: -1}}, c.to.parts[i+1:]...)
		c.to.parts = append(append(append([]piece{}, c.to.parts[:i]...), piece{lit: part.lit[:at], v: -1}), rest...)
		c.mark = i + 1
		return
	}
}

// runCodes runs the codes of one phase.
func (s *state) runCodes(codes []instruction) verdict {
	for _, c := range codes {
		v := c.run(s)
		s.noteCode(c, v)
		if s.failed {
			s.failed = false
			return verdict{stop: true, bypass: "error", status: 500}
		}
		if v.stop {
			return v
		}
	}
	return verdict{}
}

func (c setCode) run(s *state) verdict {
	val := s.quotedValue(c.value)
	if c.args {
		s.args, s.argsChanged = val, true
		return verdict{}
	}
	s.assign(c.v, val)
	return verdict{}
}

func (breakCode) run(s *state) verdict {
	s.uriChanged = false
	return verdict{stop: true}
}

func (c returnCode) run(*state) verdict {
	return verdict{stop: true, bypass: "return", status: c.status}
}

func (c *ifCode) run(s *state) verdict {
	ok, failed := c.cond.holds(s)
	if failed {
		return verdict{stop: true, bypass: "error", status: 500}
	}
	if s.note(s.phase, c.dir, "if is %t", ok); !ok {
		return verdict{}
	}
	if c.block != nil {
		s.block = c.block
	}
	return s.runCodes(c.body)
}

// run follows src/http/ngx_http_script.c:ngx_http_script_regex_start_code and
// ngx_http_script_regex_end_code.
func (c *rewriteCode) run(s *state) verdict {
	switch s.match(c.regex, s.uri) {
	case pcre.NoMatch:
		s.caps = captures{}
		return verdict{}
	case pcre.Failed:
		return verdict{stop: true, bypass: "error", status: 500}
	case pcre.Match:
	}
	if c.redirect {
		return verdict{stop: true, bypass: "redirect", status: c.status}
	}
	s.internal = true
	s.uriChanged = !c.halt
	return c.replace(s)
}

func (c *rewriteCode) replace(s *state) verdict {
	path, args := s.replacement(c)
	if c.addArgs && c.mark >= 0 {
		args = s.appendArgs(args)
	}
	if c.mark >= 0 || !c.addArgs {
		s.args, s.argsChanged = args, true
	}
	s.uri, s.quote = path, false
	if !path.unknown() && len(path.b) == 0 {
		return verdict{stop: true, bypass: "error", status: 500}
	}
	return verdict{stop: c.last || c.halt}
}

// appendArgs adds the request's arguments to those of the replacement.
func (s *state) appendArgs(args datum) datum {
	old := s.currentArgs()
	switch {
	case args.unknown():
		return args
	case old.unknown():
		return old
	case len(old.b) == 0:
		return args
	}
	at := len(s.arena)
	s.arena = append(append(append(s.arena, args.b...), '&'), old.b...)
	return known(s.arena[at:len(s.arena):len(s.arena)])
}

// replacement evaluates the replacement: the path, and the arguments after
// its "?", in which captures are escaped when the request had escapes.
func (s *state) replacement(c *rewriteCode) (path, args datum) {
	end := len(c.to.parts)
	s.flushAll(c.to.parts)
	if c.mark >= 0 {
		end = c.mark
		args = s.pieces(c.to.parts[c.mark:], s.escapes)
	}
	return s.pieces(c.to.parts[:end], false), args
}

// quotedValue is the value of "set": the rewrite module escapes captures in
// it as it does in arguments (src/http/modules/ngx_http_rewrite_module.c:
// ngx_http_rewrite_handler sets e->quote).
func (s *state) quotedValue(t *text) datum {
	if len(t.parts) == 0 {
		return known(t.literal)
	}
	s.flushAll(t.parts)
	return s.pieces(t.parts, s.escapes && s.quote)
}

// escapeArgs escapes as ngx_escape_uri does for NGX_ESCAPE_ARGS
// (src/core/ngx_string.c).
func escapeArgs(dst, src []byte) []byte {
	const hex = "0123456789ABCDEF"
	for _, c := range src {
		if escaped(c) {
			dst = append(dst, '%', hex[c>>4], hex[c&15])
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

func escaped(c byte) bool {
	return c <= ' ' || c >= 0x7f || strings.IndexByte("\"#%&+;<>?\\^`{|}", c) >= 0
}

// escapes counts the bytes that escapeArgs escapes.
func escapes(b []byte) (n int) {
	for _, c := range b {
		if escaped(c) {
			n++
		}
	}
	return n
}
