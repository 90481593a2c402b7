package nginx

import (
	"sort"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// program is a Config made ready for evaluation. It is not written to once it
// is compiled, so Routers share it.
type program struct {
	config  *Config
	fields  *fieldTable
	sent    []bool // by field: absent means not sent in a complete request
	vars    []evalVar
	index   map[string]int
	defs    map[string]definition
	named   map[string]bool // variables that named groups set
	set     map[string]bool // variables that "set" writes
	later   map[string]bool // variables that come after the limits: auth_request_set
	needs   map[string]bool // fields that variables of the configuration need
	sockets []*socket
	servers []*serverProgram
	blocks  []*blockProgram
	maps    []*mapping

	usesRealip bool // some block has set_real_ip_from
}

// compileProgram prepares everything that routing needs.
func compileProgram(c *Config) *program {
	p := &program{
		config: c, fields: newFieldTable(), index: map[string]int{}, defs: map[string]definition{},
		named: map[string]bool{}, set: map[string]bool{}, later: map[string]bool{}, needs: map[string]bool{},
	}
	p.collectDefinitions()
	for _, srv := range c.Servers {
		p.servers = append(p.servers, p.compileServer(srv))
	}
	for _, srv := range p.servers {
		p.addServer(srv)
	}
	if len(p.sockets) > 1 {
		p.need("status")
	}
	p.resolve()
	p.findReach()
	p.markNeeds()
	p.sent = make([]bool, len(p.fields.names))
	for i, name := range p.fields.names {
		p.sent[i] = sentByClient(name)
	}
	return p
}

// collectDefinitions notes who gives which variable its value, before
// anything refers to it; the last definition of a name counts
// (src/http/modules/ngx_http_map_module.c:ngx_http_map_block).
func (p *program) collectDefinitions() {
	for _, m := range p.config.Maps {
		p.defs[m.Var] = definition{mapOf: m}
	}
	for _, g := range p.config.Geos {
		p.defs[g.Var] = definition{geoOf: g}
	}
	for _, sp := range p.config.Splits {
		p.defs[sp.Var] = definition{splitOf: sp}
	}
	for b := range p.config.Blocks() {
		p.collectSet(b)
	}
}

func (p *program) collectSet(b *Block) {
	for _, d := range b.Directives() {
		switch d.Name {
		case "set":
			p.noteVariable(p.set, d.Args, 0)
		case "auth_request_set":
			p.noteVariable(p.later, d.Args, 0)
		case "if":
			for inner := range d.All() {
				if inner.Name == "set" {
					p.noteVariable(p.set, inner.Args, 0)
				}
			}
		}
	}
}

// serverProgram is a server made ready.
type serverProgram struct {
	*blockProgram
	server      *Server
	name        []byte // $server_name
	nameRegexes []*regexProgram
	merge       bool // merge_slashes
	level       *level
	named       map[string]*locationProgram
}

// locationProgram is a location made ready.
type locationProgram struct {
	*blockProgram
	location      *Location
	pattern       string
	regex         *regexProgram
	slashRedirect bool
	internal      bool // nested locations inherit it (…:ngx_http_core_merge_loc_conf)
	inner         *level
	innerRegexes  *level // of a location found by its regex: its prefixes are out of reach
}

// blockProgram is what counts once a block has been chosen.
type blockProgram struct {
	block  *Block
	codes  []instruction
	limits []limitProgram
	realip *realip
	errors []*errorPage

	moves     []move
	maxBody   int64 // client_max_body_size in bytes; 0: any
	proxied   bool  // an upstream answers
	surely    kinds // decided whatever the request is
	needsPath bool  // keys depend on what happened to the request on its way
}

// limitProgram is one limit with its key.
type limitProgram struct {
	bound Bound
	key   *text
}

func (p *program) compileServer(srv *Server) *serverProgram {
	out := &serverProgram{server: srv, name: []byte(serverName(srv)), merge: !off(srv.Block, "merge_slashes"), named: map[string]*locationProgram{}}
	for _, n := range srv.Names {
		var r *regexProgram
		if strings.HasPrefix(n.Text, "~") {
			r = p.regex(n.Regex, n.Text)
		}
		out.nameRegexes = append(out.nameRegexes, r)
	}
	out.blockProgram = p.compileBlock(srv.Block)
	locations := p.compileLocations(srv.Locations)
	for _, loc := range locations {
		if loc.location.Modifier == Named {
			out.named[loc.pattern] = loc
		}
	}
	out.level = newLevel(locations)
	return out
}

// serverName is $server_name: the first name, in lower case, without a
// leading dot; a regular expression as it is written (src/http/ngx_http_core_module.c:ngx_http_core_server_name).
func serverName(srv *Server) string {
	if len(srv.Names) == 0 {
		return ""
	}
	name := srv.Names[0].Text
	if strings.HasPrefix(name, "~") {
		return name
	}
	return strings.TrimPrefix(strings.ToLower(name), ".")
}

func off(b *Block, name string) bool {
	ds, _ := b.Nearest(name)
	return len(ds) > 0 && len(ds[0].Args) > 0 && strings.EqualFold(ds[0].Args[0].Value, "off")
}

func argTexts(args []parser.Arg) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a.Value
	}
	return out
}

