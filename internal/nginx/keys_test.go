package nginx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
)

// keyOf judges a key with the given http-level text around it.
func keyOf(t *testing.T, around, key string) *nginx.KeyFacts {
	t.Helper()
	c := build(t, around+"\nlimit_req_zone "+key+" zone=z:1m rate=1r/s;")
	require.Len(t, c.Zones, 1)
	return c.Key(c.Zones[0].Key)
}

func names(sources []nginx.Source) []string {
	all := []string{}
	for _, s := range sources {
		all = append(all, s.Variable)
	}
	return all
}

// gist is what the tables below compare.
type gist struct {
	Constant, Classes, PerServer, ClientAddress, AddressOnly, NeverEmpty, MaybeEmpty bool
	Spoofable, Chosen                                                                []string
	MaxLen                                                                           int
}

func gistOf(f *nginx.KeyFacts) gist {
	return gist{
		f.Constant, f.Classes, f.PerServer, f.ClientAddress, f.AddressOnly, f.NeverEmpty, f.MaybeEmpty(),
		names(f.Spoofable), names(f.SpoofableChoice), f.MaxLen,
	}
}

func TestKeys(t *testing.T) {
	none := []string{}
	address := gist{ClientAddress: true, AddressOnly: true, NeverEmpty: true, Spoofable: none, Chosen: none, MaxLen: 16}
	with := func(g gist, change func(*gist)) gist { change(&g); return g }
	for _, row := range []struct {
		sentence, around, key string
		want                  gist
	}{
		{"the client's address", "", "$binary_remote_addr", address},
		{"a name without its dollar is one bucket for all", "", "binary_remote_addr", gist{Constant: true, NeverEmpty: true, Spoofable: none, Chosen: none, MaxLen: 18}},
		{"an empty key never limits", "", `""`, gist{Constant: true, Spoofable: none, Chosen: none}},
		{
			"the server's name is one bucket a server", "server { server_name a.example; }", "$server_name",
			gist{PerServer: true, NeverEmpty: true, Spoofable: none, Chosen: none, MaxLen: 9},
		},
		{
			"a header is the client's and may be missing", "", "$http_x_api_key",
			gist{MaybeEmpty: true, Spoofable: []string{"http_x_api_key"}, Chosen: none, MaxLen: -1},
		},
		{
			"an address followed by an argument contains the address and is never empty", "", "$binary_remote_addr$arg_k",
			gist{ClientAddress: true, NeverEmpty: true, Spoofable: []string{"arg_k"}, Chosen: none, MaxLen: -1},
		},
		{
			"two headers may both be missing", "", "$http_a$http_b",
			gist{MaybeEmpty: true, Spoofable: []string{"http_a", "http_b"}, Chosen: none, MaxLen: -1},
		},
		{
			"an entry for the missing header closes the gap",
			`map $http_x_api_key $k { "" $binary_remote_addr; default $http_x_api_key; }`, "$k",
			gist{NeverEmpty: true, Spoofable: []string{"http_x_api_key"}, Chosen: []string{"http_x_api_key"}, MaxLen: -1},
		},
		{
			"without that entry it stays open",
			`map $http_x_api_key $k { abc $binary_remote_addr; default $http_x_api_key; }`, "$k",
			gist{MaybeEmpty: true, Spoofable: []string{"http_x_api_key"}, Chosen: []string{"http_x_api_key"}, MaxLen: -1},
		},
		{
			"the allow list of geo and map: exempt or the address",
			`geo $limited { default 1; 10.0.0.0/8 0; } map $limited $k { 0 ""; 1 $binary_remote_addr; }`, "$k",
			with(address, func(g *gist) { g.NeverEmpty, g.MaybeEmpty = false, true }),
		},
		{
			"a geo is not expanded: its texts are classes",
			`geo $limit { default 1; 10.0.0.0/8 0; }`, "$limit",
			gist{Classes: true, NeverEmpty: true, Spoofable: none, Chosen: none, MaxLen: 1},
		},
		{
			"a geo with a variable in it is literal text",
			`geo $limit { default $binary_remote_addr; 10.0.0.0/8 ""; }`, "$limit",
			gist{Classes: true, MaybeEmpty: true, Spoofable: none, Chosen: none, MaxLen: 19},
		},
		{
			"an exemption by user agent is the client's choice",
			`map $http_user_agent $k { ~*googlebot ""; default $binary_remote_addr; }`, "$k",
			with(address, func(g *gist) { g.NeverEmpty, g.MaybeEmpty, g.Chosen = false, true, []string{"http_user_agent"} }),
		},
		{
			"0 does not exempt: those clients share a bucket",
			`map $remote_addr $k { ~^10\. 0; default $binary_remote_addr; }`, "$k",
			with(address, func(g *gist) { g.ClientAddress, g.AddressOnly = false, false }),
		},
		{
			"a capture of the address is an address",
			`map $remote_addr $net { "~^(?<n>\d+\.\d+\.\d+)\." $n; default $remote_addr; }`, "$net",
			with(address, func(g *gist) { g.MaxLen = 39 }),
		},
		{
			"a numbered capture of the address in its own entry is never empty",
			`map $remote_addr $net { "~^(\d+\.\d+\.\d+)\." $1; default $remote_addr; }`, "$net",
			with(address, func(g *gist) { g.MaxLen = 39 }),
		},
		{
			"the first hop of a forwarded header is forged",
			`map $http_x_forwarded_for $ip { "~^(?<first>[^,]+)" $first; default $remote_addr; }`, "$ip",
			gist{NeverEmpty: true, Spoofable: []string{"http_x_forwarded_for"}, Chosen: []string{"http_x_forwarded_for"}, MaxLen: -1},
		},
		{
			"a map of a map without default, all classes covered",
			`map $request_method $m { POST 1; default 0; } map $m $k { 1 $binary_remote_addr; 0 x; }`, "$k",
			with(address, func(g *gist) { g.ClientAddress, g.AddressOnly = false, false }),
		},
		{
			"a map of a map without default, one class left over",
			`map $request_method $m { POST 1; default 0; } map $m $k { 1 $binary_remote_addr; }`, "$k",
			with(address, func(g *gist) { g.NeverEmpty, g.MaybeEmpty = false, true }),
		},
		{
			"maps that exclude each other are not both empty",
			`map $http_k $a { "" $binary_remote_addr; default ""; } map $http_k $b { "" ""; default $http_k; }`, "$a$b",
			gist{Spoofable: []string{"http_k"}, Chosen: []string{"http_k"}, MaxLen: -1},
		},
		{
			"a split is classes", `split_clients $remote_addr $s { 50% a; * bb; }`, "$s",
			gist{Classes: true, NeverEmpty: true, Spoofable: none, Chosen: none, MaxLen: 2},
		},
		{
			"percentages that leave some over", `split_clients $remote_addr $s { 50% a; }`, "$s",
			gist{Classes: true, MaybeEmpty: true, Spoofable: none, Chosen: none, MaxLen: 1},
		},
	} {
		t.Run(row.sentence, func(t *testing.T) {
			f := keyOf(t, row.around, row.key)
			assert.Empty(t, f.UnknownVars)
			assert.Equal(t, row.want, gistOf(f))
		})
	}
}

