package nginx

import (
	"strconv"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// readReqLimit reads a limit_req. One with a parameter that nginx refuses
// still uses its zone, so that the zone is not called unused on top of it.
func (b *builder) readReqLimit(d *parser.Directive) (*ReqLimit, bool) {
	p, fault := ParseReq(d)
	l := &ReqLimit{ZoneName: p.Zone, Burst: p.Burst, Delay: p.Delay, Nodelay: p.Nodelay, Dir: d}
	if l.Nodelay {
		l.Delay = 0
	}
	if fault != nil {
		l.ZoneName = zoneParameter(d)
	}
	l.Zone = b.zone(l.ZoneName, ReqZone)
	return l, l.ZoneName != ""
}

// readConnLimit reads a limit_conn of http or stream.
func (b *builder) readConnLimit(d *parser.Directive) (*ConnLimit, bool) {
	if len(d.Args) == 0 {
		return nil, false
	}
	p, fault := ParseConn(d)
	l := &ConnLimit{ZoneName: p.Zone, N: p.N, Dir: d}
	if fault != nil || p.Zone == "" {
		l.ZoneName = d.Args[0].Value
	}
	l.Zone = b.zone(l.ZoneName, b.conn)
	return l, true
}

func zoneParameter(d *parser.Directive) string {
	for _, arg := range d.Args {
		if name, found := strings.CutPrefix(arg.Value, "zone="); found {
			return name
		}
	}
	return ""
}

// positive is ngx_atoi with a result above zero.
func positive(text string) (int64, bool) {
	n, ok := digits(text)
	return n, ok && n > 0
}

// digits is ngx_atoi: decimal digits only.
func digits(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && text[0] != '+' && text[0] != '-'
}
