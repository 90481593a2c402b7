package rules

import (
	"fmt"

	"github.com/nglimit/nglimit/internal/nginx"
)

var zoneUnused = &Rule{
	ID:       "NGL105",
	Name:     "zone-unused",
	Severity: Warning,
	Summary:  "a zone is defined and no limit uses it",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_limit_req_module.html#limit_req",
	Doc: `A zone alone limits nothing, and nginx does not say so. Apply it with limit_req or
limit_conn where it is meant to work, or delete it.`,
	Bad:  `limit_req_zone $binary_remote_addr zone=old:10m rate=10r/s;`,
	Good: ``,

	Check: func(p *Pass) {
		if p.Config.Snippet || len(p.Config.Tree.Errors) > 0 {
			return // the limit may stand in what was not read
		}
		used := usedZones(p.Config)
		for _, z := range p.Config.Zones {
			if !used[z] {
				p.Report(z.Dir.HeadSpan(), fmt.Sprintf("zone %q is defined but nothing uses it, so it limits nothing; apply it with %s or delete it", z.Name, z.Kind.Limit()))
			}
		}
	},
}

func usedZones(c *nginx.Config) map[*nginx.Zone]bool {
	used := map[*nginx.Zone]bool{}
	for b := range c.Blocks() {
		for _, l := range b.LimitReq.Items {
			used[l.Zone] = true
		}
		for _, l := range b.LimitConn.Items {
			used[l.Zone] = true
		}
	}
	return used
}
