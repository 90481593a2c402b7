package nginx

import (
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/oracle"
	"github.com/nglimit/nglimit/parser"
)

var (
	routeConfigs  = flag.Int("route.configs", 50, "random configurations to compare with nginx")
	routeRequests = flag.Int("route.requests", 100, "requests for each of them")
	routeSeed     = flag.Uint64("route.seed", 1, "seed of the first configuration")
)

const routeLog = `log_format seen '$http_x_id|$status|$upstream_status|$sent_http_x_at|$server_name|$uri|$args|$remote_addr|$realip_remote_addr|$request';
access_log logs/seen.log seen;
`

// answer is what nginx did with a request.
type answer struct {
	status, upstream, at, server, uri, args, addr string
	keys                                          []string // "z3=value", in the order of evaluation
	logged                                        bool
}

// TestRoutesAreThoseOfNginx sends random requests to an unmodified nginx with
// random configurations, and compares where they went and which keys their
// limits had with what Route says.
func TestRoutesAreThoseOfNginx(t *testing.T) {
	bin := oracle.Need(t)
	var total, limits, bypassed, unknown, refused, certain int
	for i := range *routeConfigs {
		seed := *routeSeed + uint64(i)
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 7)), port: freePort(t)}
		conf := oracle.Preamble + "http {\n" + oracle.Defaults + routeLog + "variables_hash_bucket_size 128; server_names_hash_bucket_size 128;\n" + g.configuration() + "}\n"
		conf = strings.ReplaceAll(conf, oracle.Addr, fmt.Sprintf("127.0.0.1:%d", g.port))
		if r := bin.Test(t, oracle.Conf(conf)); !r.OK {
			refused++
			t.Logf("seed %d: nginx refuses: %v", seed, r.Messages)
			continue
		}
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			r := routerOf(t, conf)
			requests := make([]*sent, *routeRequests)
			for id := range requests {
				requests[id] = g.request(id, r.Field)
			}
			answers := drive(t, bin, conf, g.port, requests)
			for id, req := range requests {
				total++
				got, want := describe(t, r, req), answers[id]
				limits += len(want.keys)
				if got.bypass != "" {
					bypassed++
				}
				if got.unknown != "" {
					unknown++
				}
				diff := got.differs(want, g.pages)
				if diff == "" && want.logged && !strings.Contains(req.line, "://") {
					partial := g.forget(req, r.Field, want)
					got = describe(t, r, partial)
					diff = got.contradicts(want, g.pages)
					certain += got.certain
				}
				if diff != "" {
					t.Errorf("request %d from %s to %s: %s\n%s\nnglimit %+v\nnginx   %+v", id, req.from, req.to, diff, req.raw, got, want)
				}
			}
			if t.Failed() {
				t.Logf("configuration:\n%s", conf)
			}
		})
		if t.Failed() {
			break
		}
	}
	t.Logf("%d requests, %d keys, %d bypassed, %d unknown; %d keys certain with parts of the request missing; %d configurations refused", total, limits, bypassed, unknown, certain, refused)
	require.Positive(t, limits)
}

func routerOf(t testing.TB, conf string) *Router {
	t.Helper()
	tree := parser.ParseBytes("nginx.conf", []byte(conf), parser.Options{})
	require.Empty(t, tree.Errors)
	return NewRouter(Build(tree))
}

func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// drive sends the requests one after the other and reads nginx's logs.
func drive(t *testing.T, bin oracle.Nginx, conf string, port int, requests []*sent) []answer {
	t.Helper()
	// one more server, so that the oracle has an address to wait for
	conf = strings.TrimSuffix(conf, "}\n") + "server { listen " + oracle.Addr + "; access_log off; }\n}\n"
	s := bin.Start(t, conf, oracle.Options{})
	for _, r := range requests {
		exchange(t, r, netip.AddrPortFrom(netip.MustParseAddr(r.to), uint16(port)))
	}
	out := make([]answer, len(requests))
	var seen string
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if seen = s.Log("logs/seen.log"); strings.Count(seen, "\n") >= len(requests) {
			break
		}
	}
	for line := range strings.Lines(seen) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "|")
		id, err := strconv.Atoi(f[0])
		if err != nil {
			continue // no header was read
		}
		out[id] = answer{status: f[1], upstream: f[2], at: f[3], server: f[4], uri: f[5], args: f[6], addr: f[7], keys: out[id].keys, logged: true}
	}
	printed := regexp.MustCompile(`(?s)a{256}\[(\w+)\|(\d+)\|(.*?)\|\]", client`)
	for _, m := range printed.FindAllStringSubmatch(s.ErrorLog(), -1) {
		id, err := strconv.Atoi(m[2])
		require.NoError(t, err)
		out[id].keys = append(out[id].keys, m[1]+"="+m[3])
	}
	return out
}

