package parser

// body says what the lines of a block are: directives, or entries with a
// handler of their own.
type body byte

const (
	directives body = iota
	mapBody
	geoBody
	typesBody
	splitBody
	charsetBody
	matchBody // of NGINX Plus
)

// bodyKind is the kind of body that a block has in a context.
func bodyKind(name string, in context) body {
	inHTTPOrStream := in&(inHTTP|inStream|inUnknown) != 0
	switch {
	case name == "map" && inHTTPOrStream:
		return mapBody
	case name == "geo" && inHTTPOrStream:
		return geoBody
	case name == "split_clients" && inHTTPOrStream:
		return splitBody
	case name == "match" && inHTTPOrStream:
		return matchBody
	case name == "charset_map" && in&(inHTTP|inUnknown) != 0:
		return charsetBody
	case name == "types" && in&(inHTTP|inServer|inLocation|inUnknown) != 0:
		return typesBody
	}
	return directives
}

// included tells whether words are an include for that kind of body.
func (b body) included(words []Arg) bool {
	takesIncludes := b == mapBody || b == geoBody || b == typesBody
	return takesIncludes && len(words) == 2 && words[0].Value == "include"
}

// refuse says in nginx's words what is wrong with the number of words of an
// entry; empty if nothing is.
func (b body) refuse(words []Arg) string {
	first, n := words[0].Value, len(words)
	switch b {
	case mapBody: // ngx_http_map_module.c:ngx_http_map
		if n != 2 && (n != 1 || first != "hostnames" && first != "volatile") {
			return "invalid number of the map parameters"
		}
	case geoBody: // ngx_http_geo_module.c:ngx_http_geo
		if n != 2 && (n != 1 || first != "ranges" && first != "proxy_recursive" && first != "volatile") {
			return "invalid number of the geo parameters"
		}
	case typesBody: // ngx_http_core_module.c:ngx_http_core_type
		if first == "include" && n != 2 {
			return `invalid number of arguments in "include" directive`
		}
	case charsetBody: // ngx_http_charset_filter_module.c:ngx_http_charset_map
		if n != 2 {
			return "invalid parameters number"
		}
	case directives, splitBody, matchBody: // nginx counts no words there
	}
	return ""
}