func TestKeysNameWhatTheyDependOn(t *testing.T) {
	f := keyOf(t, `map $http_x_forwarded_for $k { default $proxy_add_x_forwarded_for; }`, "$k$host$request_uri$remote_user$request_id$realip_remote_addr")
	assert.Equal(t, []string{"proxy_add_x_forwarded_for"}, names(f.Spoofable))
	assert.Equal(t, `header "X-Forwarded-For"`, f.Spoofable[0].From)
	require.Len(t, f.Spoofable[0].Via, 2, "the map and its entry")
	assert.Equal(t, 3, f.Spoofable[0].Via[0].Start.Line)
	assert.True(t, f.HostDependent && f.RemoteUser && f.PeerAddress)
	assert.Equal(t, []string{"request_uri"}, f.PerURI)
	assert.Equal(t, []string{"request_id"}, f.Unique)
	assert.Empty(t, f.Addresses)
}

func TestKeysThatHaveNoValueYet(t *testing.T) {
	f := keyOf(t, `server { location / { auth_request /a; auth_request_set $uid $upstream_http_x_uid; } }`, "$uid")
	assert.Equal(t, "uid", f.AlwaysEmptyAtPreaccess)
	f = keyOf(t, "", "$binary_remote_addr$upstream_cache_status")
	assert.Empty(t, f.AlwaysEmptyAtPreaccess)
	assert.Equal(t, []string{"upstream_cache_status"}, f.EmptyAtPreaccess)
	assert.True(t, f.ClientAddress)
	f = keyOf(t, "", "$status")
	assert.True(t, f.Constant)
	assert.Equal(t, []string{"000"}, f.Literals)
	assert.Equal(t, []string{"status"}, f.ConstantAtPreaccess)
	f = keyOf(t, `map $upstream_status $k { default $binary_remote_addr; "" ""; }`, "$k")
	assert.Equal(t, "upstream_status", f.AlwaysEmptyAtPreaccess)
}

