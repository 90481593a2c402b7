package rules

import (
	"iter"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

var badParameter = &Rule{
	ID:       "NGL005",
	Name:     "bad-parameter",
	Severity: Error,
	Summary:  "nginx refuses an argument of a limit or real-IP directive",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_limit_req_module.html",
	Doc: `nginx refuses to start, with the message shown. Rates are whole numbers of r/s or
r/m, burst and delay at least 1, sizes in k or m, statuses 400 to 599, limit_conn
1 to 65535; limit_req and limit_conn cannot be switched off in an inner block.`,
	Bad: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/m;
limit_req_status 429;
server {
    add_header Retry-After 6 always;
    location /login { limit_req zone=perip burst=0 nodelay; proxy_pass http://127.0.0.1:8080; }
}`,
	Good: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/m;
limit_req_status 429;
server {
    add_header Retry-After 6 always;
    location /login { limit_req zone=perip burst=5 nodelay; proxy_pass http://127.0.0.1:8080; }
}`,
	Proof: Refused,
	Check: func(p *Pass) {
		reportErrors(p, parser.BadArgs, parser.Unknown)
		for d := range everyDirective(p.Config.Tree.All()) {
			if err := nginx.CheckParams(d); err != nil {
				p.Report(err.Span, err.Msg)
			}
		}
	},
}

// everyDirective yields directives with all that stands in their blocks.
func everyDirective(ds iter.Seq[*parser.Directive]) iter.Seq[*parser.Directive] {
	return func(yield func(*parser.Directive) bool) {
		for d := range ds {
			if !yield(d) {
				return
			}
			for inner := range everyDirective(d.All()) {
				if !yield(inner) {
					return
				}
			}
		}
	}
}
