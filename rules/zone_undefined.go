package rules

import (
	"fmt"
	"slices"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

var zoneUndefined = &Rule{
	ID:       "NGL101",
	Name:     "zone-undefined",
	Severity: Error,
	Summary:  "a limit names a zone that is defined nowhere",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_limit_req_module.html#limit_req_zone",
	Doc: `nginx refuses to start with "zero size shared memory zone" when a limit names a
zone that no limit_req_zone or limit_conn_zone defines. Define the zone at http
level, or correct the name.`,
	Bad: `limit_req_status 429;
server {
    add_header Retry-After 5 always;
    location / { limit_req zone=nope burst=20; }
}`,
	Good: `limit_req_status 429;
limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
server {
    add_header Retry-After 5 always;
    location / { limit_req zone=perip burst=20; }
}`,
	Proof: Refused,

	Check: func(p *Pass) {
		for b := range p.Config.Blocks() {
			if b.LimitReq.From == b {
				for _, l := range b.LimitReq.Items {
					if l.Zone == nil {
						reportUndefined(p, l.Dir, l.ZoneName, nginx.ReqZone)
					}
				}
			}
			if b.LimitConn.From == b {
				for _, l := range b.LimitConn.Items {
					if l.Zone == nil {
						reportUndefined(p, l.Dir, l.ZoneName, nginx.ConnZone)
					}
				}
			}
		}
	},
}

func reportUndefined(p *Pass, d *parser.Directive, zone string, kind nginx.ZoneKind) {
	if slices.Contains(p.Options.ExternalZones, zone) {
		return
	}
	for _, z := range p.Config.Zones {
		if z.Name == zone && z.Kind != kind {
			return // a clash of kinds, which is NGL103's
		}
	}
	directive := "limit_req_zone"
	if kind == nginx.ConnZone {
		directive = "limit_conn_zone"
	}
	if p.Config.Snippet {
		p.ReportAs(Info, d.HeadSpan(), fmt.Sprintf("zone %q is not defined in this fragment; nginx needs a %s for it at http level", zone, directive))
		return
	}
	p.Report(d.HeadSpan(), fmt.Sprintf("zone %q is not defined: nginx refuses to start; add a %s for it at http level or correct the name", zone, directive))
}
