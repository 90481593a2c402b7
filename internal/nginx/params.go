package nginx

import (
	"math"
	"net/netip"
	"strconv"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// smallestZone is what a zone must hold at least: eight pages of 4 KiB
// (ngx_http_limit_req_module.c:ngx_http_limit_req_zone).
const smallestZone = 8 * 4096

// ParamError is a parameter of a limit or real-IP directive that nginx
// refuses when it reads the configuration.
type ParamError struct {
	Span parser.Span // the parameter, or the directive when one is missing
	Line int         // the line that nginx reports
	Msg  string      // nginx's words, without level and place
}

// ReqZoneParams is what a limit_req_zone says.
type ReqZoneParams struct {
	Key      string
	Zone     string
	ZoneArg  int   // index of the zone= that counts in Args
	Size     int64 // bytes
	Rate     uint64
	RateArg  int // index of the rate= that counts; -1: none, nginx takes 1r/s
	RateText string
}

// ReqParams is what a limit_req says; burst and delay count requests.
type ReqParams struct {
	Zone     string
	ZoneArg  int
	Burst    int64 // 0: none
	BurstArg int   // -1: none
	Delay    int64 // 0: every request beyond the rate waits
	DelayArg int   // of the nodelay or delay= that counts; -1: none
	Nodelay  bool
}

// ConnZoneParams is what a limit_conn_zone says.
type ConnZoneParams struct {
	Key     string
	Zone    string
	ZoneArg int
	Size    int64 // bytes
}

// ConnParams is what a limit_conn says.
type ConnParams struct {
	Zone string
	N    int
}

// RealIPFrom is what a set_real_ip_from says: one of Unix, Net and Host.
type RealIPFrom struct {
	Unix    bool
	Net     netip.Prefix // masked
	LowBits bool         // nginx warns that low address bits are meaningless
	Host    string       // a name that nginx resolves when it starts
}

// CheckParams judges the parameters of a limit or real-IP directive as nginx
// does; nil for good ones and for other directives. Their number is the
// parser's matter: a directive with a wrong one is not judged here.
func CheckParams(d *parser.Directive) *ParamError {
	var err *ParamError
	switch d.Name {
	case "limit_req_zone":
		_, err = ParseReqZone(d)
	case "limit_req":
		_, err = ParseReq(d)
	case "limit_conn_zone":
		_, err = ParseConnZone(d)
	case "limit_conn":
		_, err = ParseConn(d)
	case "limit_req_status", "limit_conn_status":
		_, err = ParseLimitStatus(d)
	case "limit_req_log_level", "limit_conn_log_level":
		_, err = ParseLimitLogLevel(d)
	case "limit_req_dry_run", "limit_conn_dry_run", "real_ip_recursive":
		_, err = ParseFlag(d)
	case "set_real_ip_from":
		_, err = ParseRealIPFrom(d)
	}
	return err
}

func paramError(d *parser.Directive, arg int, msg string) *ParamError {
	span := d.HeadSpan()
	if arg >= 0 {
		span = d.ArgSpan(arg)
	}
	return &ParamError{Span: span, Line: d.TermSpan().Start.Line, Msg: msg}
}

func refusedArg(d *parser.Directive, arg int, what string) *ParamError {
	return paramError(d, arg, what+` "`+d.Args[arg].Value+`"`)
}

// ParseReqZone reads a limit_req_zone
// (ngx_http_limit_req_module.c:ngx_http_limit_req_zone).
func ParseReqZone(d *parser.Directive) (p ReqZoneParams, err *ParamError) {
	p = ReqZoneParams{ZoneArg: -1, RateArg: -1}
	if len(d.Args) != 3 {
		return p, nil
	}
	if p.Key, err = parseKey(d); err != nil {
		return p, err
	}
	rate, scale := int64(1), int64(1)
	for i, arg := range d.Args[1:] {
		i++
		switch {
		case strings.HasPrefix(arg.Value, "zone="):
			p.ZoneArg = i
			p.Zone, p.Size, err = parseZone(d, i)
		case strings.HasPrefix(arg.Value, "rate="):
			p.RateArg, p.RateText = i, arg.Value[len("rate="):]
			if rate, scale = readRate(p.RateText, scale); rate <= 0 {
				err = refusedArg(d, i, "invalid rate")
			}
		default:
			err = refusedArg(d, i, "invalid parameter")
		}
		if err != nil {
			return p, err
		}
	}
	p.Rate = uint64(rate * 1000 / scale)
	return p, needZone(d, p.Zone)
}

// parseKey refuses what ngx_http_compile_complex_value refuses in a key.
func parseKey(d *parser.Directive) (string, *ParamError) {
	key := d.Args[0].Value
	if _, fault := ParseValue(key); fault != "" {
		return key, paramError(d, 0, fault)
	}
	return key, nil
}

// readRate reads "Nr/s", "Nr/m" or "N"; the unit of an earlier rate= stays in
// force when this one has none. A rate of 0 is no rate.
func readRate(text string, before int64) (rate, scale int64) {
	scale = before
	if number, found := strings.CutSuffix(text, "r/s"); found {
		text, scale = number, 1
	} else if number, found := strings.CutSuffix(text, "r/m"); found {
		text, scale = number, 60
	}
	rate, ok := digits(text)
	if !ok {
		rate = 0
	}
	return rate, scale
}

// parseZone reads zone=name:size.
func parseZone(d *parser.Directive, arg int) (name string, size int64, err *ParamError) {
	name, text, found := strings.Cut(d.Args[arg].Value[len("zone="):], ":")
	size, ok := parseSize(text)
	switch {
	case !found || !ok:
		return "", 0, refusedArg(d, arg, "invalid zone size")
	case size < smallestZone:
		return "", 0, paramError(d, arg, `zone "`+d.Args[arg].Value+`" is too small`)
	}
	return name, size, nil
}

func needZone(d *parser.Directive, zone string) *ParamError {
	if zone == "" {
		return paramError(d, -1, `"`+d.Name+`" must have "zone" parameter`)
	}
	return nil
}

// ParseReq reads a limit_req (ngx_http_limit_req_module.c:ngx_http_limit_req).
func ParseReq(d *parser.Directive) (p ReqParams, err *ParamError) {
	p = ReqParams{ZoneArg: -1, BurstArg: -1, DelayArg: -1}
	for i, arg := range d.Args {
		if err = p.read(d, i, arg.Value); err != nil {
			return p, err
		}
	}
	if p.ZoneArg < 0 && len(d.Args) > 0 {
		err = needZone(d, "")
	}
	return p, err
}

func (p *ReqParams) read(d *parser.Directive, i int, text string) *ParamError {
	var ok bool
	switch name, value, _ := strings.Cut(text, "="); {
	case strings.HasPrefix(text, "zone="):
		p.Zone, p.ZoneArg = value, i
	case strings.HasPrefix(text, "burst="):
		p.BurstArg = i
		if p.Burst, ok = positive(value); !ok {
			return refusedArg(d, i, "invalid burst value")
		}
	case strings.HasPrefix(text, "delay="):
		p.DelayArg, p.Nodelay = i, false
		if p.Delay, ok = positive(value); !ok {
			return refusedArg(d, i, "invalid delay value")
		}
	case name == text && text == "nodelay":
		p.DelayArg, p.Nodelay, p.Delay = i, true, math.MaxInt64/1000
	default:
		return refusedArg(d, i, "invalid parameter")
	}
	return nil
}

// ParseConnZone reads a limit_conn_zone of http or stream
// (ngx_http_limit_conn_module.c:ngx_http_limit_conn_zone).
func ParseConnZone(d *parser.Directive) (p ConnZoneParams, err *ParamError) {
	p.ZoneArg = -1
	if len(d.Args) != 2 {
		return p, nil
	}
	if p.Key, err = parseKey(d); err != nil {
		return p, err
	}
	if !strings.HasPrefix(d.Args[1].Value, "zone=") {
		return p, refusedArg(d, 1, "invalid parameter")
	}
	p.ZoneArg = 1
	if p.Zone, p.Size, err = parseZone(d, 1); err != nil {
		return p, err
	}
	return p, needZone(d, p.Zone)
}

// ParseConn reads a limit_conn of http or stream
// (ngx_http_limit_conn_module.c:ngx_http_limit_conn).
func ParseConn(d *parser.Directive) (p ConnParams, err *ParamError) {
	if len(d.Args) != 2 {
		return p, nil
	}
	p.Zone = d.Args[0].Value
	n, ok := positive(d.Args[1].Value)
	switch {
	case !ok:
		return p, refusedArg(d, 1, "invalid number of connections")
	case n > 65535:
		return p, paramError(d, 1, "connection limit must be less 65536")
	}
	p.N = int(n)
	return p, nil
}

// ParseLimitStatus reads a limit_req_status or limit_conn_status; 0 for a
// wrong number of arguments.
func ParseLimitStatus(d *parser.Directive) (int, *ParamError) {
	if len(d.Args) != 1 {
		return 0, nil
	}
	n, ok := digits(d.Args[0].Value)
	switch {
	case !ok:
		return 0, paramError(d, 0, `"`+d.Name+`" directive invalid number`)
	case n < 400 || n > 599:
		return 0, paramError(d, 0, "value must be between 400 and 599")
	}
	return int(n), nil
}

// ParseLimitLogLevel reads a limit_req_log_level or limit_conn_log_level into
// lower case.
func ParseLimitLogLevel(d *parser.Directive) (string, *ParamError) {
	if len(d.Args) != 1 {
		return "", nil
	}
	switch word := strings.ToLower(d.Args[0].Value); word {
	case "info", "notice", "warn", "error":
		return word, nil
	}
	return "", refusedArg(d, 0, "invalid value")
}

// ParseFlag reads a directive that is on or off
// (ngx_conf_file.c:ngx_conf_set_flag_slot).
func ParseFlag(d *parser.Directive) (bool, *ParamError) {
	if len(d.Args) != 1 {
		return false, nil
	}
	switch word := strings.ToLower(d.Args[0].Value); word {
	case "on", "off":
		return word == "on", nil
	}
	return false, paramError(d, 0, `invalid value "`+d.Args[0].Value+`" in "`+d.Name+`" directive, it must be "on" or "off"`)
}

// ParseRealIPFrom reads a set_real_ip_from
// (ngx_http_realip_module.c:ngx_http_realip_from). A host name is taken as it
// is, unless no name can be spelled that way.
func ParseRealIPFrom(d *parser.Directive) (p RealIPFrom, err *ParamError) {
	if len(d.Args) != 1 {
		return p, nil
	}
	text := d.Args[0].Value
	if text == "unix:" {
		return RealIPFrom{Unix: true}, nil
	}
	if net, low, ok := parseCIDR(text); ok {
		return RealIPFrom{Net: net, LowBits: low}, nil
	}
	if addr, ok := parseInetAton(text); ok {
		return RealIPFrom{Net: netip.PrefixFrom(addr, 32)}, nil
	}
	if !hostName(text) {
		return p, paramError(d, 0, `host not found in set_real_ip_from "`+text+`"`)
	}
	return RealIPFrom{Host: text}, nil
}

// parseCIDR is ngx_inet.c:ngx_ptocidr.
func parseCIDR(text string) (net netip.Prefix, low, ok bool) {
	address, mask, masked := strings.Cut(text, "/")
	addr, ok := parseInet4(address)
	if !ok || addr == netip.AddrFrom4([4]byte{255, 255, 255, 255}) {
		addr, ok = parseInet6(address) // INADDR_NONE is also the broadcast address
	}
	if !ok {
		return net, false, false
	}
	bits := int64(addr.BitLen())
	if masked {
		if bits, ok = digits(mask); !ok || bits > int64(addr.BitLen()) {
			return net, false, false
		}
	}
	net = netip.PrefixFrom(addr, int(bits)).Masked()
	return net, net.Addr() != addr, true
}

// parseInet4 is ngx_inet.c:ngx_inet_addr: four numbers, of which any may be
// missing and then is 0.
func parseInet4(text string) (netip.Addr, bool) {
	parts := strings.Split(text, ".")
	var out [4]byte
	if len(parts) != 4 {
		return netip.Addr{}, false
	}
	for i, part := range parts {
		if part == "" {
			continue
		}
		n, ok := digits(part)
		if !ok || n > 255 {
			return netip.Addr{}, false
		}
		out[i] = byte(n)
	}
	return netip.AddrFrom4(out), true
}

// parseInetAton reads the shorter numeric forms that the resolver takes for
// an address, such as 10.0.0 for 10.0.0.0.
func parseInetAton(text string) (netip.Addr, bool) {
	parts := strings.Split(text, ".")
	if len(parts) > 4 {
		return netip.Addr{}, false
	}
	var value uint64
	for i, part := range parts {
		n, err := strconv.ParseUint(part, 0, 32)
		last := i == len(parts)-1
		if err != nil || strings.Contains(part, "_") || !last && n > 255 || last && n >= 1<<(8*(4-i)) {
			return netip.Addr{}, false
		}
		if last {
			value |= n
		} else {
			value |= n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true
}

// hostName tells whether a resolver could know a host by that name. A name of
// digits and dots alone is an address or nothing.
func hostName(text string) bool {
	if text == "" || strings.Trim(text, "0123456789.") == "" {
		return false
	}
	for i := range len(text) {
		c := text[i]
		if c != '.' && c != '-' && c != '_' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return c >= 0x80 // an international name; the resolver decides
		}
	}
	return true
}
