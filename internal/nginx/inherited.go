package nginx

import (
	"net/netip"

	"github.com/nglimit/nglimit/parser"
)

// Trust is one set_real_ip_from.
type Trust struct {
	Text string
	Net  netip.Prefix // valid for an address or network, masked
	Unix bool
	Host bool // a host name, resolved by nginx when it starts
	Dir  *parser.Directive
}

// Header is one add_header.
type Header struct {
	Name   string
	Value  *Value
	Always bool
	Dir    *parser.Directive
}

// ErrorPage is one error_page.
type ErrorPage struct {
	Codes    []int
	Override int // of "=code"; 0 for "=" alone, -1 when absent
	Target   *Value
	Dir      *parser.Directive
}

// AccessLog is one access_log; Off for "off".
type AccessLog struct {
	Path   *Value
	Format string // "combined" when not named
	Off    bool
	If     *Value
	Dir    *parser.Directive
}
