package rules

import "github.com/nglimit/nglimit/parser"

var directiveContext = &Rule{
	ID:       "NGL004",
	Name:     "directive-context",
	Severity: Error,
	Summary:  "a directive stands where nginx does not allow it",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_limit_req_module.html#limit_req",
	Doc: `nginx refuses to start. limit_req and limit_conn are not allowed inside if or
limit_except: to limit only some requests, give the zone a key that is empty for
the others, as in map $request_method $key { POST $binary_remote_addr; }.
Zones are defined at http level only.`,
	Bad: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
server {
    location / {
        if ($request_method = POST) { limit_req zone=perip; }
        proxy_pass http://127.0.0.1:8080;
    }
}`,
	Good: `map $request_method $write_key { POST $binary_remote_addr; PUT $binary_remote_addr; DELETE $binary_remote_addr; PATCH $binary_remote_addr; }
limit_req_zone $write_key zone=writes:10m rate=10r/s;
limit_req_status 429;
server {
    add_header Retry-After 5 always;
    location / {
        limit_req zone=writes burst=20 nodelay;
        proxy_pass http://127.0.0.1:8080;
    }
}`,
	Proof: Refused,
	Check: func(p *Pass) { reportErrors(p, parser.BadContext) },
}
