package rules

import (
	"fmt"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

// h2Streams is how many requests one browser may have open at once: pages of
// dozens of assets are ordinary, and nginx allows 128 streams a connection.
const h2Streams = 32

var limitConnLowOnH2 = &Rule{
	ID:       "NGL701",
	Name:     "limit-conn-low-on-h2",
	Severity: Warning,
	Summary:  "limit_conn is lower than what one HTTP/2 connection opens at once",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_limit_conn_module.html",
	Doc: `In HTTP/2 and HTTP/3 each concurrent request counts as a connection of its own, so
one browser with one TCP connection reaches a small limit with a single page.
Allow at least 32, or limit the rate instead.`,
	Bad: `limit_conn_zone $binary_remote_addr zone=addr:10m;
server {
    listen 8443 http2;
    location / { limit_conn addr 5; proxy_pass http://127.0.0.1:8080; }
}`,
	Good: `limit_conn_zone $binary_remote_addr zone=addr:10m;
server {
    listen 8443 http2;
    location / { limit_conn addr 64; proxy_pass http://127.0.0.1:8080; }
}`,
	Proof: Shown,

	Check: func(p *Pass) {
		for b := range limited(p.Config) {
			speaks := multiplexed(b.Server)
			if speaks == nil {
				continue
			}
			for _, l := range b.LimitConn.Items {
				if l.N < h2Streams && perClient(p.Config, l.Zone) && !b.LimitConnDryRun.Value {
					p.Report(l.Dir.HeadSpan(),
						fmt.Sprintf("limit_conn %s %d on an HTTP/2 or HTTP/3 server: every concurrent request counts, so one page of a browser can exceed it; allow %d or more, or use limit_req", l.ZoneName, l.N, h2Streams),
						also(speaks, "requests are multiplexed here"))
				}
			}
		}
	},
}

// multiplexed is the directive that lets a server speak HTTP/2 or HTTP/3.
func multiplexed(s *nginx.Server) *parser.Directive {
	for _, l := range s.Listens {
		if l.Dir != nil && (l.HTTP2 || l.QUIC) {
			return l.Dir
		}
	}
	for _, name := range []string{"http2", "http3"} {
		if ds, _ := s.Nearest(name); len(ds) > 0 && len(ds[0].Args) == 1 && ds[0].Args[0].Value == "on" && name == "http2" {
			return ds[0]
		}
	}
	return nil
}
