package rules

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/nglimit/nglimit/internal/nginx"
)

var recursionOff = &Rule{
	ID:       "NGL307",
	Name:     "recursion-off",
	Severity: Warning,
	Summary:  "two tiers of proxies are trusted but real_ip_recursive is off",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_realip_module.html#real_ip_recursive",
	Doc: `Without real_ip_recursive nginx takes the last address of X-Forwarded-For, whatever
it is. Behind a public proxy and a private one that is the inner proxy, so all
clients of one inner proxy share one bucket.`,
	Bad: `set_real_ip_from 203.0.113.0/24;
set_real_ip_from 10.0.0.0/8;
real_ip_header X-Forwarded-For;
server { location / { proxy_pass http://127.0.0.1:8080; } }`,
	Good: `set_real_ip_from 203.0.113.0/24;
set_real_ip_from 10.0.0.0/8;
real_ip_header X-Forwarded-For;
real_ip_recursive on;
server { location / { proxy_pass http://127.0.0.1:8080; } }`,
	Proof: Shown,

	Check: func(p *Pass) {
		for b := range p.Config.Blocks() {
			if !resolves(b) || b.RealIPRecursive.Value || !strings.EqualFold(b.RealIPHeader.Value, "X-Forwarded-For") {
				continue
			}
			if private, public := tiers(b.SetRealIPFrom.Items); private != nil && public != nil {
				p.Report(private.Dir.HeadSpan(),
					fmt.Sprintf("the private tier %s and the public tier %s are both trusted but real_ip_recursive is off: a request through both gets the inner proxy's address; set real_ip_recursive on", private.Text, public.Text),
					also(public.Dir, "the other trusted tier"))
			}
		}
	},
}

// resolves tells whether the settings of a block decide on the client's
// address: those of the server do before its location is known, and those of a
// location only if the server trusts nobody
// (ngx_http_realip_module.c:ngx_http_realip_handler runs twice, once for good).
func resolves(b *nginx.Block) bool {
	switch b.Level {
	case nginx.ServerLevel:
		return true
	case nginx.LocationLevel:
		return len(b.Server.SetRealIPFrom.Items) == 0
	default:
		return false
	}
}

// tiers are one private and one public network among the trusted ones.
func tiers(trusted []*nginx.Trust) (private, public *nginx.Trust) {
	for _, t := range trusted {
		switch {
		case !t.Net.IsValid() || t.Net.Bits() == 0 || isLoopback(t.Net):
			// every address, a socket or this host says nothing of a tier
		case t.Net.Addr().IsPrivate():
			private = t
		default:
			public = t
		}
	}
	return private, public
}

func isLoopback(n netip.Prefix) bool { return n.Addr().IsLoopback() }
