package nginx

import (
	"net/netip"

	"github.com/nglimit/nglimit/internal/nginx/pcre"
	"github.com/nglimit/nglimit/parser"
)

// Server is one server block of http.
type Server struct {
	*Block
	Listens   []*Listen // implied *:80 included
	Names     []*ServerName
	Locations []*Location // of the server level, named ones included, in order
}

// Listen is one listen directive, or the one that nginx implies (Dir nil).
type Listen struct {
	Addr          netip.Addr // unspecified for a wildcard; invalid for a unix socket or a host name
	Port          uint16
	Unix          string // path of a unix socket
	Host          string // a host name, which nginx resolves when it starts
	Wildcard      bool
	DefaultServer bool
	SSL           bool // as the next two: whichever server says so of this address
	HTTP2         bool // by the listen parameter; "http2 on" is a directive of its own
	QUIC          bool
	ProxyProtocol bool
	Dir           *parser.Directive
}

// ServerName is one name of a server_name directive.
type ServerName struct {
	Text  string      // as written
	Regex *pcre.Regex // for "~…"
	Dir   *parser.Directive
}

// Modifier is the "=", "^~", "~", "~*" or "@" of a location.
type Modifier uint8

// The kinds of locations.
const (
	Prefix Modifier = iota
	Exact
	PrefixNoRegex // ^~
	RegexMatch    // ~
	RegexNoCase   // ~*
	Named         // @name
)

// Location is one location block.
type Location struct {
	*Block
	Modifier Modifier
	Pattern  string // the path, the pattern, or the name with its "@"
	Regex    *pcre.Regex
	Outer    *Location // the enclosing location
	Inner    []*Location
	Internal bool // has "internal"
}
