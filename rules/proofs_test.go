package rules_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/oracle"
)

// none is what locations of proofs answer with: 404, after the limits.
const none = "try_files /none =404; "

// proofs are sorted by rule.
var proofs = []proof{
	{
		rule: "NGL201", claim: "a key without a variable is one bucket for all clients",
		http: `limit_req_zone binary_remote_addr zone=text:1m rate=1r/m;
			limit_req_zone $binary_remote_addr zone=var:1m rate=1r/m;
			limit_req_zone "" zone=empty:1m rate=1r/m; limit_req_status 429;`,
		server: "location /text { limit_req zone=text; " + none + "} location /var { limit_req zone=var; " + none + "} location /empty { limit_req zone=empty; " + none + "}",
		show: func(t *testing.T, s *oracle.Server) {
			assert.Equal(t, 404, from(t, s, "127.0.0.8", "/text"))
			assert.Equal(t, 429, from(t, s, "127.0.0.9", "/text"))
			assert.Equal(t, 404, from(t, s, "127.0.0.8", "/var"))
			assert.Equal(t, 404, from(t, s, "127.0.0.9", "/var"))
			assert.Equal(t, []int{404, 404, 404}, codes(t, s, 3, "/empty"))
		},
	},
	{
		rule: "NGL204", claim: "a client that varies the header is never limited",
		http: `limit_req_zone $http_x_forwarded_for zone=xff:1m rate=1r/m;
			map $http_x_forwarded_for $first { default $binary_remote_addr; "~^([^,]+)" $1; }
			limit_req_zone $first zone=first:1m rate=1r/m; limit_req_status 429;`,
		server: "location /xff { limit_req zone=xff; " + none + "} location /first { limit_req zone=first; " + none + "}",
		show: func(t *testing.T, s *oracle.Server) {
			for i := range 5 {
				forged := "X-Forwarded-For: 192.0.2." + strconv.Itoa(i) + ", 198.51.100.7"
				assert.Equal(t, 404, s.Get(t, "/xff", forged).Status)
				assert.Equal(t, 404, s.Get(t, "/first", forged).Status)
			}
			assert.Equal(t, []int{404, 429}, codes(t, s, 2, "/first"), "without the header the address counts")
		},
	},
	{
		rule: "NGL208", claim: "a key that never repeats limits nothing",
		http: `limit_req_zone $binary_remote_addr$request_id zone=id:1m rate=1r/m;
			limit_req_zone $remote_addr:$remote_port zone=port:1m rate=1r/m; limit_req_status 429;`,
		server: "location /id { limit_req zone=id; " + none + "} location /port { limit_req zone=port; " + none + "}",
		show: func(t *testing.T, s *oracle.Server) {
			assert.Equal(t, []int{404, 404, 404}, codes(t, s, 3, "/id"))
			assert.Equal(t, []int{404, 404, 404}, codes(t, s, 3, "/port"))
		},
	},
	{
		rule: "NGL209", claim: "each URL has a budget of its own",
		http: `limit_req_zone $binary_remote_addr$request_uri zone=full:1m rate=1r/m;
			limit_req_zone $binary_remote_addr zone=perip:1m rate=1r/m; limit_req_status 429;`,
		server: "location /bad { limit_req zone=full; " + none + "} location /good { limit_req zone=full; limit_req zone=perip; " + none + "}",
		show: func(t *testing.T, s *oracle.Server) {
			assert.Equal(t, 404, s.Get(t, "/bad?1").Status)
			assert.Equal(t, 404, s.Get(t, "/bad?2").Status)
			assert.Equal(t, 404, s.Get(t, "/good?1").Status)
			assert.Equal(t, 429, s.Get(t, "/good?2").Status)
		},
	},
	{
		rule: "NGL301", claim: "with every peer trusted a forged first address is a fresh bucket",
		http: `real_ip_header X-Forwarded-For; real_ip_recursive on;
			limit_req_zone $binary_remote_addr zone=perip:1m rate=1r/m; limit_req_status 429;`,
		server: "location /all { set_real_ip_from 0.0.0.0/0; limit_req zone=perip; " + none + "} location /proxy { set_real_ip_from 127.0.0.0/8; limit_req zone=perip; " + none + "}",
		show: func(t *testing.T, s *oracle.Server) {
			for i := range 3 {
				assert.Equal(t, 404, s.Get(t, "/all", "X-Forwarded-For: 192.0.2."+strconv.Itoa(i)+", 198.51.100.7").Status)
			}
			assert.Equal(t, 404, s.Get(t, "/proxy", "X-Forwarded-For: 192.0.2.10, 198.51.100.7").Status)
			assert.Equal(t, 429, s.Get(t, "/proxy", "X-Forwarded-For: 192.0.2.11, 198.51.100.7").Status)
		},
	},
	{
		rule: "NGL302", claim: "a header without a trusted peer has no effect",
		http:   `real_ip_header X-Forwarded-For; limit_req_zone $binary_remote_addr zone=perip:1m rate=1r/m; limit_req_status 429;`,
		server: "location / { limit_req zone=perip; " + none + "} location /good { set_real_ip_from 127.0.0.0/8; limit_req zone=perip; " + none + "}",
		show: func(t *testing.T, s *oracle.Server) {
			assert.Equal(t, 404, s.Get(t, "/", "X-Forwarded-For: 192.0.2.1").Status)
			assert.Equal(t, 429, s.Get(t, "/", "X-Forwarded-For: 192.0.2.2").Status)
			assert.Equal(t, 404, s.Get(t, "/good", "X-Forwarded-For: 192.0.2.1").Status)
			assert.Equal(t, 404, s.Get(t, "/good", "X-Forwarded-For: 192.0.2.2").Status)
		},
	},
	{
		rule: "NGL307", claim: "without recursion the inner proxy is the client",
		http: `real_ip_header X-Forwarded-For;
			limit_req_zone $remote_addr zone=perip:1m rate=1r/m; limit_req_status 429;`,
		server: "location /off { set_real_ip_from 127.0.0.0/8; set_real_ip_from 10.0.0.0/8; add_header X-Client $remote_addr always; limit_req zone=perip; " + none + "} location /on { set_real_ip_from 127.0.0.0/8; set_real_ip_from 10.0.0.0/8; real_ip_recursive on; add_header X-Client $remote_addr always; limit_req zone=perip; " + none + "}",
		show: func(t *testing.T, s *oracle.Server) {
			assert.Equal(t, "10.0.0.1", s.Get(t, "/off", "X-Forwarded-For: 192.0.2.1, 10.0.0.1").Header("X-Client"))
			assert.Equal(t, 429, s.Get(t, "/off", "X-Forwarded-For: 192.0.2.2, 10.0.0.1").Status)
			assert.Equal(t, "192.0.2.1", s.Get(t, "/on", "X-Forwarded-For: 192.0.2.1, 10.0.0.1").Header("X-Client"))
		},
	},
	{
		rule: "NGL316", claim: "behind a proxy all clients share one bucket",
		http:   `limit_req_zone $binary_remote_addr zone=perip:1m rate=1r/m; limit_req_status 429;`,
		server: "location / { limit_req zone=perip; " + none + "} location /good { set_real_ip_from 127.0.0.0/8; real_ip_header X-Forwarded-For; limit_req zone=perip; " + none + "}",
		show: func(t *testing.T, s *oracle.Server) {
			assert.Equal(t, 404, s.Get(t, "/", "X-Forwarded-For: 192.0.2.1").Status)
			assert.Equal(t, 429, s.Get(t, "/", "X-Forwarded-For: 192.0.2.2").Status)
			assert.Equal(t, 404, s.Get(t, "/good", "X-Forwarded-For: 192.0.2.2").Status)
		},
	},
	{
		rule: "NGL401", claim: "a limit of a location replaces those of its server",
		http: `limit_req_zone $binary_remote_addr zone=outer:1m rate=1r/m;
			limit_req_zone $binary_remote_addr zone=inner:1m rate=1000r/s; limit_req_status 429;`,
		server: "limit_req zone=outer; location /bad { limit_req zone=inner burst=9 nodelay; " + none + "} location /good { limit_req zone=outer; limit_req zone=inner burst=9 nodelay; " + none + "}",
		show: func(t *testing.T, s *oracle.Server) {
			assert.Equal(t, []int{404, 404, 404}, codes(t, s, 3, "/bad"))
			assert.Equal(t, []int{404, 429, 429}, codes(t, s, 3, "/good"))
		},
	},
	{
		rule: "NGL402", claim: "a return ends requests before limits",
		http:   `limit_req_zone $binary_remote_addr zone=perip:1m rate=1r/m; limit_req_status 429;`,
		server: "limit_req zone=perip; location /bad { return 200 x; } location /moved { rewrite ^ /elsewhere permanent; } location /good { " + none + "}",
		show: func(t *testing.T, s *oracle.Server) {
			assert.Equal(t, []int{200, 200, 200}, codes(t, s, 3, "/bad"))
			assert.Equal(t, []int{301, 301, 301}, codes(t, s, 3, "/moved"))
			assert.Equal(t, []int{404, 429, 429}, codes(t, s, 3, "/good"))
		},
	},
	{
		rule: "NGL601", claim: "the default status is 503",
		http:   `limit_req_zone $binary_remote_addr zone=perip:1m rate=1r/m;`,
		server: "limit_req zone=perip; location / { " + none + "} location /good { limit_req_status 429; " + none + "}",
		show: func(t *testing.T, s *oracle.Server) {
			assert.Equal(t, []int{404, 503}, codes(t, s, 2, "/"))
			assert.Equal(t, 429, s.Get(t, "/good").Status)
		},
	},
	{
		rule: "NGL602", claim: "limit_req_status says nothing about limit_conn", h2: true,
		http:   `limit_conn_zone $binary_remote_addr zone=c:1m; limit_req_status 429;`,
		server: "location / { limit_conn c 1; root html; } location /good/ { limit_conn c 1; limit_conn_status 429; alias html/; }",
		show: func(t *testing.T, s *oracle.Server) {
			assert.Equal(t, map[int]int{200: 1, 503: 1}, streams(t, s, 2, "/"))
			s.Clock.Sync()
			assert.Equal(t, map[int]int{200: 1, 429: 1}, streams(t, s, 2, "/good/"))
		},
	},
	{
		rule: "NGL604", claim: "nginx sends no Retry-After by itself",
		http:   `limit_req_zone $binary_remote_addr zone=perip:1m rate=1r/m; limit_req_status 429;`,
		server: "limit_req zone=perip; location / { " + none + "} location /good { add_header Retry-After 60 always; " + none + "}",
		show: func(t *testing.T, s *oracle.Server) {
			require.Equal(t, []int{404, 429}, codes(t, s, 2, "/"))
			assert.Empty(t, s.Get(t, "/").Header("Retry-After"))
			assert.Equal(t, "60", s.Get(t, "/good").Header("Retry-After"))
		},
	},
	{
		rule: "NGL605", claim: "add_header without always is missing on refusals",
		http: `limit_req_zone $binary_remote_addr zone=perip:1m rate=1r/m; limit_req_status 429;
			map $status $after { 429 60; }`,
		server: "limit_req zone=perip; root html; location /bad { add_header Retry-After 60; try_files /index.html =404; } location /good { add_header Retry-After $after always; try_files /index.html =404; }",
		show: func(t *testing.T, s *oracle.Server) {
			first := s.Get(t, "/bad")
			require.Equal(t, 200, first.Status)
			assert.Equal(t, "60", first.Header("Retry-After"))
			assert.Empty(t, s.Get(t, "/bad").Header("Retry-After"))
			assert.Equal(t, "60", s.Get(t, "/good").Header("Retry-After"))
		},
	},
	{
		rule: "NGL606", claim: "an add_header of a location drops that of its server",
		http:   `limit_req_zone $binary_remote_addr zone=perip:1m rate=1r/m; limit_req_status 429;`,
		server: "limit_req zone=perip; add_header Retry-After 60 always; location / { " + none + "} location /bad { add_header X-A b; " + none + "}",
		show: func(t *testing.T, s *oracle.Server) {
			require.Equal(t, 404, s.Get(t, "/").Status)
			assert.Equal(t, "60", s.Get(t, "/").Header("Retry-After"))
			assert.Empty(t, s.Get(t, "/bad").Header("Retry-After"))
		},
	},
	{
		rule: "NGL701", claim: "every stream of one HTTP/2 connection counts", h2: true,
		http:   `limit_conn_zone $binary_remote_addr zone=addr:1m;`,
		server: "location / { limit_conn addr 5; root html; }",
		show: func(t *testing.T, s *oracle.Server) {
			assert.Equal(t, map[int]int{200: 5, 503: 7}, streams(t, s, 12, "/"))
		},
	},
}

// streams counts the statuses of n requests that are open at once on one
// HTTP/2 connection: without a window no body of a good answer can end.
func streams(t *testing.T, s *oracle.Server, n int, target string) map[int]int {
	conn := s.Dial2(t, s.Addr.Addr(), oracle.NoWindow)
	defer conn.Close()
	ids := make([]uint32, n)
	for i := range ids {
		id, err := conn.Get(target)
		require.NoError(t, err)
		ids[i] = id
	}
	s.Clock.Sync()
	require.NoError(t, conn.Poll())
	counts := map[int]int{}
	for _, id := range ids {
		counts[conn.Status(id)]++
	}
	return counts
}
