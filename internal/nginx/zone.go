package nginx

import "github.com/nglimit/nglimit/parser"

// ZoneKind tells which module a zone belongs to.
type ZoneKind uint8

// The kinds of zones that limits use.
const (
	ReqZone ZoneKind = iota
	ConnZone
	StreamConnZone
)

// Zone is one limit_req_zone or limit_conn_zone.
type Zone struct {
	Kind     ZoneKind
	Name     string
	Key      *Value
	Size     int64  // bytes as written
	Rate     uint64 // limit_req: thousandths of a request per second, as nginx cuts it
	RateText string // "10r/s" as written; empty when missing, then nginx takes 1r/s
	Dir      *parser.Directive
}

// ReqLimit is one limit_req.
type ReqLimit struct {
	ZoneName string
	Zone     *Zone // nil when no such limit_req zone is defined
	Burst    int64 // requests; 0 when absent
	Delay    int64 // requests; with Nodelay meaningless
	Nodelay  bool
	Dir      *parser.Directive
}

// ConnLimit is one limit_conn.
type ConnLimit struct {
	ZoneName string
	Zone     *Zone // nil when no such limit_conn zone is defined
	N        int
	Dir      *parser.Directive
}

// Limit is the directive that applies a zone of this kind.
func (k ZoneKind) Limit() string {
	if k == ReqZone {
		return "limit_req"
	}
	return "limit_conn"
}
