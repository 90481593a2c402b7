package nginx

import "strings"

// Fields of a request that routing itself reads. Their numbers are fixed;
// every other variable gets the next free one.
const (
	fieldRemoteAddr = iota
	fieldRealipRemoteAddr
	fieldHTTPHost
	fieldHost
	fieldRequestURI
	fieldURI
	fieldArgs
	fieldRequestMethod
	fieldRequest
	fieldScheme
	fieldHTTPS
	fieldServerName
	fieldServerPort
	fieldServerAddr
	fieldServerProtocol
	fieldHTTPCookie
	fieldHTTPAuthorization
	fieldStatus
	fieldUpstreamAddr
	fieldUpstreamStatus
	fieldUpstreamTime
	fieldContentLength
	coreFields
)

func coreFieldNames() []string {
	return []string{
		"remote_addr", "realip_remote_addr", "http_host", "host", "request_uri", "uri", "args",
		"request_method", "request", "scheme", "https", "server_name", "server_port", "server_addr",
		"server_protocol", "http_cookie", "http_authorization",
		"status", "upstream_addr", "upstream_status", "upstream_response_time",
		"http_content_length",
	}
}

// fieldTable numbers the variables of a request.
type fieldTable struct {
	names []string
	index map[string]int
}

func newFieldTable() *fieldTable {
	t := &fieldTable{index: map[string]int{}}
	for _, name := range coreFieldNames() {
		t.field(name)
	}
	return t
}

// field is the number of a variable; different names of one thing share it.
func (t *fieldTable) field(name string) int {
	name = canonicalField(name)
	if i, ok := t.index[name]; ok {
		return i
	}
	t.index[name] = len(t.names)
	t.names = append(t.names, name)
	return len(t.names) - 1
}

// canonicalField maps the second names that nginx has for some variables
// (src/http/ngx_http_variables.c:ngx_http_core_variables).
func canonicalField(name string) string {
	name = strings.ToLower(strings.TrimPrefix(name, "$"))
	switch name {
	case "query_string":
		return "args"
	case "document_uri":
		return "uri"
	case "content_length":
		return "http_content_length"
	case "content_type":
		return "http_content_type"
	}
	return name
}

// sentByClient tells whether a variable that a complete request does not
// give was not sent.
func sentByClient(name string) bool {
	for _, prefix := range []string{"http_", "cookie_", "proxy_protocol_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}
