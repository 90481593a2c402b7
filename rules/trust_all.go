package rules

import (
	"fmt"
	"net/netip"

	"github.com/nglimit/nglimit/internal/nginx"
)

var trustAll = &Rule{
	ID:       "NGL301",
	Name:     "trust-all",
	Severity: Error,
	Summary:  "set_real_ip_from trusts every address, so clients choose their own",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_realip_module.html#set_real_ip_from",
	Doc: `With every peer trusted, whoever connects writes the address that limits, access
rules and logs will use: a new X-Forwarded-For for each request is a new bucket
for each request. List the networks of your proxies, and only those.`,
	Bad: `set_real_ip_from 0.0.0.0/0;
real_ip_header X-Forwarded-For;
server { location / { proxy_pass http://127.0.0.1:8080; } }`,
	Good: `set_real_ip_from 192.0.2.0/24;
real_ip_header X-Forwarded-For;
server { location / { proxy_pass http://127.0.0.1:8080; } }`,
	Proof: Shown,

	Check: func(p *Pass) {
		for b := range p.Config.Blocks() {
			if b.SetRealIPFrom.From == b {
				reportTrustAll(p, b)
			}
		}
	},
}

func reportTrustAll(p *Pass, b *nginx.Block) {
	severity := Error
	if onlyLocal(b.Server) {
		severity = Warning
	}
	for _, family := range []struct{ zero, low, high string }{
		{"0.0.0.0/0", "0.0.0.0/1", "128.0.0.0/1"},
		{"::/0", "::/1", "8000::/1"},
	} {
		low, high := false, false
		for _, t := range b.SetRealIPFrom.Items {
			switch t.Net {
			case netip.MustParsePrefix(family.zero):
				low, high = true, true
			case netip.MustParsePrefix(family.low):
				low = true
			case netip.MustParsePrefix(family.high):
				high = true
			default:
				continue
			}
			if low && high {
				p.ReportAs(severity, t.Dir.HeadSpan(), trustAllMessage(b, t))
				low = false
			}
		}
	}
}

func trustAllMessage(b *nginx.Block, t *nginx.Trust) string {
	chosen := "its last entry"
	if b.RealIPRecursive.Value {
		chosen = "its first entry, as real_ip_recursive is on,"
	}
	return fmt.Sprintf("set_real_ip_from %s trusts every peer: %s of %s becomes the client's address for limits, access rules and logs; list only the proxies", t.Text, chosen, b.RealIPHeader.Value)
}

// onlyLocal tells whether a server can be reached from this host alone.
func onlyLocal(s *nginx.Server) bool {
	if s == nil {
		return false
	}
	for _, l := range s.Listens {
		if l.Unix == "" && (l.Wildcard || !l.Addr.IsLoopback()) {
			return false
		}
	}
	return true
}
