package nginx_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/internal/oracle"
)

// keyMaker makes random maps, geos, splits and sets, each of what came before.
type keyMaker struct {
	*rand.Rand
	http, server strings.Builder
	vars, groups []string
}

func (m *keyMaker) pick(from ...string) string { return from[m.IntN(len(from))] }

func (m *keyMaker) variable() string {
	stock := []string{"$remote_addr", "$http_x", "$arg_a", "$cookie_c", "$uri", "$server_name", "$scheme", "$host", "$request_method", "$args"}
	if len(m.groups) > 0 && m.IntN(8) == 0 {
		return "$" + m.pick(m.groups...)
	}
	if len(m.vars) > 0 && m.IntN(2) == 0 {
		return "$" + m.pick(m.vars...)
	}
	return m.pick(stock...)
}

func (m *keyMaker) result() string {
	switch m.IntN(6) {
	case 0:
		return `""`
	case 1:
		return m.pick("0", "1", "a", "x1")
	case 2:
		return `"` + m.variable() + m.variable() + `"`
	case 3:
		return `"p` + m.variable() + `"`
	}
	return m.variable()
}

func (m *keyMaker) define(i int) {
	name := "v" + strconv.Itoa(i)
	switch m.IntN(7) {
	case 0:
		fmt.Fprintf(&m.http, "geo $%s { %s %s %s; 10.0.0.0/8 z; }\n", name, m.pick("", "default d;", `default "";`), m.pick("127.0.0.0/8", "192.0.2.0/24"), m.pick("1", `""`))
	case 1:
		fmt.Fprintf(&m.http, "split_clients %s $%s { 30%% s1; %s }\n", m.variable(), name, m.pick("", "* s2;", "20% s3;"))
	case 2:
		set := fmt.Sprintf("set $%s %s;", name, m.result())
		fmt.Fprintf(&m.server, "%s\n", m.pick(set, "if ($arg_a) { "+set+" }"))
	default:
		m.addMap(name)
	}
	m.vars = append(m.vars, name)
}

func (m *keyMaker) addMap(name string) {
	source := m.variable()
	if m.IntN(5) == 0 {
		source = `"` + source + m.variable() + `"`
	}
	fmt.Fprintf(&m.http, "map %s $%s {\n", source, name)
	for _, pattern := range []string{`""`, "a", "B", "1", "127.0.0.1", "GET"} {
		if m.IntN(3) == 0 {
			fmt.Fprintf(&m.http, "  %s %s;\n", pattern, m.result())
		}
	}
	for i, pattern := range []string{"~^a", `"~(?<%s>[a-z0-9]+)$"`, `"~^(\d+)\."`} {
		if m.IntN(3) > 0 {
			continue
		}
		group := name + "g" + strconv.Itoa(i)
		switch i {
		case 1:
			fmt.Fprintf(&m.http, "  "+pattern+" %s;\n", group, m.pick("$"+group, "q$"+group, m.result()))
			m.groups = append(m.groups, group)
		case 2:
			fmt.Fprintf(&m.http, "  %s %s;\n", pattern, m.pick("$1", m.result()))
		default:
			fmt.Fprintf(&m.http, "  %s %s;\n", pattern, m.result())
		}
	}
	if m.IntN(3) > 0 {
		fmt.Fprintf(&m.http, "  default %s;\n", m.result())
	}
	m.http.WriteString("}\n")
}

// TestFactsAboutKeysHold asks a running nginx for the values of random keys
// and holds every statement about them against every value.
func TestFactsAboutKeysHold(t *testing.T) {
	n := oracle.Need(t)
	values, statements := 0, 0
	for seed := range uint64(30) {
		m := &keyMaker{Rand: rand.New(rand.NewPCG(seed, 7))}
		for i := range 14 {
			m.define(i)
		}
		var locations strings.Builder
		for i, v := range m.vars {
			fmt.Fprintf(&locations, "location /k%d { return 200 \"$%s\"; }\n", i, v)
		}
		server := n.Start(t, oracle.Serve(m.http.String(), "server_name s.example;\n"+m.server.String()+locations.String()), oracle.Options{})
		c := build(t, m.http.String()+"server {\nserver_name s.example;\n"+m.server.String()+locations.String()+"}")
		require.Empty(t, c.Refused)
		for i, v := range m.vars {
			value, _ := nginx.ParseValue("$" + v)
			f := c.KeyAt(value, at(t, c, "/k"+strconv.Itoa(i)).Block)
			if len(f.UnknownVars) > 0 {
				continue
			}
			all := answers(t, server, "/k"+strconv.Itoa(i))
			for _, got := range all {
				values++
				statements += hold(t, f, got, all[0], m.http.String()+m.server.String())
			}
		}
	}
	assert.Greater(t, values, 1000)
	assert.Greater(t, statements, values)
}

// answers are the values of a key for all sorts of requests.
func answers(t *testing.T, server *oracle.Server, path string) []string {
	var all []string
	for _, query := range []string{"", "?a=", "?a=a", "?a=B7&b=2", "?a=127.0.0.1"} {
		for _, headers := range [][]string{nil, {"X: a"}, {"X: abc"}, {"X: 7.8", "Cookie: c=b"}, {"Cookie: c=1; d=2"}} {
			r := server.Get(t, path+query, append(headers, "Host: s.example")...)
			if r.Status == 200 { // a value whose parts change each other gives 500
				all = append(all, string(r.Body))
			}
		}
	}
	return all
}

// hold holds what is said of a key against one value; the number of
// statements that said something.
func hold(t *testing.T, f *nginx.KeyFacts, got, first, text string) (said int) {
	is := func(stated, holds bool, what string) {
		if !stated {
			return
		}
		said++
		if !holds {
			assert.Fail(t, what, "$%s is %q in\n%s", f.Value.Text, got, text)
		}
	}
	is(f.NeverEmpty, got != "", "never empty")
	is(f.MaxLen >= 0, len(got) <= f.MaxLen, "no longer than "+strconv.Itoa(f.MaxLen))
	is(f.Constant, slices.Equal(f.Literals, []string{got}), "constant")
	is(f.Classes && len(f.Literals) < 64, slices.Contains(f.Literals, got), "one of the literals")
	is(f.ClientAddress && got != "", strings.Contains(got, "127"), "contains the address")
	is(f.PerServer, got == first, "the same for all of the server")
	return said
}
