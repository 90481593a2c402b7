package rules

import "fmt"

var retryAfterLost = &Rule{
	ID:       "NGL606",
	Name:     "retry-after-lost",
	Severity: Warning,
	Summary:  "a Retry-After of an outer block is dropped by another add_header",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_headers_module.html#add_header",
	Doc: `add_header directives are inherited only into a block that has none of its own, so
one add_header in a location drops the Retry-After of its server. Repeat it, or
use add_header_inherit merge (nginx 1.29.3).`,
	Bad: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_status 429;
server {
    add_header Retry-After 5 always;
    limit_req zone=perip burst=20 nodelay;
    location / { add_header X-Frame-Options DENY; proxy_pass http://127.0.0.1:8080; }
}`,
	Good: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_status 429;
server {
    add_header Retry-After 5 always;
    limit_req zone=perip burst=20 nodelay;
    location / {
        add_header X-Frame-Options DENY;
        add_header Retry-After 5 always;
        proxy_pass http://127.0.0.1:8080;
    }
}`,
	Proof: Shown,

	Check: func(p *Pass) {
		for b := range limited(p.Config) {
			if retryAfter(b) != nil || b.AddHeader.From == nil || answersElsewhere(b) {
				continue
			}
			for outer := b.AddHeader.From.Parent; outer != nil; outer = outer.Parent {
				if h := retryAfter(outer); h != nil && h.Always {
					p.Report(b.AddHeader.From.Own("add_header")[0].HeadSpan(),
						fmt.Sprintf("this add_header drops the inherited Retry-After, so refusals go out without it; repeat %q here", h.Dir.Name+" Retry-After … always"),
						also(h.Dir, "the header that is lost"))
					break
				}
			}
		}
	},
}
