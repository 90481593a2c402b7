package nginx_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/internal/oracle"
)

// beyond are variables of newer nginx, of NGINX Plus, of modules that are
// loaded, and of stream.
var beyond = regexp.MustCompile(`^(http3|is_request_port|request_port|ssl_sigalg|ssl_client_sigalg|ssl_ech_.*|upstream_last_server_name|upstream_queue_time|geoip_.*|ssl_preread_.*|bytes_received|protocol|session_time|date_.*)$`)

// stockNames reads the names out of the table's source, for nothing else
// lists them.
func stockNames(t *testing.T) []string {
	source, err := os.ReadFile("variable_table.go")
	require.NoError(t, err)
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^\t"([a-z0-9_]+)":`).FindAllStringSubmatch(string(source), -1) {
		names = append(names, m[1])
	}
	require.Greater(t, len(names), 100)
	return names
}

func TestStockVariablesAreNginxs(t *testing.T) {
	checker := oracle.Need(t).Checker(t)
	known := func(name string) bool {
		return checker.Test(oracle.Conf("events {}\nhttp { log_format f '$" + name + "'; }\n")).OK
	}
	for _, name := range stockNames(t) {
		if !beyond.MatchString(name) {
			assert.True(t, known(name), name)
		}
	}
	for _, name := range []string{
		"http_x", "cookie_x", "arg_x", "sent_http_x", "sent_trailer_x", "upstream_http_x", "upstream_trailer_x", "upstream_cookie_x",
	} {
		_, ours := nginx.LookupVariable(name)
		assert.True(t, ours && known(name), name)
	}
	for _, name := range []string{"nosuch", "limit_req", "remote", "http", "1a"} {
		_, ours := nginx.LookupVariable(name)
		assert.False(t, ours || known(name), name)
	}
}

// TestVariablesAtPreaccess asks a running nginx what a limit sees: whether a
// plain GET without any extras is counted under a key of that variable alone.
func TestVariablesAtPreaccess(t *testing.T) {
	n := oracle.Need(t)
	var zones, locations strings.Builder
	var names []string
	for _, name := range stockNames(t) {
		if beyond.MatchString(name) || strings.HasPrefix(name, "uid_") {
			continue
		}
		names = append(names, name)
		zones.WriteString("limit_req_zone $" + name + " zone=" + name + ":32k rate=1r/m;\n")
		locations.WriteString("location /" + name + "/ { limit_req zone=" + name + "; return_nothing; }\n")
	}
	conf := strings.ReplaceAll(locations.String(), "return_nothing;", "empty_gif;")
	server := n.Start(t, oracle.Serve(zones.String()+"log_format s '$limit_req_status';\n", "server_name localhost;\n"+conf), oracle.Options{})
	for _, name := range names {
		v, known := nginx.LookupVariable(name)
		require.True(t, known, name)
		var refused bool
		for range 2 {
			refused = server.Get(t, "/"+name+"/").Status == 503
		}
		switch {
		case v.Ready == nginx.EmptyYet:
			assert.False(t, refused, "$%s is empty at preaccess", name)
		case v.Ready == nginx.ConstantYet:
			assert.True(t, refused, "$%s is constant at preaccess", name)
		case v.Never && v.Kind != nginx.KindUnique && v.Kind != nginx.KindOther:
			assert.True(t, refused, "$%s is never empty", name)
		case v.Absent != "" && name != "host" && name != "http_host":
			assert.False(t, refused, "$%s is empty: %s", name, v.Absent)
		}
	}
}
