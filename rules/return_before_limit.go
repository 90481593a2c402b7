package rules

import (
	"fmt"
)

var returnBeforeLimit = &Rule{
	ID:       "NGL402",
	Name:     "return-before-limit",
	Severity: Warning,
	Summary:  "a limit stands beside a return that ends every request before it",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_rewrite_module.html#return",
	Doc: `return and redirecting rewrites end a request in the rewrite phase; limits come
later, in the preaccess phase, and are never reached. Answer with try_files or a
proxy when the limit is meant to work.`,
	Bad: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_status 429;
server {
    add_header Retry-After 5 always;
    location /ping { limit_req zone=perip burst=20 nodelay; return 200 "pong\n"; }
    location / { limit_req zone=perip burst=20 nodelay; proxy_pass http://127.0.0.1:8080; }
}`,
	Good: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_status 429;
server {
    add_header Retry-After 5 always;
    location /ping { limit_req zone=perip burst=20 nodelay; try_files /ping.txt =404; }
    location / { limit_req zone=perip burst=20 nodelay; proxy_pass http://127.0.0.1:8080; }
}`,
	Proof: Shown,

	Check: func(p *Pass) {
		for b := range p.Config.Blocks() {
			end := alwaysEnds(b)
			if end == nil || b.LimitReq.From != b && b.LimitConn.From != b {
				continue
			}
			severity := Warning
			if harmlessAnswer(end) {
				severity = Info
			}
			p.ReportAs(severity, ownLimit(b).HeadSpan(),
				fmt.Sprintf("%s is never reached: %q ends every request in the rewrite phase, before limits; answer with try_files or a proxy, or delete the limit", ownLimit(b).Name, end.Name),
				also(end, "ends every request"))
		}
	},
}
