package rules

import (
	"slices"

	"github.com/nglimit/nglimit/internal/nginx"
)

var headerWithoutTrust = &Rule{
	ID:       "NGL302",
	Name:     "header-without-trust",
	Severity: Warning,
	Summary:  "real_ip_header is set but no peer is trusted, so it does nothing",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_realip_module.html#set_real_ip_from",
	Doc: `nginx replaces the client's address only for connections from an address in
set_real_ip_from. Without any, real_ip_header and real_ip_recursive do nothing
and every client behind the proxy shares the proxy's bucket.`,
	Bad: `real_ip_header X-Forwarded-For;
server { location / { proxy_pass http://127.0.0.1:8080; } }`,
	Good: `set_real_ip_from 192.0.2.0/24;
real_ip_header X-Forwarded-For;
server { location / { proxy_pass http://127.0.0.1:8080; } }`,
	Proof: Shown,

	Check: func(p *Pass) {
		if p.Config.Snippet || len(p.Config.Tree.Errors) > 0 {
			return // the trust list may stand in what was not read
		}
		for b := range p.Config.Blocks() {
			ds := append(b.Own("real_ip_header"), b.Own("real_ip_recursive")...)
			if len(ds) == 0 || trustsSomewhere(b) {
				continue
			}
			p.Report(ds[0].HeadSpan(), ds[0].Name+" has no effect: no set_real_ip_from is in force here; add the addresses of your proxies")
		}
	},
}

// trustsSomewhere tells whether a block, or a block inside it, trusts a peer.
func trustsSomewhere(b *nginx.Block) bool {
	if len(b.SetRealIPFrom.Items) > 0 {
		return true
	}
	return slices.ContainsFunc(b.Children, trustsSomewhere)
}
