package rules

import (
	"fmt"

	"github.com/nglimit/nglimit/internal/nginx"
)

var keyLiteral = &Rule{
	ID:       "NGL201",
	Name:     "key-literal",
	Severity: Error,
	Summary:  "a zone's key has no variable, so all requests share one bucket",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_limit_req_module.html#limit_req_zone",
	Doc: `A key is a text with variables. Without a "$" it is the same text for every
request, so the first busy client uses up the rate of everybody. An empty key
limits nobody.`,
	Bad: `limit_req_zone binary_remote_addr zone=perip:10m rate=10r/s;
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
			if z.Key == nil || hasVariable(z.Key) || !inUse(p.Config, z) {
				continue
			}
			if z.Key.Text == "" {
				p.Report(z.Dir.ArgSpan(0), fmt.Sprintf("the key of zone %q is empty, and requests with an empty key are not limited; use $binary_remote_addr", z.Name))
				continue
			}
			p.Report(z.Dir.ArgSpan(0), fmt.Sprintf("the key of zone %q is the text %q, the same for every request: all clients share one bucket; %s", z.Name, z.Key.Text, keyAdvice(z)))
		}
	},
}

func hasVariable(v *nginx.Value) bool {
	for _, part := range v.Parts {
		if part.Var != "" {
			return true
		}
	}
	return false
}

func keyAdvice(z *nginx.Zone) string {
	switch z.Key.Text {
	case "binary_remote_addr", "remote_addr", "server_name", "uri", "request_uri", "host", "http_host":
		return "write $" + z.Key.Text
	default:
		return "use $binary_remote_addr for a bucket per client"
	}
}
