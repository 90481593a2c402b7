package nginx

import "github.com/nglimit/nglimit/parser"

// readTrust reads a set_real_ip_from. A network keeps only its leading bits,
// as nginx does with a warning (ngx_http_realip_module.c:ngx_http_realip_from).
func readTrust(d *parser.Directive) (*Trust, bool) {
	if len(d.Args) != 1 {
		return nil, false
	}
	p, _ := ParseRealIPFrom(d)
	t := &Trust{Text: d.Args[0].Value, Net: p.Net, Unix: p.Unix, Dir: d}
	t.Host = !p.Unix && !p.Net.IsValid()
	return t, true
}
