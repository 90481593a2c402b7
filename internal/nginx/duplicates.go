package nginx

import (
	"cmp"
	"slices"

	"github.com/nglimit/nglimit/parser"
)

// checkDuplicates refuses what may stand only once at a place.
func (b *builder) checkDuplicates() {
	for at := range b.config.Blocks() {
		for _, name := range []string{"limit_req", "limit_conn"} {
			b.checkZoneTwice(at, name)
		}
		b.checkFormats(at)
	}
	upstreams := map[string]bool{}
	for _, u := range b.config.Upstreams {
		if upstreams[u.Name] {
			b.refuse(u.Dir, u.Dir.ArgSpan(0), `duplicate upstream "`+u.Name+`"`)
		}
		upstreams[u.Name] = true
	}
	for _, s := range b.config.Servers {
		b.checkLocations(s.Locations)
	}
	b.checkListens()
}

// checkZoneTwice refuses two limits of one level with one zone
// (ngx_http_limit_req_module.c:ngx_http_limit_req).
func (b *builder) checkZoneTwice(at *Block, name string) {
	seen := map[string]bool{}
	for _, d := range at.Own(name) {
		for _, c := range claims(d, false) {
			if seen[c.name] {
				b.refuse(d, d.HeadSpan(), `"`+name+`" directive is duplicate`)
			}
			seen[c.name] = true
		}
	}
}

// checkLocations refuses two locations with one path, "^~" or not; an exact
// one may stand beside a prefix. Inner locations come first and names in order,
// as in ngx_http.c:ngx_http_init_static_location_trees; prefixes inside a
// regular expression are in no tree and not compared.
func (b *builder) checkLocations(locations []*Location) {
	var static []*Location
	for _, l := range locations {
		if l.Dir != nil && (l.Modifier == Exact || l.Modifier == Prefix || l.Modifier == PrefixNoRegex) {
			static = append(static, l)
		}
	}
	slices.SortStableFunc(static, compareLocations)
	for _, l := range static {
		b.checkLocations(l.Inner)
	}
	for i, l := range static {
		if i > 0 && compareLocations(static[i-1], l) == 0 {
			line := l.Dir.TermSpan().Start.Line
			b.refuseAt(atLocations, nil, l.Dir.HeadSpan(), line, `duplicate location "`+l.Pattern+`"`)
		}
	}
}

// compareLocations is ngx_http.c:ngx_http_cmp_locations for exact and prefix
// locations: "/" is the lowest character, exact comes first.
func compareLocations(x, y *Location) int {
	for i := range min(len(x.Pattern), len(y.Pattern)) {
		if c, d := x.Pattern[i], y.Pattern[i]; c != d {
			return cmp.Compare(rank(c), rank(d))
		}
	}
	if c := cmp.Compare(len(x.Pattern), len(y.Pattern)); c != 0 {
		return c
	}
	return cmp.Compare(btoi(y.Modifier == Exact), btoi(x.Modifier == Exact))
}

func rank(c byte) int {
	if c == '/' {
		return 0
	}
	return int(c)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// checkListens refuses one address twice in a server, and two default servers
// of one address (ngx_http_core_module.c:ngx_http_core_listen,
// ngx_http.c:ngx_http_add_addresses).
func (b *builder) checkListens() {
	hasDefault := map[string]bool{}
	for _, s := range b.config.Servers {
		own := map[string]*parser.Directive{}
		for _, l := range s.Listens {
			id := l.id()
			if l.Dir == nil || id == "" || l.QUIC {
				continue
			}
			if other := own[id]; other != nil {
				b.refuse(l.Dir, l.Dir.HeadSpan(), "a duplicate listen "+id)
				continue
			}
			own[id] = l.Dir
			if l.DefaultServer && hasDefault[id] {
				b.refuse(l.Dir, l.Dir.HeadSpan(), "a duplicate default server for "+id)
			}
			hasDefault[id] = hasDefault[id] || l.DefaultServer
		}
	}
}

// checkFormats refuses access logs in a format that no log_format before them
// defines (ngx_http_log_module.c:ngx_http_log_set_log).
func (b *builder) checkFormats(at *Block) {
	if b.incomplete() || at.AccessLog.From != at {
		return
	}
	for _, l := range at.AccessLog.Items {
		if !l.Off && l.Format != "combined" && !b.defined(l) {
			b.refuse(l.Dir, l.Dir.HeadSpan(), `unknown log format "`+l.Format+`"`)
		}
	}
}

// defined tells whether the log's format is defined; one that comes later in
// the text is, too, but nginx does not know it yet.
func (b *builder) defined(l *AccessLog) bool {
	for _, f := range b.config.LogFormats {
		if f.Name == l.Format {
			return b.position(f.Dir) < b.position(l.Dir)
		}
	}
	return false
}
