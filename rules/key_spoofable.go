package rules

import (
	"fmt"

	"github.com/nglimit/nglimit/internal/nginx"
)

var keySpoofable = &Rule{
	ID:       "NGL204",
	Name:     "key-spoofable",
	Severity: Error,
	Summary:  "the client writes the key of its own limit",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_limit_req_module.html#limit_req_zone",
	Doc: `A key taken from a request header, a cookie or an argument is whatever the client
sends: another value for each request is another bucket for each request, and the
limit never applies. Use $binary_remote_addr with the real-IP module, or add a
second limit that counts addresses.`,
	Bad: `limit_req_zone $http_x_forwarded_for zone=perip:10m rate=10r/s;
limit_req_status 429;
server {
    add_header Retry-After 5 always;
    location / { limit_req zone=perip burst=20 nodelay; proxy_pass http://127.0.0.1:8080; }
}`,
	Good: `set_real_ip_from 192.0.2.0/24;
real_ip_header X-Forwarded-For;
limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_status 429;
server {
    add_header Retry-After 5 always;
    location / { limit_req zone=perip burst=20 nodelay; proxy_pass http://127.0.0.1:8080; }
}`,
	Proof: Shown,

	Check: func(p *Pass) {
		for _, z := range p.Config.Zones {
			facts, ok := certain(p.Config, z)
			if !ok || !inUse(p.Config, z) {
				continue
			}
			source, ok := forgeable(facts)
			if !ok {
				continue
			}
			at, related := keyPlace(z, source)
			p.ReportAs(spoofSeverity(p.Config, z, facts, source), at,
				fmt.Sprintf("the key of zone %q comes from the %s, which the client writes: a new value for each request is a new bucket for each request; key on $binary_remote_addr, or add a limit that does", z.Name, source.From),
				related...)
		}
	},
}

// forgeable is the first part of a key that the client writes. What varies the
// budget of an address, such as the URI beside it, is NGL209's.
func forgeable(facts *nginx.KeyFacts) (nginx.Source, bool) {
	for _, s := range facts.Spoofable {
		beside := len(facts.Addresses) > 0 && (s.Variable == "http_user_agent" || s.Variable == "http_referer")
		if !beside && (s.Input == nginx.HeaderInput || s.Input == nginx.CookieInput || s.Input == nginx.ArgumentInput || s.Input == nginx.QueryInput) {
			return s, true
		}
	}
	return nginx.Source{}, false
}

// spoofSeverity is an error where forging the key escapes every limit. A key
// that falls back to the address when the client sends nothing, such as a
// token, or a second limit by address makes it advice.
func spoofSeverity(c *nginx.Config, z *nginx.Zone, facts *nginx.KeyFacts, source nginx.Source) Severity {
	if backedByAddress(c, z) || tokenWithFallback(facts, source) {
		return Info
	}
	return Error
}

// tokenWithFallback tells whether a credential is the key and requests without
// it are counted by address: wrong tokens do get new buckets, but that is what
// such a key is for.
func tokenWithFallback(facts *nginx.KeyFacts, source nginx.Source) bool {
	if !facts.NeverEmpty || len(facts.Addresses) == 0 {
		return false
	}
	switch source.Variable {
	case "http_authorization", "http_x_api_key", "http_api_key", "http_x_auth_token", "http_x_access_token":
		return true
	default:
		return source.Input == nginx.CookieInput
	}
}
