package rules

import (
	"fmt"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

var statusNot429 = &Rule{
	ID:       "NGL601",
	Name:     "status-not-429",
	Severity: Warning,
	Summary:  "limited requests are answered with 503 instead of 429",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_limit_req_module.html#limit_req_status",
	Doc: `503 says that the service is down: monitoring pages somebody, proxies mark the
backend as failed and clients retry at once. 429 says that this client is too
fast (RFC 6585). Set limit_req_status 429.`,
	Bad: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
server {
    limit_req zone=perip burst=20 nodelay;
    location / { proxy_pass http://127.0.0.1:8080; }
}`,
	Good: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_status 429;
server {
    add_header Retry-After 5 always;
    limit_req zone=perip burst=20 nodelay;
    location / { proxy_pass http://127.0.0.1:8080; }
}`,
	Proof: Shown,

	Check: func(p *Pass) {
		for b := range limited(p.Config) {
			if len(b.LimitReq.Items) == 0 || b.LimitReqStatus.Value != 503 || b.LimitReqDryRun.Value {
				continue
			}
			if said := b.LimitReqStatus.Dir; said != nil {
				p.Report(said.HeadSpan(), "limited requests are answered with 503, which says that the service is down; set limit_req_status 429")
				continue
			}
			if p.Config.Snippet {
				continue // the status may stand in the blocks around this fragment
			}
			at, limit := zoneOrLimit(b.LimitReq.Items[0])
			p.Report(at.HeadSpan(),
				fmt.Sprintf("requests that zone %q refuses are answered with 503, nginx's default, which says that the service is down; set limit_req_status 429", b.LimitReq.Items[0].ZoneName),
				also(limit, "the limit"))
		}
	},
}

// zoneOrLimit is where a fault of a zone's policy is shown, once however many
// limits apply the zone: its definition, or the limit when it has none.
func zoneOrLimit(l *nginx.ReqLimit) (at, limit *parser.Directive) {
	if l.Zone != nil {
		return l.Zone.Dir, l.Dir
	}
	return l.Dir, l.Dir
}
