package nginx

import "github.com/nglimit/nglimit/parser"

// merge works out what is in force in a block from its own directives and
// what its parent has in force.
func (b *builder) merge(at *Block) {
	up := at.Parent
	if up == nil {
		up = &defaults
	}
	b.mergeLimits(at, up)
	mergeScalars(at, up)
	at.SetRealIPFrom = inherit(at, up.SetRealIPFrom, readEach(at, "set_real_ip_from", readTrust))
	at.ErrorPage = inherit(at, up.ErrorPage, readEach(at, "error_page", b.readErrorPage))
	at.AccessLog = inherit(at, up.AccessLog, readEach(at, "access_log", b.readAccessLog))
	at.AddHeader = inheritHeaders(at, up.AddHeader, readEach(at, "add_header", b.readHeader))
}

// defaults are nginx's values where nobody says anything.
var defaults = Block{
	LimitReqStatus:    Scalar[int]{Value: 503},
	LimitReqLogLevel:  Scalar[string]{Value: "error"},
	LimitConnStatus:   Scalar[int]{Value: 503},
	LimitConnLogLevel: Scalar[string]{Value: "error"},
	RealIPHeader:      Scalar[string]{Value: "X-Real-IP"},
	AddHeaderInherit:  Scalar[string]{Value: "on"},
}

// mergeLimits leaves "if" and limit_except alone: no limit may stand there,
// so they have the limits of their location.
func (b *builder) mergeLimits(at, up *Block) {
	if at.Level == IfLevel || at.Level == LimitExceptLevel {
		at.LimitReq, at.LimitConn = up.LimitReq, up.LimitConn
		return
	}
	at.LimitReq = inherit(at, up.LimitReq, readEach(at, "limit_req", b.readReqLimit))
	at.LimitConn = inherit(at, up.LimitConn, readEach(at, "limit_conn", b.readConnLimit))
}

func mergeScalars(at, up *Block) {
	at.LimitReqStatus = scalar(at, "limit_req_status", up.LimitReqStatus, readStatus)
	at.LimitReqLogLevel = scalar(at, "limit_req_log_level", up.LimitReqLogLevel, readLogLevel)
	at.LimitReqDryRun = scalar(at, "limit_req_dry_run", up.LimitReqDryRun, readFlag)
	at.LimitConnStatus = scalar(at, "limit_conn_status", up.LimitConnStatus, readStatus)
	at.LimitConnLogLevel = scalar(at, "limit_conn_log_level", up.LimitConnLogLevel, readLogLevel)
	at.LimitConnDryRun = scalar(at, "limit_conn_dry_run", up.LimitConnDryRun, readFlag)
	at.RealIPHeader = scalar(at, "real_ip_header", up.RealIPHeader, readWord)
	at.RealIPRecursive = scalar(at, "real_ip_recursive", up.RealIPRecursive, readFlag)
	at.AddHeaderInherit = scalar(at, "add_header_inherit", up.AddHeaderInherit, readInherit)
}

// inherit is the way of nginx's arrays: any of its own replace all inherited
// ones (for limits ngx_http_limit_req_module.c:ngx_http_limit_req_merge_conf).
func inherit[T any](at *Block, inherited List[T], own []T) List[T] {
	if len(own) > 0 {
		return List[T]{Items: own, From: at}
	}
	return inherited
}

// inheritHeaders follows add_header_inherit, which exists since nginx 1.29.3:
// "merge" puts the inherited headers after the own ones, "off" takes none.
func inheritHeaders(at *Block, inherited List[*Header], own []*Header) List[*Header] {
	switch at.AddHeaderInherit.Value {
	case "off":
		inherited = List[*Header]{}
	case "merge":
		if len(own) > 0 {
			own = append(own, inherited.Items...)
		}
	}
	return inherit(at, inherited, own)
}

// readEach takes the block's own directives of a name; those that one cannot
// make sense of are left out.
func readEach[T any](at *Block, name string, one func(*parser.Directive) (T, bool)) []T {
	var items []T
	for _, d := range at.Own(name) {
		if item, ok := one(d); ok {
			items = append(items, item)
		}
	}
	return items
}

// scalar takes the first directive of that name, for nginx refuses a second
// one at the same level.
func scalar[T any](at *Block, name string, inherited Scalar[T], read func(*parser.Directive) (T, bool)) Scalar[T] {
	for _, d := range at.Own(name) {
		if value, ok := read(d); ok {
			return Scalar[T]{Value: value, Dir: d}
		}
	}
	return inherited
}