func exchange(t *testing.T, r *sent, to netip.AddrPort) {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(r.from)}, Timeout: 5 * time.Second}
	c, err := d.Dial("tcp4", to.String())
	if err != nil {
		r.to = "127.0.0.1"
		c, err = d.Dial("tcp4", fmt.Sprintf("127.0.0.1:%d", to.Port()))
	}
	require.NoError(t, err)
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	_, err = c.Write(r.raw)
	require.NoError(t, err)
	_, _ = io.Copy(io.Discard, c)
}

// said is what Route says, in the terms of an answer.
type said struct {
	at, bypass, unknown string
	keys                []string
	missing             []bool // by key: not known
	certain             int
}

func describe(t *testing.T, r *Router, req *sent) said {
	t.Helper()
	if req.request.Complete {
		req.request.Values[r.Field("server_addr")] = []byte(req.to)
	}
	var out Route
	r.Route(&req.request, &out)
	s := said{bypass: out.Bypass, unknown: out.Unknown}
	if out.Block != nil {
		if h := out.Block.AddHeader.Items; len(h) > 0 {
			s.at = h[0].Value.Text
		}
	}
	for _, l := range out.Limits {
		if l.Conn == nil || strings.HasSuffix(l.Conn.ZoneName, "stop") {
			continue
		}
		if l.Unknown != "" && req.request.Complete {
			s.unknown = l.Unknown
		}
		key := string(l.Key)
		if len(key) > 256 {
			_, rest, _ := strings.Cut(key[256:], "|")
			_, rest, _ = strings.Cut(rest, "|")
			key = strings.TrimSuffix(rest, "|]")
		}
		s.keys = append(s.keys, l.Conn.ZoneName+"="+key)
		s.missing = append(s.missing, l.Unknown != "")
		if l.Unknown == "" && s.unknown == "" {
			s.certain++
		}
	}
	return s
}

func (s said) differs(a answer, pages bool) string {
	switch {
	case !a.logged:
		if s.bypass != "bad request" {
			return "nginx did not read the header"
		}
		return ""
	case s.unknown == unknownFile:
		return "" // no limit here, and an index may come
	case s.unknown != "":
		return "unknown: " + s.unknown
	case pages && s.bypass == "" && len(s.keys) == 0:
		return "" // its content may fail and lead to an error page: not known from here
	case s.bypass == "error" && (pages || a.status == "500"):
		return "" // keys before the one that failed were printed, and an error page may have some
	case strings.Join(s.keys, " ") != strings.Join(a.keys, " "):
		return "keys"
	case !pages && s.bypass == "" && a.at != "-" && s.at != a.at:
		return "place"
	}
	return ""
}

// contradicts compares what is certain although parts of the request are
// missing.
func (s said) contradicts(a answer, pages bool) string {
	switch {
	case s.unknown != "", pages && s.bypass == "" && len(s.keys) == 0:
		return ""
	case (a.status == "400" || a.status == "500") && s.bypass == "":
		return "" // what is missing is taken to be well-formed
	case s.bypass == "error" && (pages || a.status == "500"):
		return ""
	case len(s.keys) != len(a.keys):
		return "limits, with parts of the request missing"
	}
	for i, key := range s.keys {
		if !s.missing[i] && key != a.keys[i] {
			return "a key, with parts of the request missing"
		}
	}
	return ""
}
