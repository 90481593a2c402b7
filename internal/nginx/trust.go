package nginx

import (
	"net/netip"

	"github.com/nglimit/nglimit/parser"
)

// readTrust reads a set_real_ip_from. A network keeps only its leading bits,
// as nginx does with a warning (ngx_http_realip_module.c:ngx_http_realip_from).
func readTrust(d *parser.Directive) (*Trust, bool) {
	if len(d.Args) != 1 {
		return nil, false
	}
	t := &Trust{Text: d.Args[0].Value, Dir: d}
	switch net, ok := parseNet(t.Text); {
	case ok:
		t.Net = net
	case t.Text == "unix:":
		t.Unix = true
	default:
		t.Host = true
	}
	return t, true
}

// parseNet reads an address or a network in nginx's notation.
func parseNet(text string) (netip.Prefix, bool) {
	if addr, err := netip.ParseAddr(text); err == nil && addr.Zone() == "" {
		return netip.PrefixFrom(addr, addr.BitLen()), true
	}
	net, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, false
	}
	return net.Masked(), true
}
