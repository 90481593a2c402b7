package nginx_test

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/internal/oracle"
	"github.com/nglimit/nglimit/parser"
)

// level writes a random choice of the directives that a level inherits.
// Limits and real IP may not stand in an "if".
func level(r *rand.Rand, inIf bool) string {
	var text strings.Builder
	maybe := func(odds int, format string, args ...any) {
		if r.IntN(odds) == 0 {
			fmt.Fprintf(&text, format+" ", args...)
		}
	}
	for h := range 3 {
		maybe(4, "add_header H%d %d%s;", h, r.IntN(1000), []string{"", " always"}[r.IntN(2)])
	}
	if inIf {
		return text.String()
	}
	for z := range 3 {
		maybe(5, "limit_req zone=r%d;", z)
		maybe(6, "limit_conn c%d 1;", z)
	}
	maybe(4, "limit_req_status %d;", 430+r.IntN(9))
	maybe(6, "limit_req_dry_run %s;", []string{"on", "off"}[r.IntN(2)])
	maybe(3, "set_real_ip_from %s;", []string{"127.0.0.0/8", "10.0.0.0/8", "127.0.0.1"}[r.IntN(3)])
	maybe(4, "real_ip_header %s;", []string{"X-A", "x-b", "X-Real-IP"}[r.IntN(3)])
	return text.String()
}

// mergeConf is a server of two nested locations, each with an "if".
func mergeConf(r *rand.Rand, servers int) string {
	var text strings.Builder
	text.WriteString(level(r, false) + "\n")
	for z := range 3 {
		fmt.Fprintf(&text, "limit_req_zone $arg_r%d zone=r%d:1m rate=1r/m;\nlimit_conn_zone $arg_c%d zone=c%d:1m;\n", z, z, z, z)
	}
	text.WriteString("log_format s '$arg_id $remote_addr $limit_conn_status';\naccess_log logs/s.log s;\n")
	for s := range servers {
		fmt.Fprintf(&text, "server { listen %%ADDR%%; server_name s%d; %s\n", s, level(r, false))
		fmt.Fprintf(&text, "location /a { empty_gif; %s\nif ($arg_if) { set $x 1; %s }\n", level(r, false), level(r, true))
		fmt.Fprintf(&text, "location /a/b { empty_gif; %s\nif ($arg_if) { set $x 1; %s } } } }\n", level(r, false), level(r, true))
	}
	return text.String()
}

// TestInheritanceIsNginxs compares random levels with a running nginx: which
// zones refuse, and count, with which status and headers, and which address
// is the client's.
func TestInheritanceIsNginxs(t *testing.T) {
	n := oracle.Need(t)
	for seed := range uint64(4) {
		t.Run(strconv.Itoa(int(seed)), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			conf := oracle.Preamble + "http { " + oracle.Defaults + mergeConf(r, 25) + "}\n"
			server := n.Start(t, conf, oracle.Options{})
			text := strings.ReplaceAll(conf, oracle.Addr, server.Addr.String())
			tree := parser.ParseBytes("nginx.conf", []byte(text), parser.Options{FS: parser.OS{}})
			require.Empty(t, tree.Errors)
			c := nginx.Build(tree)
			require.Empty(t, c.Refused)
			m := &merged{T: t, server: server, logged: map[string]string{}}
			for _, s := range c.Servers {
				for _, pattern := range []string{"/a", "/a/b"} {
					l, _ := s.Find(pattern)
					require.NotNil(t, l)
					m.block(s, l.Block, pattern+"?")
					m.block(s, ifOf(l), pattern+"?if=1&")
				}
			}
			m.compareLog()
		})
	}
}

func ifOf(l *nginx.Location) *nginx.Block {
	for _, b := range l.Children {
		if b.Level == nginx.IfLevel {
			return b
		}
	}
	return nil
}

// merged compares blocks with what nginx does for requests to them.
type merged struct {
	*testing.T
	server *oracle.Server
	id     int
	logged map[string]string // by the request's id
}

func (m *merged) get(s *nginx.Server, target string) oracle.Response {
	m.id++
	target += "id=" + strconv.Itoa(m.id)
	return m.server.Get(m.T, target, "Host: "+s.Names[0].Text, "X-A: 203.0.113.1", "X-B: 203.0.113.2", "X-Real-IP: 203.0.113.3")
}

func (m *merged) block(s *nginx.Server, b *nginx.Block, target string) {
	ok := m.get(s, target)
	assert.Equal(m, 200, ok.Status)
	m.logged[strconv.Itoa(m.id)] = address(b) + " -"
	m.headers(b, ok, true)
	for z := range 3 {
		name := "c" + strconv.Itoa(z)
		m.get(s, target+name+"=x&")
		status := "-"
		if slices.ContainsFunc(b.LimitConn.Items, func(l *nginx.ConnLimit) bool { return l.ZoneName == name }) {
			status = "PASSED"
		}
		m.logged[strconv.Itoa(m.id)] = address(b) + " " + status
	}
	for z := range 3 {
		name := "r" + strconv.Itoa(z)
		keyed := fmt.Sprintf("%s%s=%d&", target, name, m.id)
		m.get(s, keyed)
		second := m.get(s, keyed)
		in := slices.ContainsFunc(b.LimitReq.Items, func(l *nginx.ReqLimit) bool { return l.ZoneName == name })
		want := 200
		if in && !b.LimitReqDryRun.Value {
			want = b.LimitReqStatus.Value
		}
		assert.Equal(m, want, second.Status, "%s %s zone %s", s.Names[0].Text, target, name)
		if want != 200 {
			m.headers(b, second, false)
		}
	}
}

func (m *merged) headers(b *nginx.Block, r oracle.Response, success bool) {
	for h := range 3 {
		name, want := "H"+strconv.Itoa(h), ""
		for _, header := range b.AddHeader.Items {
			if header.Name == name && (success || header.Always) {
				want = header.Value.Text
				break // oracle.Response.Header gives the first
			}
		}
		assert.Equal(m, want, r.Header(name), "%s at %s", name, b.Dir.HeadSpan())
	}
}

// address follows the two runs of the realip module: with the server's
// settings first, then with the location's unless the first replaced it.
func address(b *nginx.Block) string {
	if a := replaced(b.Server.Block); a != "" {
		return a
	}
	if a := replaced(b); a != "" {
		return a
	}
	return "127.0.0.1"
}

func replaced(b *nginx.Block) string {
	for _, t := range b.SetRealIPFrom.Items {
		if t.Net.Contains(netip.MustParseAddr("127.0.0.1")) {
			return map[string]string{"x-a": "203.0.113.1", "x-b": "203.0.113.2", "x-real-ip": "203.0.113.3"}[strings.ToLower(b.RealIPHeader.Value)]
		}
	}
	return ""
}

func (m *merged) compareLog() {
	got, err := os.ReadFile(filepath.Join(m.server.Dir, "logs/s.log"))
	require.NoError(m, err)
	compared := 0
	for line := range strings.Lines(string(got)) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if want, known := m.logged[id]; known {
			assert.Equal(m, want, rest, "request %s", id)
			compared++
		}
	}
	assert.Equal(m, len(m.logged), compared)
}
