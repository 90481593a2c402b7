package rules

import (
	"fmt"
	"strings"

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
		named := namedZones(p.Config)
		for _, z := range p.Config.Zones {
			if !named[z.Kind.Limit()+" "+z.Name] {
				p.Report(z.Dir.HeadSpan(), fmt.Sprintf("zone %q is defined but nothing uses it, so it limits nothing; apply it with %s or delete it", z.Name, z.Kind.Limit()))
			}
		}
	},
}

// namedZones are the zones that limits name anywhere, those that nginx refuses
// for another reason included, as "limit_req perip".
func namedZones(c *nginx.Config) map[string]bool {
	named := map[string]bool{}
	for d := range everyDirective(c.Tree.All()) {
		switch {
		case d.Name == "limit_conn" && len(d.Args) > 0:
			named["limit_conn "+d.Args[0].Value] = true
		case d.Name == "limit_req":
			for _, arg := range d.Args {
				if zone, ok := strings.CutPrefix(arg.Value, "zone="); ok {
					named["limit_req "+zone] = true
				}
			}
		}
	}
	return named
}
