package nginx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

// build reads text as the inside of http.
func build(t *testing.T, text string) *nginx.Config {
	t.Helper()
	return buildWhole(t, "events {}\nhttp {\n"+text+"\n}\n")
}

func buildWhole(t *testing.T, text string) *nginx.Config {
	t.Helper()
	tree := parser.ParseBytes("nginx.conf", []byte(text), parser.Options{FS: parser.OS{}})
	require.Empty(t, tree.Errors)
	return nginx.Build(tree)
}

// at finds the location of that pattern.
func at(t *testing.T, c *nginx.Config, pattern string) *nginx.Location {
	t.Helper()
	for b := range c.Blocks() {
		if b.Level == nginx.LocationLevel && b.Location.Pattern == pattern {
			return b.Location
		}
	}
	require.Fail(t, "no such location", pattern)
	return nil
}

func zoneNames(limits []*nginx.ReqLimit) []string {
	names := []string{}
	for _, l := range limits {
		names = append(names, l.ZoneName)
	}
	return names
}

func TestLimitsOfALevelReplaceInheritedOnes(t *testing.T) {
	c := build(t, `
limit_req_zone $binary_remote_addr zone=a:1m rate=10r/s;
limit_req_zone $binary_remote_addr zone=b:1m rate=30r/m;
limit_conn_zone $server_name zone=c:1m;
limit_req zone=a burst=5;
server {
    location /own { limit_req zone=b burst=3 nodelay; limit_conn c 7; location /own/deep { limit_req_dry_run on; } }
    location /taken { limit_req_status 429; if ($arg_x) { add_header X y; } limit_except GET { deny all; } }
}`)
	own, deep, taken := at(t, c, "/own"), at(t, c, "/own/deep"), at(t, c, "/taken")
	assert.Equal(t, []string{"b"}, zoneNames(own.LimitReq.Items))
	assert.Same(t, own.Block, own.LimitReq.From)
	assert.True(t, own.LimitReq.Items[0].Nodelay)
	assert.EqualValues(t, 3, own.LimitReq.Items[0].Burst)
	assert.EqualValues(t, 500, own.LimitReq.Items[0].Zone.Rate)

	assert.Same(t, own.Block, deep.LimitReq.From, "a location without limits has those of the enclosing one")
	assert.Equal(t, 7, deep.LimitConn.Items[0].N)
	assert.True(t, deep.LimitReqDryRun.Value)
	assert.False(t, own.LimitReqDryRun.Value)

	assert.Equal(t, []string{"a"}, zoneNames(taken.LimitReq.Items))
	assert.Same(t, c.HTTP, taken.LimitReq.From)
	assert.Equal(t, 429, taken.LimitReqStatus.Value)
	assert.Equal(t, 503, own.LimitReqStatus.Value)
	assert.Nil(t, own.LimitReqStatus.Dir, "nobody says so")
	require.Len(t, taken.Children, 2)
	for _, inner := range taken.Children {
		assert.Equal(t, []string{"a"}, zoneNames(inner.LimitReq.Items))
		assert.Same(t, taken, inner.Location)
	}
}

func TestHeadersFollowAddHeaderInherit(t *testing.T) {
	c := build(t, `
add_header A 1 always;
server {
    location /replaces { add_header B 2; }
    location /takes { expires off; }
    location /merges { add_header_inherit merge; add_header B 2; location /merges/on { add_header C 3; } }
    location /drops { add_header_inherit off; }
}`)
	for pattern, want := range map[string][]string{
		"/replaces": {"B"}, "/takes": {"A"}, "/merges": {"B", "A"}, "/merges/on": {"C", "B", "A"}, "/drops": {},
	} {
		names := []string{}
		for _, h := range at(t, c, pattern).AddHeader.Items {
			names = append(names, h.Name)
		}
		assert.Equal(t, want, names, pattern)
	}
	assert.True(t, at(t, c, "/takes").AddHeader.Items[0].Always)
}

