package nginx

import (
	"strconv"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// addReqZone reads a limit_req_zone
// (ngx_http_limit_req_module.c:ngx_http_limit_req_zone).
func (b *builder) addReqZone(d *parser.Directive) {
	z := &Zone{Kind: ReqZone, Rate: 1000, Dir: d}
	if len(d.Args) < 2 {
		return
	}
	z.Key = b.value(d, 0)
	for _, arg := range d.Args[1:] {
		name, value, _ := strings.Cut(arg.Value, "=")
		switch name {
		case "zone":
			z.setName(value)
		case "rate":
			z.RateText = value
			if rate, ok := parseRate(value); ok {
				z.Rate = rate
			}
		}
	}
	b.addZone(z)
}

// addConnZone reads a limit_conn_zone of http or stream.
func (b *builder) addConnZone(d *parser.Directive, kind ZoneKind) {
	if len(d.Args) < 2 {
		return
	}
	z := &Zone{Kind: kind, Key: b.value(d, 0), Dir: d}
	for _, arg := range d.Args[1:] {
		if value, found := strings.CutPrefix(arg.Value, "zone="); found {
			z.setName(value)
		}
	}
	b.addZone(z)
}

func (b *builder) addZone(z *Zone) {
	if z.Name != "" {
		b.config.Zones = append(b.config.Zones, z)
	}
}

func (z *Zone) setName(text string) {
	name, size, _ := strings.Cut(text, ":")
	z.Name = name
	z.Size, _ = parseSize(size)
}

// parseSize reads bytes with an optional k or m (ngx_parse.c:ngx_parse_size).
func parseSize(text string) (bytes int64, ok bool) {
	scale := int64(1)
	if text != "" {
		switch text[len(text)-1] {
		case 'k', 'K':
			scale = 1 << 10
		case 'm', 'M':
			scale = 1 << 20
		}
	}
	if scale > 1 {
		text = text[:len(text)-1]
	}
	n, ok := digits(text)
	if !ok || n > (1<<63-1)/scale {
		return 0, false
	}
	return n * scale, true
}

// parseRate reads "Nr/s", "Nr/m" or "N" into thousandths of a request per
// second, cutting what a division leaves as nginx does: 1r/m is 16.
func parseRate(text string) (thousandths uint64, ok bool) {
	scale := uint64(1)
	text, perMinute := strings.CutSuffix(text, "r/m")
	if perMinute {
		scale = 60
	} else {
		text = strings.TrimSuffix(text, "r/s")
	}
	n, ok := digits(text)
	if !ok || n == 0 {
		return 0, false
	}
	return uint64(n) * 1000 / scale, true
}

// digits is ngx_atoi: decimal digits only.
func digits(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && text[0] != '+' && text[0] != '-'
}

// zone finds the zone of that name and kind; the first one counts, for nginx
// refuses a second.
func (b *builder) zone(name string, kind ZoneKind) *Zone {
	for _, z := range b.config.Zones {
		if z.Name == name && z.Kind == kind {
			return z
		}
	}
	return nil
}