func TestUnknownVariablesLeaveNothingCertain(t *testing.T) {
	for _, around := range []string{
		"",
		`server { set $x ""; location / { rewrite_by_lua_block { ngx.var.x = 1 } } }`,
		`js_set $x m.f;`,
		`map $x $y { default $x; } map $y $x { default $y; }`,
	} {
		f := keyOf(t, around, "$binary_remote_addr$x")
		assert.Equal(t, []string{"x"}, f.UnknownVars, around)
		assert.False(t, f.ClientAddress || f.Constant || f.PerServer, around)
	}
	f := keyOf(t, `map $geoip2_data_country_code $k { default $binary_remote_addr; NL ""; }`, "$k")
	assert.Empty(t, f.UnknownVars, "an unknown source only chooses among known results")
	assert.True(t, f.ClientAddress)
}

func TestSetIsJudgedWhereTheLimitIs(t *testing.T) {
	c := build(t, `limit_req_zone $k zone=z:1m rate=1r/s;
server {
    set $k $binary_remote_addr;
    location /plain { }
    location /api { set $k $http_x_api_key; location /api/deep { } }
    location /some { if ($arg_debug) { set $k ""; } }
}
server { location /other { } }`)
	key := c.Zones[0].Key
	assert.True(t, c.KeyAt(key, at(t, c, "/plain").Block).AddressOnly)
	assert.True(t, c.KeyAt(key, at(t, c, "/plain").Block).NeverEmpty)
	assert.Equal(t, []string{"http_x_api_key"}, names(c.KeyAt(key, at(t, c, "/api").Block).Spoofable))
	assert.True(t, c.KeyAt(key, at(t, c, "/api/deep").Block).AddressOnly, "a nested location does not run the outer one's set")
	assert.False(t, c.KeyAt(key, at(t, c, "/some").Block).NeverEmpty)
	assert.True(t, c.KeyAt(key, at(t, c, "/some").Block).ClientAddress)
	other := c.KeyAt(key, at(t, c, "/other").Block)
	require.Len(t, other.Empty, 1)
	assert.Equal(t, nginx.EmptyUnset, other.Empty[0].Kind)
	assert.False(t, c.Key(key).ClientAddress)
}

func TestAServerWithoutANameHasNone(t *testing.T) {
	c := build(t, `limit_req_zone $server_name zone=z:1m rate=1r/s;
server { server_name .a.example b.example; location /a { limit_req zone=z; } }
server { location /none { limit_req zone=z; } }`)
	key := c.Zones[0].Key
	named, unnamed := c.KeyAt(key, at(t, c, "/a").Block), c.KeyAt(key, at(t, c, "/none").Block)
	assert.True(t, named.PerServer && named.NeverEmpty)
	assert.Equal(t, len("a.example"), named.MaxLen)
	assert.True(t, unnamed.Constant && unnamed.MaybeEmpty())
	assert.False(t, c.Key(key).NeverEmpty)
}

func TestExemptionsSayWhoMayClaimThem(t *testing.T) {
	f := keyOf(t, `map $http_user_agent $k {
    ~*googlebot "";
    default $binary_remote_addr;
}`, "$k")
	require.Len(t, f.Exempts(), 1)
	assert.Equal(t, "~*googlebot", f.Exempts()[0].Pattern)
	assert.Equal(t, 4, f.Exempts()[0].Span.Start.Line)
	assert.Equal(t, []string{"http_user_agent"}, names(f.Exempts()[0].By))
}
