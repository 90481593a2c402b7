package nginx

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/oracle"
)

// In these configurations a zone lets one request a minute pass for each key,
// so that the second request with a key is refused: what nginx refuses shows
// which location, limit and key counted.
const (
	loose  = "limit_req_zone $binary_remote_addr zone=loose:1m rate=100000r/s; "
	strict = "limit_req_zone $binary_remote_addr zone=strict:1m rate=1r/m; "
)

func keyed(key string) string { return "limit_req_zone " + key + " zone=strict:1m rate=1r/m; " }

var behaviours = []struct {
	name, http, server string
	requests           []string // "target|Header: value|…"; a target may begin with a method and with the client's address
	refused            string   // by request: "x" refused, "." not
}{
	{
		"the first location that decides keeps the one that try_files leads to from deciding",
		loose + strict, `location / { limit_req zone=loose burst=1000 nodelay; try_files /nope @app; } location @app { limit_req zone=strict; empty_gif; }`,
		[]string{"/", "/", "/"},
		"...",
	},
	{
		"a permalink is not limited where its script is",
		loose + strict, `location / { limit_req zone=loose burst=1000 nodelay; try_files /nope /index.php; } location ~ \.php$ { limit_req zone=strict; empty_gif; }`,
		[]string{"/post", "/post", "/index.php", "/index.php"},
		"...x",
	},
	{
		"a rewrite comes before the limits",
		strict, `location /old { rewrite ^ /new last; } location /new { limit_req zone=strict; empty_gif; }`,
		[]string{"/old", "/old", "/new"},
		".xx",
	},
	{
		"an empty key leaves the decision to the location that an error page leads to",
		"limit_req_zone $http_x_none zone=none:1m rate=1r/m; " + strict,
		`location / { return 404; error_page 404 /e; limit_req zone=none; } location = /e { limit_req zone=none; limit_req zone=strict; empty_gif; }`,
		[]string{"/", "/"},
		".x",
	},
	{
		"return and if with return come before the limits",
		strict, `limit_req zone=strict; location /r { return 200; } location / { if ($arg_x) { return 200; } empty_gif; }`,
		[]string{"/r", "/r", "/?x=1", "/?x=1", "/", "/"},
		".....x",
	},
	{
		"a variable of auth_request_set has no value yet",
		keyed("$uid"), `location = /auth { return 200; } location / { auth_request /auth; auth_request_set $uid $upstream_http_x_uid; limit_req zone=strict; empty_gif; }`,
		[]string{"/", "/"},
		"..",
	},
	{
		"the name in credentials counts without a check",
		keyed("$remote_user"), `location / { limit_req zone=strict; empty_gif; }`,
		[]string{"/", "/", "/|Authorization: Basic Ym9iOng=", "/|Authorization: Basic Ym9iOnk="},
		"...x",
	},
	{
		"a key without a dollar is one bucket for all",
		keyed("binary_remote_addr"), `location / { limit_req zone=strict; empty_gif; }`,
		[]string{"/", "127.0.0.9 /"},
		".x",
	},
	{
		"0 is a bucket of its own, only the empty text is exempt",
		"map $http_x_a $m { probe 0; office \"\"; default $binary_remote_addr; } " + keyed("$m"), `location / { limit_req zone=strict; empty_gif; }`,
		[]string{"/|X-A: probe", "127.0.0.9 /|X-A: probe", "/|X-A: office", "/|X-A: office", "/", "/"},
		".x...x",
	},
	{
		"real_ip_header in another spelling takes the first line",
		strict + "set_real_ip_from 127.0.0.0/8; real_ip_header x-forwarded-for;", `location / { limit_req zone=strict; empty_gif; }`,
		[]string{"/|X-Forwarded-For: 6.6.6.1", "/|X-Forwarded-For: 6.6.6.1", "/|X-Forwarded-For: 6.6.6.2"},
		".x.",
	},
	{
		"real_ip_header without set_real_ip_from does nothing",
		strict + "real_ip_header X-Forwarded-For;", `location / { limit_req zone=strict; empty_gif; }`,
		[]string{"/|X-Forwarded-For: 6.6.6.1", "/|X-Forwarded-For: 6.6.6.2"},
		".x",
	},
	{
		"set_real_ip_from without a header trusts X-Real-IP",
		strict + "set_real_ip_from 127.0.0.0/8;", `location / { limit_req zone=strict; empty_gif; }`,
		[]string{"/|X-Real-IP: 6.6.6.1", "/|X-Real-IP: 6.6.6.2", "/|X-Forwarded-For: 6.6.6.2", "/|X-Forwarded-For: 6.6.6.3"},
		"...x",
	},
	{
		"Forwarded is not understood",
		strict + "set_real_ip_from 127.0.0.0/8; real_ip_header Forwarded;", `location / { limit_req zone=strict; empty_gif; }`,
		[]string{"/|Forwarded: for=6.6.6.1", "/|Forwarded: for=6.6.6.2"},
		".x",
	},
	{
		"trusting everybody takes the address that the client wrote",
		strict + "set_real_ip_from 0.0.0.0/0; real_ip_header X-Forwarded-For; real_ip_recursive on;", `location / { limit_req zone=strict; empty_gif; }`,
		[]string{"/|X-Forwarded-For: 6.6.6.1, 9.9.9.9", "/|X-Forwarded-For: 6.6.6.2, 9.9.9.9", "/|X-Forwarded-For: 6.6.6.1, 8.8.8.8"},
		"..x",
	},
	{
		"without recursion the last proxy is the client",
		strict + "set_real_ip_from 127.0.0.0/8; set_real_ip_from 10.0.0.0/8; real_ip_header X-Forwarded-For;", `location / { limit_req zone=strict; empty_gif; }`,
		[]string{"/|X-Forwarded-For: 6.6.6.1, 10.1.1.1", "/|X-Forwarded-For: 6.6.6.2, 10.1.1.1"},
		".x",
	},
	{
		"an inner set_real_ip_from replaces the outer ones",
		strict + "set_real_ip_from 127.0.0.0/8; real_ip_header X-Forwarded-For;",
		`location / { limit_req zone=strict; empty_gif; } location /in { set_real_ip_from 10.0.0.0/8; limit_req zone=strict; empty_gif; }`,
		[]string{"/|X-Forwarded-For: 6.6.6.1", "/in|X-Forwarded-For: 6.6.6.1"},
		".x",
	},
	{
		"a location's real IP comes too late for an address that set has read",
		strict, `location /a { set_real_ip_from 127.0.0.0/8; set $x $binary_remote_addr; limit_req zone=strict; empty_gif; }
			location /b { set_real_ip_from 127.0.0.0/8; limit_req zone=strict; empty_gif; }`,
		[]string{"/b|X-Real-IP: 6.6.6.1", "/b|X-Real-IP: 6.6.6.2", "/a|X-Real-IP: 6.6.6.3", "/a|X-Real-IP: 6.6.6.4"},
		"...x",
	},
	{
		"a limit in the target of auth_request counts for a location without one",
		strict, `location = /auth { limit_req zone=strict; empty_gif; } location / { auth_request /auth; empty_gif; }`,
		[]string{"/", "/"},
		".x",
	},
	{
		"a limit in the target of auth_request does not count for a location with one",
		loose + strict, `location = /auth { limit_req zone=strict; empty_gif; } location / { auth_request /auth; limit_req zone=loose burst=1000 nodelay; empty_gif; }`,
		[]string{"/", "/"},
		"..",
	},
	{
		"a regular expression takes a script from its prefix location",
		strict, `location /wp-login.php { limit_req zone=strict; empty_gif; } location ~ \.php$ { empty_gif; }`,
		[]string{"/wp-login.php", "/wp-login.php"},
		"..",
	},
	{
		"an exact location is missed by near names, not by other spellings",
		strict, `location = /login { limit_req zone=strict; empty_gif; } location / { empty_gif; }`,
		[]string{"/login", "/login/", "/LOGIN", "/login;a=b", "//login", "/%6cogin", "/x/../login"},
		"....xxx",
	},
	{
		"values that come later are empty, and the status is one bucket",
		"limit_req_zone $proxy_protocol_addr$request_body$upstream_cache_status zone=later:1m rate=1r/m; " + keyed("$status"),
		`location /later { limit_req zone=later; empty_gif; } location /status { limit_req zone=strict; empty_gif; }`,
		[]string{"/later", "/later", "/status", "127.0.0.9 /status"},
		"...x",
	},
	{
		"addresses are limited whatever access rules say",
		strict, `location / { satisfy any; allow 127.0.0.1; deny all; limit_req zone=strict; empty_gif; }`,
		[]string{"/", "/", "127.0.0.9 /", "127.0.0.9 /"},
		".x.x",
	},
	{
		"a crawler is known by what it says",
		`map $http_user_agent $c { ~*googlebot ""; default $binary_remote_addr; } ` + keyed("$c"), `location / { limit_req zone=strict; empty_gif; }`,
		[]string{"/|User-Agent: Googlebot", "/|User-Agent: Googlebot", "/|User-Agent: x", "/|User-Agent: x"},
		"...x",
	},
	{
		"an if that answers OPTIONS keeps it from the limit",
		strict, `location /a { limit_req zone=strict; proxy_pass http://127.0.0.1:9; } location /b { if ($request_method = OPTIONS) { return 204; } limit_req zone=strict; empty_gif; }`,
		[]string{"OPTIONS /b", "OPTIONS /b", "OPTIONS /a", "OPTIONS /a"},
		"...x",
	},
	{
		"a missing index sends a folder to the location of its index",
		strict, `root html; index index.php; location / { } location ~ \.php$ { limit_req zone=strict; empty_gif; }`,
		[]string{"/index.php", "/index.php"},
		".x",
	},
	{
		"a dry run decides, too",
		loose + strict, `location / { limit_req zone=loose burst=1000 nodelay; limit_req_dry_run on; try_files /nope @app; } location @app { limit_req zone=strict; empty_gif; }`,
		[]string{"/", "/"},
		"..",
	},
	{
		"a request with too long a body is refused before the limits",
		strict, `location / { client_max_body_size 1k; limit_req zone=strict; proxy_pass http://127.0.0.1:9; }`,
		[]string{"POST /|Content-Length: 2000", "POST /|Content-Length: 2000", "/", "/"},
		"...x",
	},
	{
		"another host meets the default server, without its limits",
		strict, `server_name example.com; location / { limit_req zone=strict; empty_gif; } } server { listen ` + oracle.Addr + ` default_server; location / { empty_gif; }`,
		[]string{"/|Host: example.com", "/|Host: example.com", "/|Host: x.example.com", "/|Host: x.example.com", "/|Host: EXAMPLE.com.", "http://example.com/|Host: other"},
		".x..xx",
	},
	{
		"the second and later lines of a cookie and of repeated arguments do not count",
		"limit_req_zone $cookie_s$arg_a zone=strict:1m rate=1r/m;", `location / { limit_req zone=strict; empty_gif; }`,
		[]string{"/?a=1&a=2|Cookie: s=1; s=2", "/?A=1|Cookie: S=1", "/?a=2|Cookie: s=1"},
		".x.",
	},
}

