package nginx

import (
	"strconv"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

func (b *builder) readHeader(d *parser.Directive) (*Header, bool) {
	if len(d.Args) < 2 {
		return nil, false
	}
	h := &Header{Name: d.Args[0].Value, Value: b.value(d, 1), Dir: d}
	h.Always = len(d.Args) > 2 && d.Args[2].Value == "always"
	return h, true
}

// readErrorPage reads "error_page code… [=[answer]] target"
// (ngx_http_core_module.c:ngx_http_core_error_page).
func (b *builder) readErrorPage(d *parser.Directive) (*ErrorPage, bool) {
	last := len(d.Args) - 1
	if last < 1 {
		return nil, false
	}
	p := &ErrorPage{Override: -1, Target: b.value(d, last), Dir: d}
	codes := d.Args[:last]
	if answer, found := strings.CutPrefix(codes[last-1].Value, "="); found {
		p.Override, _ = strconv.Atoi(answer)
		codes = codes[:last-1]
	}
	for _, code := range codes {
		if n, err := strconv.Atoi(code.Value); err == nil {
			p.Codes = append(p.Codes, n)
		}
	}
	return p, len(p.Codes) > 0
}

// readAccessLog reads an access_log; "off" counts as one, for it replaces
// what is inherited.
func (b *builder) readAccessLog(d *parser.Directive) (*AccessLog, bool) {
	if len(d.Args) == 0 {
		return nil, false
	}
	l := &AccessLog{Format: "combined", Dir: d}
	if d.Args[0].Value == "off" {
		l.Off = true
		return l, true
	}
	l.Path = b.value(d, 0)
	for i, arg := range d.Args[1:] {
		name, value, isParameter := strings.Cut(arg.Value, "=")
		switch {
		case name == "if" && isParameter:
			l.If = b.text(value, d.ArgSpan(i+1), d)
		case i == 0 && !isParameter:
			l.Format = arg.Value
		}
	}
	return l, true
}