func on(b *Block, name string) bool {
	ds, _ := b.Nearest(name)
	return len(ds) > 0 && len(ds[0].Args) > 0 && strings.EqualFold(ds[0].Args[0].Value, "on")
}

func (p *program) compileLocations(locations []*Location) (out []*locationProgram) {
	for _, loc := range locations {
		out = append(out, p.compileLocation(loc))
	}
	return out
}

func (p *program) compileLocation(loc *Location) *locationProgram {
	out := &locationProgram{location: loc, pattern: loc.Pattern}
	isRegex := loc.Modifier == RegexMatch || loc.Modifier == RegexNoCase
	if isRegex {
		out.regex = p.regex(loc.Regex, loc.Pattern)
	}
	out.blockProgram = p.compileBlock(loc.Block)
	internal, _ := loc.Nearest("internal")
	out.internal = len(internal) > 0
	out.inner = newLevel(p.compileLocations(loc.Inner))
	if isRegex {
		out.innerRegexes = onlyRegexes(out.inner)
	}
	out.slashRedirect = !isRegex && strings.HasSuffix(loc.Pattern, "/") && loc.Modifier != Named && proxies(loc.Block)
	return out
}

// onlyRegexes is a level without its prefixes and exact locations: nginx
// builds no tree for what is nested in a regex location
// (src/http/ngx_http.c:ngx_http_init_static_location_trees).
func onlyRegexes(l *level) *level {
	if l == nil || len(l.regexes) == 0 {
		return nil
	}
	return &level{regexes: l.regexes}
}

// proxies tells whether the location's own directives hand requests on,
// which makes nginx redirect to the form with the slash
// (src/http/modules/ngx_http_proxy_module.c:ngx_http_proxy_pass).
func proxies(b *Block) bool {
	for _, name := range []string{"proxy_pass", "fastcgi_pass", "uwsgi_pass", "scgi_pass", "grpc_pass", "memcached_pass"} {
		if len(b.Own(name)) > 0 {
			return true
		}
	}
	return false
}

func (p *program) compileBlock(b *Block) *blockProgram {
	out := &blockProgram{block: b}
	for _, l := range b.LimitReq.Items {
		if l.Zone != nil {
			out.limits = append(out.limits, limitProgram{Bound{Req: l}, p.compile(l.Zone.Key)})
		}
	}
	for _, l := range b.LimitConn.Items {
		if l.Zone != nil {
			out.limits = append(out.limits, limitProgram{Bound{Conn: l}, p.compile(l.Zone.Key)})
		}
	}
	out.realip = p.compileRealip(b)
	p.usesRealip = p.usesRealip || out.realip != nil
	out.errors = p.compileErrorPages(b)
	out.proxied, out.maxBody = proxies(b), maxBody(b)
	out.moves = p.compileMoves(b)
	p.blocks = append(p.blocks, out)
	if b.Level == ServerLevel || b.Level == LocationLevel {
		out.codes = p.compileCodes(b, b.Directives())
	}
	return out
}

// needed lists the fields that routing and the variables of the
// configuration use, in order of their names.
func (p *program) needed() []string {
	names := map[string]bool{"request_uri": true, "request_method": true, "remote_addr": true}
	for name := range p.needs {
		names[name] = true
	}
	if len(p.sockets) > 1 {
		names["server_port"], names["server_addr"], names["scheme"] = true, true, true
	}
	if len(p.servers) > 1 {
		names["http_host"], names["host"], names["server_name"] = true, true, true
	}
	out := make([]string, 0, len(names))
	for name := range names {
		out = append(out, name)
	}
	sort.Strings(out)
	return out
}