func TestLocationForms(t *testing.T) {
	c := build(t, `server {
    location / { }
    location = /exact { }
    location ^~/glued { }
    location ~*\.PHP$ { internal; }
    location @named { }
}`)
	var got []nginx.Modifier
	for _, l := range c.Servers[0].Locations {
		got = append(got, l.Modifier)
	}
	assert.Equal(t, []nginx.Modifier{nginx.Prefix, nginx.Exact, nginx.PrefixNoRegex, nginx.RegexNoCase, nginx.Named}, got)
	assert.Equal(t, `\.PHP$`, c.Servers[0].Locations[3].Pattern)
	assert.True(t, c.Servers[0].Locations[3].Internal)
	assert.NotNil(t, c.Servers[0].Locations[3].Regex)
}

func TestFragments(t *testing.T) {
	for _, row := range []struct {
		sentence, text string
		servers        int
		location       string
	}{
		{"zones alone stand in http", `limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s;`, 0, ""},
		{"servers stand in http", `server { location /x { } }`, 1, "/x"},
		{"locations stand in a server", `location /x { limit_req zone=a; }`, 1, "/x"},
		{"what only locations have stands in a location", `limit_req zone=a; proxy_pass http://u;`, 1, "/"},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			c := buildWhole(t, row.text)
			assert.True(t, c.Snippet)
			require.Len(t, c.Servers, row.servers)
			assert.Nil(t, c.HTTP.Dir)
			if row.location != "" {
				assert.Equal(t, row.location, at(t, c, row.location).Pattern)
			}
		})
	}
	stream := buildWhole(t, "server { listen 127.0.0.1:53 udp; proxy_pass u; limit_conn c 5; }\nupstream u { server 127.0.0.1:1; }\nlimit_conn_zone $binary_remote_addr zone=c:1m;\nssl_preread on;")
	assert.NotNil(t, stream.Stream)
	assert.False(t, buildWhole(t, "events {}").Snippet, "a configuration without http is not a fragment")
}

func TestListen(t *testing.T) {
	c := build(t, `server { listen 8080 default_server; listen [::]:443 ssl http2; listen 127.0.0.1; listen unix:/run/x.sock; listen 9000-9002; listen host.example:81 proxy_protocol; } server { }`)
	all := c.Servers[0].Listens
	require.Len(t, all, 8)
	assert.True(t, all[0].Wildcard && all[0].DefaultServer)
	assert.EqualValues(t, 8080, all[0].Port)
	assert.True(t, all[1].Wildcard && all[1].SSL && all[1].HTTP2)
	assert.EqualValues(t, 443, all[1].Port)
	assert.Equal(t, "127.0.0.1", all[2].Addr.String())
	assert.EqualValues(t, 80, all[2].Port)
	assert.Equal(t, "/run/x.sock", all[3].Unix)
	assert.EqualValues(t, 9002, all[6].Port)
	assert.Equal(t, "host.example", all[7].Host)
	assert.EqualValues(t, 80, c.Servers[1].Listens[0].Port)
	assert.Nil(t, c.Servers[1].Listens[0].Dir)
}

func TestParseValue(t *testing.T) {
	for _, row := range []struct {
		text  string
		parts []nginx.Part
		fault string
	}{
		{"", nil, ""},
		{"plain", []nginx.Part{{Literal: "plain"}}, ""},
		{"a$Host-b", []nginx.Part{{Literal: "a"}, {Var: "host"}, {Literal: "-b"}}, ""},
		{"${arg_x}y", []nginx.Part{{Var: "arg_x"}, {Literal: "y"}}, ""},
		{"$12", []nginx.Part{{Var: "1"}, {Literal: "2"}}, ""},
		{"a$", []nginx.Part{{Literal: "a"}}, "invalid variable name"},
		{"${x", nil, `the closing bracket in "x" variable is missing`},
		{"é$x", []nginx.Part{{Literal: "é"}, {Var: "x"}}, ""},
	} {
		v, fault := nginx.ParseValue(row.text)
		assert.Equal(t, row.parts, v.Parts, row.text)
		assert.Equal(t, row.fault, fault, row.text)
	}
}
