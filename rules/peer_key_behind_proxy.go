package rules

import (
	"fmt"
	"strings"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

var peerKeyBehindProxy = &Rule{
	ID:       "NGL316",
	Name:     "peer-key-behind-proxy",
	Severity: Warning,
	Summary:  "a limit keyed by the client's address stands behind a proxy without real IP",
	Ref:      "https://nginx.org/en/docs/http/ngx_http_realip_module.html",
	Doc: `Behind a proxy the peer is the proxy, so all clients share one bucket and one busy
client locks out everybody. Name the proxy with set_real_ip_from and the header
it sets with real_ip_header.`,
	Bad: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_status 429;
server {
    add_header Retry-After 5 always;
    if ($http_x_forwarded_proto = http) { return 301 https://$host$request_uri; }
    location / { limit_req zone=perip burst=20 nodelay; proxy_pass http://127.0.0.1:8080; }
}`,
	Good: `limit_req_zone $binary_remote_addr zone=perip:10m rate=10r/s;
limit_req_status 429;
set_real_ip_from 192.0.2.0/24;
real_ip_header X-Forwarded-For;
server {
    add_header Retry-After 5 always;
    if ($http_x_forwarded_proto = http) { return 301 https://$host$request_uri; }
    location / { limit_req zone=perip burst=20 nodelay; proxy_pass http://127.0.0.1:8080; }
}`,
	Proof: Shown,

	Check: func(p *Pass) {
		if p.Config.Snippet || len(p.Config.Tree.Errors) > 0 || p.Options.BehindProxy != nil && !*p.Options.BehindProxy {
			return
		}
		for b := range limited(p.Config) {
			zone, limit := clientKeyed(p.Config, b)
			if zone == nil || len(b.SetRealIPFrom.Items) > 0 || speaksProxyProtocol(b.Server) {
				continue
			}
			severity, why, evidence := proxyEvidence(p.Config, b)
			if why == "" {
				continue
			}
			related := []Related{also(limit, "the limit")}
			if evidence != nil {
				related = append(related, also(evidence, "the sign of a proxy"))
			}
			p.ReportAs(severity, zone.Dir.HeadSpan(),
				fmt.Sprintf("zone %q is keyed by the peer's address and no set_real_ip_from is in force where it limits, but %s: all clients of that proxy share one bucket; set set_real_ip_from and real_ip_header", zone.Name, why),
				related...)
		}
	},
}

// clientKeyed is the first zone in force that is keyed by the client's
// address, and its limit.
func clientKeyed(c *nginx.Config, b *nginx.Block) (*nginx.Zone, *parser.Directive) {
	for _, l := range b.LimitReq.Items {
		if perClient(c, l.Zone) {
			return l.Zone, l.Dir
		}
	}
	for _, l := range b.LimitConn.Items {
		if perClient(c, l.Zone) {
			return l.Zone, l.Dir
		}
	}
	return nil, nil
}

// proxyEvidence says what tells that a proxy stands in front of a block. A log
// format with X-Forwarded-For tells nothing: nginx's own package ships one.
func proxyEvidence(c *nginx.Config, b *nginx.Block) (s Severity, why string, at *parser.Directive) {
	if d := readsProxyHeader(b); d != nil {
		return Warning, fmt.Sprintf("%s uses a header that only proxies set", d.Name), d
	}
	for _, s := range c.Servers {
		if s != b.Server && len(s.SetRealIPFrom.Items) > 0 && sharesListen(s, b.Server) {
			return Warning, "another server on the same address trusts a proxy", s.SetRealIPFrom.Items[0].Dir
		}
	}
	if onlyLocal(b.Server) {
		return Info, "the server listens for this host alone", b.Server.Listens[0].Dir
	}
	return 0, "", nil
}

// proxyHeaders are request headers that a proxy sets and a browser never does.
var proxyHeaders = []string{"$http_x_forwarded_proto", "$http_x_forwarded_port", "$http_x_forwarded_ssl", "$http_cf_connecting_ip", "$http_cf_ray", "$http_cf_visitor", "$http_true_client_ip", "$http_x_amzn_trace_id"}

// readsProxyHeader is a directive of a block, or of the blocks around it, that
// depends on such a header.
func readsProxyHeader(b *nginx.Block) *parser.Directive {
	for at := b; at != nil; at = at.Parent {
		for _, name := range []string{"if", "set", "return", "rewrite", "proxy_set_header", "fastcgi_param"} {
			for _, d := range at.Own(name) {
				for _, arg := range d.Args {
					if mentionsProxyHeader(arg.Value) {
						return d
					}
				}
			}
		}
	}
	return nil
}

func mentionsProxyHeader(text string) bool {
	text = strings.ToLower(strings.NewReplacer("{", "", "}", "").Replace(text))
	for _, h := range proxyHeaders {
		if strings.Contains(text, h) {
			return true
		}
	}
	return false
}

func sharesListen(a, b *nginx.Server) bool {
	for _, x := range a.Listens {
		for _, y := range b.Listens {
			if x.Port == y.Port && x.Addr == y.Addr && x.Unix == y.Unix {
				return true
			}
		}
	}
	return false
}

func speaksProxyProtocol(s *nginx.Server) bool {
	for _, l := range s.Listens {
		if l.ProxyProtocol {
			return true
		}
	}
	return false
}
