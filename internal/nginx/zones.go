package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// addReqZone reads a limit_req_zone. One that nginx refuses is defined all the
// same as far as it goes, so that its limits are not called undefined on top
// of it.
func (b *builder) addReqZone(d *parser.Directive) {
	if len(d.Args) == 0 {
		return
	}
	z := &Zone{Kind: ReqZone, Rate: 1000, Key: b.value(d, 0), Dir: d}
	p, fault := ParseReqZone(d)
	if z.RateText = p.RateText; p.Rate > 0 && fault == nil {
		z.Rate = p.Rate
	}
	b.addZone(z, p.Zone, p.Size)
}

// addConnZone reads a limit_conn_zone of http or stream.
func (b *builder) addConnZone(d *parser.Directive, kind ZoneKind) {
	if len(d.Args) == 0 {
		return
	}
	p, _ := ParseConnZone(d)
	b.addZone(&Zone{Kind: kind, Key: b.value(d, 0), Dir: d}, p.Zone, p.Size)
}

func (b *builder) addZone(z *Zone, name string, size int64) {
	if name == "" {
		text := ""
		name, text, _ = strings.Cut(zoneParameter(z.Dir), ":")
		size, _ = parseSize(text)
	}
	if name == "" {
		return
	}
	z.Name, z.Size = name, size
	b.config.Zones = append(b.config.Zones, z)
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
