package rules

import (
	"fmt"
	"slices"

	"github.com/nglimit/nglimit/internal/nginx"
)

var keyPerURIBudget = &Rule{
	ID:       "NGL209",
	Name:     "key-per-uri-budget",
	Severity: Warning,
	Summary:  "the key contains the address of the page, so each URL has a budget of its own",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_limit_req_module.html#limit_req_zone",
	Doc: `With the URI, the arguments, the user agent or the referer in the key, ?x=1, ?x=2, …
are fresh buckets: a client that varies them is never limited, and the zone fills
up. Add a limit by address alone, or leave that part out.`,
	Bad: `limit_req_zone $binary_remote_addr$request_uri zone=peruri:10m rate=10r/s;
limit_req_status 429;
server {
    add_header Retry-After 5 always;
    location / { limit_req zone=peruri burst=20 nodelay; proxy_pass http://127.0.0.1:8080; }
}`,
	Good: `limit_req_zone $binary_remote_addr$request_uri zone=peruri:10m rate=10r/s;
limit_req_zone $binary_remote_addr zone=perip:10m rate=30r/s;
limit_req_status 429;
server {
    add_header Retry-After 5 always;
    location / {
        limit_req zone=peruri burst=20 nodelay;
        limit_req zone=perip burst=60 nodelay;
        proxy_pass http://127.0.0.1:8080;
    }
}`,
	Proof: Shown,

	Check: func(p *Pass) {
		for _, z := range p.Config.Zones {
			facts, ok := certain(p.Config, z)
			if !ok || !inUse(p.Config, z) || backedByAddress(p.Config, z) {
				continue
			}
			if part := varied(p.Config, z, facts); part != "" {
				p.Report(z.Dir.ArgSpan(0), fmt.Sprintf("$%s in the key of zone %q gives every value of it a budget of its own: a client that varies it is never limited; add a limit keyed by $binary_remote_addr alone", part, z.Name))
			}
		}
	},
}

// varied is the part of a key with which a client gets fresh buckets within
// one location; "" when there is none. $uri is constant in an exact location.
func varied(c *nginx.Config, z *nginx.Zone, facts *nginx.KeyFacts) string {
	for _, part := range facts.PerURI {
		if mapped(part, facts.Parts) || (part == "uri" || part == "document_uri") && exactOnly(c, z) {
			continue
		}
		return part
	}
	for _, part := range []string{"http_user_agent", "http_referer"} {
		if len(facts.Addresses) > 0 && slices.ContainsFunc(facts.Parts, func(s nginx.Source) bool { return s.Variable == part && len(s.Via) == 0 }) {
			return part
		}
	}
	return ""
}

// mapped tells whether a variable reaches the key only through a map or the
// like, whose results may be few.
func mapped(variable string, parts []nginx.Source) bool {
	for _, s := range parts {
		if s.Variable == variable && len(s.Via) == 0 {
			return false
		}
	}
	return true
}

func exactOnly(c *nginx.Config, z *nginx.Zone) bool {
	for b := range limited(c) {
		if uses(b, z) && (b.Location == nil || b.Location.Modifier != nginx.Exact) {
			return false
		}
	}
	return true
}
