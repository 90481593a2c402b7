package nginx

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/oracle"
)

// TestRoutesOfRealisticSites does for the configurations of fixtures/route,
// which look like those that people write, what
// TestRoutesAreThoseOfNginx does for random ones.
func TestRoutesOfRealisticSites(t *testing.T) {
	bin := oracle.Need(t)
	files, err := filepath.Glob("../../fixtures/route/*.conf")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			compareSite(t, bin, string(text))
		})
	}
}

func compareSite(t *testing.T, bin oracle.Nginx, text string) {
	t.Helper()
	g := &generator{Rand: rand.New(rand.NewPCG(*routeSeed, 11)), port: freePort(t), pages: strings.Contains(text, "error_page")}
	site := readSite(text)
	conf := printKeys(text, g.port)
	r := routerOf(t, conf)
	requests := make([]*sent, 4**routeRequests)
	for id := range requests {
		requests[id] = site.request(g, id, r.Field)
	}
	var keys, settled int
	for id, want := range drive(t, bin, conf, g.port, requests) {
		req := requests[id]
		if want.logged {
			learn(req, r.Field, want)
		}
		got := describe(t, r, req)
		if diff := got.differs(want, g.pages); diff != "" {
			t.Errorf("request %d from %s: %s\n%s\nnglimit %+v\nnginx   %+v", id, req.from, diff, req.raw, got, want)
		}
		keys += len(want.keys)
		if got.unknown == "" {
			settled++
		}
	}
	t.Logf("%d requests, %d settled, %d keys", len(requests), settled, keys)
	assert.Positive(t, keys)
	assert.Greater(t, settled, len(requests)/2)
}

// learn adds what a log says of the answer.
func learn(req *sent, field func(string) int, a answer) {
	for name, value := range map[string]string{"status": a.status, "upstream_status": a.upstream} {
		f := field(name)
		for len(req.request.Values) <= f {
			req.request.Values = append(req.request.Values, nil)
		}
		req.request.Values[f] = []byte(value)
	}
}

// site is what requests to a fixture are made of, as its comments list it.
type site struct{ paths, hosts, headers []string }

func readSite(text string) (s site) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "# paths: "); ok {
			s.paths = strings.Fields(rest)
		}
		if rest, ok := strings.CutPrefix(line, "# hosts: "); ok {
			s.hosts = strings.Fields(rest)
		}
		if rest, ok := strings.CutPrefix(line, "# headers: "); ok {
			s.headers = strings.Split(rest, " | ")
		}
	}
	return s
}

func (s site) request(g *generator, id int, field func(string) int) *sent {
	out := &sent{id: id, from: g.pick("127.0.0.1", "127.0.0.5", "127.1.2.3"), to: g.pick("127.0.0.1", "127.0.0.1", "127.0.0.2")}
	set := func(name, value string) {
		f := field(name)
		for len(out.request.Values) <= f {
			out.request.Values = append(out.request.Values, nil)
		}
		out.request.Values[f] = []byte(value)
	}
	out.request.Complete = true
	set("remote_addr", out.from)
	set("server_addr", out.to)
	set("server_port", fmt.Sprint(g.port))
	line := g.pick("GET", "GET", "GET", "POST") + " " + s.paths[g.IntN(len(s.paths))] + " HTTP/1.1"
	set("request", line)
	out.raw = append(out.raw, line+"\r\nConnection: close\r\n"...)
	seen := map[string]bool{}
	header := func(name, value string) {
		if variable := "http_" + strings.ReplaceAll(strings.ToLower(name), "-", "_"); !seen[variable] {
			seen[variable] = true
			out.raw = append(out.raw, name+": "+value+"\r\n"...)
			set(variable, value)
		}
	}
	header("X-Id", fmt.Sprint(id))
	header("Host", s.hosts[g.IntN(len(s.hosts))])
	for range g.IntN(4) {
		name, value, _ := strings.Cut(s.headers[g.IntN(len(s.headers))], ":")
		header(name, strings.TrimSpace(value))
	}
	out.raw = append(out.raw, "\r\n"...)
	return out
}

var (
	zoneLine  = regexp.MustCompile(`limit_(?:req|conn)_zone\s+(\S+)\s+zone=(\w+):\w+(?:\s+rate=\S+)?;`)
	limitLine = regexp.MustCompile(`limit_(?:req\s+zone=(\w+)[^;]*|conn\s+(\w+)\s+\d+);`)
	listen    = regexp.MustCompile(`listen (80|8080)( default_server)?;`)
)

// printKeys changes a site so that nginx prints the keys of its limits: each
// limit becomes a limit of connections whose key is too long, followed by one
// that decides as the original would.
func printKeys(text string, port int) string {
	text = zoneLine.ReplaceAllString(text, `limit_conn_zone "$$pad[$2|$$http_x_id|$1|]" zone=$2:1m; limit_conn_zone "$1" zone=${2}_stop:1m;`)
	text = limitLine.ReplaceAllString(text, `limit_conn $1$2 1; limit_conn $1${2}_stop 1000;`)
	text = listen.ReplaceAllStringFunc(text, func(s string) string {
		addr := "127.0.0.1"
		if strings.Contains(s, "8080") {
			addr = "127.0.0.2"
		}
		out := fmt.Sprintf("listen %s:%d", addr, port)
		if strings.Contains(s, "default_server") {
			out += " default_server"
		}
		return out + ";"
	})
	pad := "map 1 $pad { default " + strings.Repeat("a", 256) + "; }\n"
	return oracle.Preamble + "http {\n" + oracle.Defaults + routeLog + pad + text + "}\n"
}
