package accesslog

import (
	"bytes"
	"net/netip"
	"strings"
)

// concept is something that a request has, with the names that logs give it,
// most telling first, and what its values must look like. Names lie: a field
// is believed by its values first.
type concept struct {
	variable string // of nginx; "time" for the end of the request
	names    []string
	valid    func([]byte) bool
}

// concepts are looked for in this order; a field taken by one is not offered to
// the next. Names are in lower case, without what they are nested in.
func concepts() []concept {
	return []concept{
		{"time", []string{
			"msec", "time_msec", "time_iso8601", "@timestamp", "timestamp", "time", "ts", "time_iso", "time_local",
			"event_datetime", "datetime", "date", "timestamp_in_ms", "edgeendtimestamp", "startutc", "start_time",
		}, isTime},
		{"remote_addr", []string{
			"remote_addr", "proxy_protocol_addr", "remote_ip", "clientip", "client_ip", "client_addr", "clienthost", "client",
			"remoteip", "ip", "remote", "remoteaddress", "remote_address", "real_ip", "realip", "host",
		}, isAddress},
		{"http_x_forwarded_for", []string{
			"http_x_forwarded_for", "x_forwarded_for", "xff", "forwardedfor", "forwarded_for", "x-forwarded-for", "client_ip",
		}, isAddressList},
		{"request", []string{"request", "request_line", "req", "message"}, isRequestLine},
		{"request_uri", []string{
			"request_uri", "url", "requesturl", "request_path", "requestpath", "path", "uri", "clientrequesturi", "document_uri", "request",
		}, isTarget},
		{"request_method", []string{
			"request_method", "method", "verb", "requestmethod", "clientrequestmethod", "req",
		}, isMethodName},
		{"host", []string{
			"http_host", "host", "vhost", "domain", "server_name", "requesthost", "clientrequesthost", "authority", ":authority",
		}, isHost},
		{"args", []string{"args", "query_string", "request_query", "query"}, anything},
		{"status", []string{
			"status", "http_status", "response_status", "response", "statuscode", "status_code", "response_code",
			"downstreamstatus", "edgeresponsestatus",
		}, isStatus},
		{"request_time", []string{
			"request_time", "req_time", "request_duration", "duration_s", "responsetime", "generation_time_milli", "duration",
		}, isSeconds},
		{"http_user_agent", []string{"http_user_agent", "user_agent", "useragent", "ua", "agent", "user-agent", "clientrequestuseragent"}, anything},
		{"http_referer", []string{"http_referer", "referer", "http_referrer", "referrer", "clientrequestreferer"}, anything},
		{"server_protocol", []string{"server_protocol", "request_proto", "requestprotocol", "protocol", "proto", "http_version"}, isProtocol},
		{"scheme", []string{"scheme", "requestscheme", "clientrequestscheme"}, isSchemeName},
		{"limit_req_status", []string{"limit_req_status", "limitreqstatus", "limitstatus"}, isLimitStatus},
		{"limit_conn_status", []string{"limit_conn_status", "limitconnstatus"}, isLimitStatus},
	}
}

func anything([]byte) bool { return true }

func isTime(v []byte) bool {
	_, _, ok := parseTime(v)
	return ok
}

func isAddress(v []byte) bool {
	_, err := netip.ParseAddr(string(v))
	return err == nil || string(v) == "unix:"
}

func isAddressList(v []byte) bool {
	for one := range bytes.SplitSeq(v, []byte(",")) {
		if !isAddress(bytes.TrimSpace(one)) {
			return false
		}
	}
	return true
}

func isRequestLine(v []byte) bool {
	method, rest, found := bytes.Cut(v, []byte(" "))
	return found && isMethodName(method) && len(rest) > 0
}

func isTarget(v []byte) bool { return v[0] == '/' || v[0] == '*' && len(v) == 1 }

func isMethodName(v []byte) bool {
	if len(v) < 3 || len(v) > 20 {
		return false
	}
	for _, c := range v {
		if (c < 'A' || c > 'Z') && c != '-' && c != '_' {
			return false
		}
	}
	return true
}

func isHost(v []byte) bool {
	for _, c := range v {
		if c <= ' ' || c == '/' || c == '"' || c == ',' || c >= 0x7f {
			return false
		}
	}
	return true
}

func isStatus(v []byte) bool { return len(v) == 3 && v[0] <= '9' && onlyDigits(v, false) }

func isSeconds(v []byte) bool {
	_, ok := parseSeconds(v)
	return ok
}

func isProtocol(v []byte) bool {
	text := strings.TrimPrefix(strings.ToUpper(string(v)), "HTTP/")
	return text != "" && text[0] >= '0' && text[0] <= '9'
}

func isSchemeName(v []byte) bool { return string(v) == "http" || string(v) == "https" }

func isLimitStatus(v []byte) bool {
	switch strings.TrimSuffix(string(v), "_DRY_RUN") {
	case "PASSED", "DELAYED", "REJECTED":
		return true
	}
	return false
}
