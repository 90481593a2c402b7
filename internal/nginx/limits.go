package nginx

import (
	"strconv"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// readReqLimit reads a limit_req; one without a zone, or with a parameter that
// nginx refuses, is left out, because nothing true can be said of it.
func (b *builder) readReqLimit(d *parser.Directive) (*ReqLimit, bool) {
	l := &ReqLimit{Dir: d}
	for _, arg := range d.Args {
		name, value, _ := strings.Cut(arg.Value, "=")
		ok := true
		switch name {
		case "zone":
			l.ZoneName = value
		case "burst":
			l.Burst, ok = positive(value)
		case "delay":
			l.Delay, ok = positive(value)
			l.Nodelay = false // the last of nodelay and delay= wins
		case "nodelay":
			l.Delay, l.Nodelay = 0, true
		default:
			ok = false
		}
		if !ok {
			return nil, false
		}
	}
	l.Zone = b.zone(l.ZoneName, ReqZone)
	return l, l.ZoneName != ""
}

// readConnLimit reads a limit_conn of http or stream.
func (b *builder) readConnLimit(d *parser.Directive) (*ConnLimit, bool) {
	if len(d.Args) != 2 {
		return nil, false
	}
	n, ok := positive(d.Args[1].Value)
	if !ok || n > 65535 {
		return nil, false
	}
	l := &ConnLimit{ZoneName: d.Args[0].Value, N: int(n), Dir: d}
	l.Zone = b.zone(l.ZoneName, ConnZone)
	return l, true
}

// positive is ngx_atoi with a result above zero.
func positive(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && n > 0 && text[0] != '+'
}
