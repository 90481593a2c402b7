package rules

import (
	"strings"

	"github.com/nglimit/nglimit/internal/nginx"
)

var retryAfterNotAlways = &Rule{
	ID:       "NGL605",
	Name:     "retry-after-not-always",
	Severity: Error,
	Summary:  "Retry-After is added without always, so it is missing on refusals",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_headers_module.html#add_header",
	Doc: `add_header without "always" works for 200, 201, 204, 206, 301, 302, 303, 304, 307
and 308 only. A Retry-After written that way is sent with every success and
never with a refusal. Add always, and a value that is empty for other statuses.`,
	Bad: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_status 429;
server {
    limit_req zone=perip burst=20 nodelay;
    location / { add_header Retry-After 5; proxy_pass http://127.0.0.1:8080; }
}`,
	Good: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_status 429;
map $status $retry_after { 429 5; }
server {
    limit_req zone=perip burst=20 nodelay;
    location / { add_header Retry-After $retry_after always; proxy_pass http://127.0.0.1:8080; }
}`,
	Proof: Shown,

	Check: func(p *Pass) {
		for b := range limited(p.Config) {
			if h := retryAfter(b); h != nil && !h.Always {
				p.Report(h.Dir.HeadSpan(), "Retry-After without always is not sent with refusals, only with successes; add always",
					also(firstLimit(b), "the limit that refuses"))
			}
		}
	},
}

// retryAfter is the Retry-After header in force, one that is always sent
// before others; nil when there is none.
func retryAfter(b *nginx.Block) *nginx.Header {
	var found *nginx.Header
	for _, h := range b.AddHeader.Items {
		if strings.EqualFold(h.Name, "Retry-After") && (found == nil || h.Always) {
			found = h
		}
	}
	return found
}
