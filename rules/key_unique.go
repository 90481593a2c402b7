package rules

import "fmt"

var keyUnique = &Rule{
	ID:       "NGL208",
	Name:     "key-unique",
	Severity: Error,
	Summary:  "a zone's key is different for every request, so nothing is limited",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_limit_req_module.html#limit_req_zone",
	Doc: `A key that contains a request ID, a time or a port never repeats: every request is
the first of its bucket. The limit does nothing, and the zone fills up.`,
	Bad: `limit_req_zone $binary_remote_addr$request_id zone=perip:10m rate=10r/s;
limit_req_status 429;
server {
    add_header Retry-After 5 always;
    location / { limit_req zone=perip burst=20 nodelay; proxy_pass http://127.0.0.1:8080; }
}`,
	Good: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_status 429;
server {
    add_header Retry-After 5 always;
    location / { limit_req zone=perip burst=20 nodelay; proxy_pass http://127.0.0.1:8080; }
}`,
	Proof: Shown,

	Check: func(p *Pass) {
		for _, z := range p.Config.Zones {
			facts, ok := certain(p.Config, z)
			if !ok || len(facts.Unique) == 0 || !inUse(p.Config, z) || mapped(facts.Unique[0], facts.Parts) {
				continue
			}
			p.Report(z.Dir.ArgSpan(0), fmt.Sprintf("$%s in the key of zone %q never repeats, so every request is the first of its bucket and nothing is limited; leave it out", facts.Unique[0], z.Name))
		}
	},
}
