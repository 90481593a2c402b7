package rules

import (
	"fmt"
	"slices"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

var retryAfterMissing = &Rule{
	ID:       "NGL604",
	Name:     "retry-after-missing",
	Severity: Warning,
	Summary:  "refusals go out without Retry-After",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_headers_module.html#add_header",
	Doc: `nginx never sends Retry-After by itself. Without it, clients that are told 429
retry at once or by their own guess. Add it for refusals only:
map $status $retry_after { 429 5; } and add_header Retry-After $retry_after always.`,
	Bad: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_status 429;
server {
    limit_req zone=perip burst=20 nodelay;
    location / { proxy_pass http://127.0.0.1:8080; }
}`,
	Good: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_status 429;
map $status $retry_after { 429 5; }
server {
    add_header Retry-After $retry_after always;
    limit_req zone=perip burst=20 nodelay;
    location / { proxy_pass http://127.0.0.1:8080; }
}`,
	Proof: Shown,

	Check: func(p *Pass) {
		if p.Config.Snippet {
			return // the header may stand in the blocks around this fragment
		}
		for b := range limited(p.Config) {
			said := refusal(b)
			if said == nil || lostRetryAfter(b) || answersElsewhere(b) || unknownHeaders(b) || retryAfter(b) != nil {
				continue
			}
			p.Report(said.HeadSpan(), fmt.Sprintf("refusals with %s go out without Retry-After, so clients retry when they like; add_header Retry-After … always", said.Args[0].Value),
				also(firstLimit(b), "the limit that refuses"))
		}
	},
}

// refusal is the directive that makes a limit in force answer 429 or, on
// purpose, 503. nginx's silent 503 is NGL601's.
func refusal(b *nginx.Block) *parser.Directive {
	if s := b.LimitReqStatus; len(b.LimitReq.Items) > 0 && s.Dir != nil && !b.LimitReqDryRun.Value && (s.Value == 429 || s.Value == 503) {
		return s.Dir
	}
	if s := b.LimitConnStatus; len(b.LimitConn.Items) > 0 && s.Dir != nil && !b.LimitConnDryRun.Value && (s.Value == 429 || s.Value == 503) {
		return s.Dir
	}
	return nil
}

// lostRetryAfter tells whether an outer block has the header: then NGL606
// speaks.
func lostRetryAfter(b *nginx.Block) bool {
	for outer := b.Parent; outer != nil; outer = outer.Parent {
		if h := retryAfter(outer); h != nil && h.Always {
			return true
		}
	}
	return false
}

// answersElsewhere tells whether an error_page answers for a limit in force:
// what the client gets is decided there.
func answersElsewhere(b *nginx.Block) bool {
	for _, e := range b.ErrorPage.Items {
		if len(b.LimitReq.Items) > 0 && slices.Contains(e.Codes, b.LimitReqStatus.Value) ||
			len(b.LimitConn.Items) > 0 && slices.Contains(e.Codes, b.LimitConnStatus.Value) {
			return true
		}
	}
	return false
}

// unknownHeaders tells whether third-party code may set headers here.
func unknownHeaders(b *nginx.Block) bool {
	for _, name := range []string{"more_set_headers", "header_filter_by_lua_block", "header_filter_by_lua_file", "js_header_filter"} {
		if ds, _ := b.Nearest(name); len(ds) > 0 {
			return true
		}
	}
	return false
}

// firstLimit is the first limit in force in a limited block.
func firstLimit(b *nginx.Block) *parser.Directive {
	if len(b.LimitReq.Items) > 0 {
		return b.LimitReq.Items[0].Dir
	}
	return b.LimitConn.Items[0].Dir
}
