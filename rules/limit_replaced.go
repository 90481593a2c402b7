package rules

import (
	"fmt"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

var limitReplaced = &Rule{
	ID:       "NGL401",
	Name:     "limit-replaced",
	Severity: Warning,
	Summary:  "an inner limit silently replaces the outer ones",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_limit_req_module.html#limit_req",
	Doc: `nginx inherits limit_req (and limit_conn) only into a block that has none of its
own, so a location that adds a stricter limit loses every limit of its server.
Repeat the outer limits in the inner block.`,
	Bad: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_zone $binary_remote_addr zone=login:10m rate=20r/s;
limit_req_status 429;
add_header Retry-After 5 always;
server {
    limit_req zone=perip burst=20 nodelay;
    location /account/ { limit_req zone=login burst=20 nodelay; proxy_pass http://127.0.0.1:8080; }
}`,
	Good: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_zone $binary_remote_addr zone=login:10m rate=20r/s;
limit_req_status 429;
add_header Retry-After 5 always;
server {
    limit_req zone=perip burst=20 nodelay;
    location /account/ {
        limit_req zone=perip burst=20 nodelay;
        limit_req zone=login burst=20 nodelay;
        proxy_pass http://127.0.0.1:8080;
    }
}`,
	Proof: Shown,

	Check: func(p *Pass) {
		for b := range p.Config.Blocks() {
			if b.Parent == nil {
				continue
			}
			if b.LimitReq.From == b {
				reportDroppedReq(p, b)
			}
			if b.LimitConn.From == b {
				reportDroppedConn(p, b)
			}
		}
	},
}

func reportDroppedReq(p *Pass, b *nginx.Block) {
	own := map[string]bool{}
	for _, l := range b.LimitReq.Items {
		own[l.ZoneName] = true
	}
	for _, outer := range b.Parent.LimitReq.Items {
		if !own[outer.ZoneName] && !stricterReq(b.LimitReq.Items, outer) {
			reportDropped(p, b.LimitReq.Items[0].Dir, outer.Dir, "limit_req", outer.ZoneName)
		}
	}
}

func reportDroppedConn(p *Pass, b *nginx.Block) {
	own := map[string]bool{}
	for _, l := range b.LimitConn.Items {
		own[l.ZoneName] = true
	}
	for _, outer := range b.Parent.LimitConn.Items {
		if !own[outer.ZoneName] {
			reportDropped(p, b.LimitConn.Items[0].Dir, outer.Dir, "limit_conn", outer.ZoneName)
		}
	}
}

// stricterReq tells whether one of the limits refuses whatever outer would:
// same key, no higher rate, no larger burst.
func stricterReq(limits []*nginx.ReqLimit, outer *nginx.ReqLimit) bool {
	for _, l := range limits {
		if l.Zone != nil && outer.Zone != nil && l.Zone.Key.Text == outer.Zone.Key.Text &&
			l.Zone.Rate <= outer.Zone.Rate && l.Burst <= outer.Burst {
			return true
		}
	}
	return false
}

func reportDropped(p *Pass, inner, outer *parser.Directive, directive, zone string) {
	p.Report(inner.HeadSpan(),
		fmt.Sprintf("%s here replaces all inherited ones and drops zone %q of the enclosing block; repeat that limit here to keep it", directive, zone),
		also(outer, "this %s is not in force in the inner block", directive))
}
