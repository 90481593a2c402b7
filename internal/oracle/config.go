package oracle

import "strings"

// Addr stands in a configuration for the address and port that [Nginx.Start]
// chooses.
const Addr = "%ADDR%"

// Preamble is the main context common to tests: one process, so that what
// happens has one order, and logs below the prefix.
const Preamble = `daemon off; master_process off; pid nginx.pid; error_log logs/error.log notice;
events { use epoll; worker_connections 8192; }
`

// WithMaster makes a configuration of [HTTP] or [Serve] one with a master and
// a worker, as reloads need them.
func WithMaster(conf string) string {
	return strings.Replace(conf, "master_process off;", "worker_processes 1;", 1)
}

// Defaults is for the http context: temporary files below the prefix, and
// timeouts that a virtual clock does not reach by leaps. They stay below 2^31
// ms (24.8 days), which is what the timeout of epoll_wait can hold
// (ngx_epoll_module.c:ngx_epoll_process_events).
const Defaults = `client_body_temp_path tmp/cb; proxy_temp_path tmp/px; fastcgi_temp_path tmp/fc; uwsgi_temp_path tmp/uw; scgi_temp_path tmp/sc;
keepalive_timeout 24d; keepalive_time 100000d; keepalive_requests 1000000000; client_header_timeout 24d; client_body_timeout 24d; send_timeout 24d;
`

// HTTP makes a whole configuration of what stands in its http context; the
// access log goes to logs/access.log unless the body says otherwise.
func HTTP(body string) string {
	return Preamble + "http {\n" + Defaults + "access_log logs/access.log;\n" + body + "\n}\n"
}

// Serve makes a whole configuration of one server that listens on [Addr]:
// what stands in http before it, and what stands in it.
func Serve(http, server string) string {
	return HTTP(http + "\nserver {\nlisten " + Addr + ";\n" + server + "\n}")
}