// TestBehaviours runs each sequence on nginx and through Route.
func TestBehaviours(t *testing.T) {
	bin := oracle.Need(t)
	for _, b := range behaviours {
		t.Run(b.name, func(t *testing.T) {
			conf := oracle.Serve("limit_req_status 429;\n"+b.http, b.server)
			s := bin.Start(t, conf, oracle.Options{})
			r := routerOf(t, strings.ReplaceAll(conf, oracle.Addr, s.Addr.String()))
			zones := map[string]bool{}
			var nginx, ours strings.Builder
			for _, line := range b.requests {
				raw, req, from := spell(line, r.Field, s.Addr)
				c := s.Dial(t, from)
				require.NoError(t, c.Send(raw))
				answer, err := c.Receive()
				require.NoError(t, err)
				c.Close()
				nginx.WriteByte(".x"[bit(answer.Status == 429 || answer.Status == 500)])
				ours.WriteByte(".x"[bit(refuses(t, r, req, zones))])
			}
			assert.Equal(t, b.refused, nginx.String(), "nginx")
			assert.Equal(t, b.refused, ours.String(), "nglimit")
		})
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// refuses tells whether a zone of one request a minute has seen the key.
func refuses(t *testing.T, r *Router, req *Request, seen map[string]bool) bool {
	t.Helper()
	var out Route
	r.Route(req, &out)
	require.Empty(t, out.Unknown)
	var admitted []string
	for _, l := range out.Limits {
		require.Empty(t, l.Unknown)
		if len(l.Key) == 0 || l.Req.Zone.Rate > 1000 || out.ReqDryRun {
			continue
		}
		id := l.Req.ZoneName + "=" + string(l.Key)
		if seen[id] {
			return true
		}
		admitted = append(admitted, id)
	}
	for _, id := range admitted {
		seen[id] = true
	}
	return false
}

// spell writes a request out, for nginx and for Route.
func spell(line string, field func(string) int, to netip.AddrPort) (raw []byte, req *Request, from netip.Addr) {
	parts := strings.Split(line, "|")
	words := strings.Fields(parts[0])
	from = netip.MustParseAddr("127.0.0.1")
	if a, err := netip.ParseAddr(words[0]); err == nil {
		from, words = a, words[1:]
	}
	if len(words) == 1 {
		words = []string{"GET", words[0]}
	}
	req = &Request{Complete: true}
	set := func(name, value string) {
		f := field(name)
		for len(req.Values) <= f {
			req.Values = append(req.Values, nil)
		}
		req.Values[f] = append([]byte{}, value...)
	}
	set("remote_addr", from.String())
	set("server_addr", to.Addr().String())
	set("server_port", fmt.Sprint(to.Port()))
	set("request", words[0]+" "+words[1]+" HTTP/1.1")
	text := words[0] + " " + words[1] + " HTTP/1.1\r\nConnection: close\r\n"
	headers := parts[1:]
	if !strings.Contains(line, "|Host:") {
		headers = append(headers, "Host: localhost")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		set("http_"+strings.ReplaceAll(strings.ToLower(name), "-", "_"), value)
		text += h + "\r\n"
	}
	return []byte(text + "\r\n"), req, from
}
