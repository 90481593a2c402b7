package rules

import "fmt"

var connStatusMismatch = &Rule{
	ID:       "NGL602",
	Name:     "conn-status-mismatch",
	Severity: Warning,
	Summary:  "limit_conn refuses with another status than limit_req",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_limit_conn_module.html#limit_conn_status",
	Doc: `limit_req_status says nothing about limit_conn, whose default is 503. Clients and
dashboards that know 429 as "slow down" see an outage instead. Set
limit_conn_status to the same value.`,
	Bad: `limit_conn_zone $binary_remote_addr zone=addr:10m;
limit_req_status 429;
server { location / { limit_conn addr 50; proxy_pass http://127.0.0.1:8080; } }`,
	Good: `limit_conn_zone $binary_remote_addr zone=addr:10m;
limit_req_status 429;
limit_conn_status 429;
server {
    add_header Retry-After 5 always;
    location / { limit_conn addr 50; proxy_pass http://127.0.0.1:8080; }
}`,
	Proof: Shown,

	Check: func(p *Pass) {
		for b := range limited(p.Config) {
			req := b.LimitReqStatus
			if len(b.LimitConn.Items) == 0 || req.Dir == nil || b.LimitConnDryRun.Value || b.LimitConnStatus.Value == req.Value {
				continue
			}
			at := b.LimitConn.Items[0].Dir
			if b.LimitConnStatus.Dir != nil {
				at = b.LimitConnStatus.Dir
			}
			p.Report(at.HeadSpan(),
				fmt.Sprintf("limit_conn refuses with %d but limit_req with %d; set limit_conn_status %d", b.LimitConnStatus.Value, req.Value, req.Value),
				also(req.Dir, "the status of limit_req"))
		}
	},
}
