package nginx

// datum is a value that may be missing: the bytes, or the name of the variable
// that the request does not supply.
type datum struct {
	b    []byte
	miss string // not empty: unknown, and b means nothing
}

func known(b []byte) datum        { return datum{b: b} }
func missing(name string) datum   { return datum{miss: name} }
func (d datum) unknown() bool     { return d.miss != "" }
func (d datum) same(o datum) bool { return d.miss == o.miss && string(d.b) == string(o.b) }

// cell is the value of one variable within one request, as nginx keeps it in
// r->variables: valid while its stamp is that of the request.
type cell struct {
	stamp uint64
	val   datum
	fixed bool // written by "set" or a named capture: cacheable whatever the variable is
}

// captures are $1…$9 of the regular expression that matched last.
type captures struct {
	subject []byte
	ovector []int // pairs of offsets, the whole match first; nil: none
	miss    string
}

func (c captures) group(n int) datum {
	switch {
	case c.miss != "":
		return missing(c.miss)
	case 2*n+1 >= len(c.ovector) || c.ovector[2*n] < 0:
		return datum{}
	}
	return known(c.subject[c.ovector[2*n]:c.ovector[2*n+1]])
}

// state is one request on its way through the phases.
type state struct {
	prog  *program
	memos []mapMemo
	req   *Request
	in    inputs

	stamp uint64
	cells []cell
	caps  captures
	arena []byte // results of this request; earlier slices survive its growth

	srv         *serverProgram
	method      []byte // not nil: an internal redirect changed it
	uri, args   datum
	argsChanged bool // args no longer are those of the request line
	uriChanged  bool // a rewrite wants another location
	escapes     bool // the request's path had "%" or "+" in it
	quote       bool // the rewrite module escapes captures in "set" until a rewrite matched
	changes     int  // of the URI, so far
	errStatus   int  // $status once an error page is on its way
	headerless  bool // the request line was refused: no header has been read
	internal    bool // a rewrite or internal redirect happened
	preaccess   bool // the location's own real IP settings count from here on
	block       *blockProgram
	addr        addressCache

	recording bool
	reads     []read
	seen      []uint64 // by slot: the stamp of the recording that has read it
	recStamp  uint64

	failed  bool     // a text could not be put together: the request ends with 500
	choices []choice // answers to questions that the request leaves open
	asked   int
	depth   int     // nesting of maps: a loop ends here
	steps   *[]Step // nil: nobody listens
	phase   string
}

// choice is one question that the request leaves open and the answer that is
// being tried.
type choice struct {
	name   string
	n, try int
}

// choose asks an open question with n answers; the answers are tried one
// after the other by running the phases again.
func (s *state) choose(n int, name string) int {
	if n < 2 {
		return 0
	}
	if s.asked == len(s.choices) {
		s.choices = append(s.choices, choice{name: name, n: n})
	}
	s.asked++
	return s.choices[s.asked-1].try
}

// begin makes the state ready for a request. The arena is kept: its old
// contents belong to nobody after the previous Route.
func (s *state) begin(req *Request) {
	s.req = req
	s.arena = s.arena[:0]
	s.in.read(req)
	s.restart()
}

// restart goes back to the request as it came in.
func (s *state) restart() {
	s.stamp++
	s.caps = captures{}
	s.srv, s.block, s.method = nil, nil, nil
	s.internal, s.preaccess, s.argsChanged, s.uriChanged, s.escapes = false, false, false, false, false
	s.headerless, s.failed, s.errStatus, s.changes = false, false, 0, 0
	s.addr = addressCache{}
	s.asked = 0
	s.uri, s.args = datum{}, datum{}
}

// keep copies b into the request's arena.
func (s *state) keep(b []byte) []byte {
	at := len(s.arena)
	s.arena = append(s.arena, b...)
	return s.arena[at:len(s.arena):len(s.arena)]
}

// maxDepth bounds the nesting of variables: nginx stops at 127 map loops
// (src/http/ngx_http_variables.c:ngx_http_variable_depth).
const maxDepth = 100

// variable is the value of variable i: kept for the rest of the request unless
// the variable is one that nginx does not cache
// (src/http/ngx_http_variables.c:ngx_http_get_indexed_variable).
func (s *state) variable(i int) datum {
	c := &s.cells[i]
	if c.stamp == s.stamp {
		return c.val
	}
	v := &s.prog.vars[i]
	if s.depth >= maxDepth {
		return missing(v.name)
	}
	s.depth++
	val := v.get(s, v)
	s.depth--
	if s.failed { // nginx takes it as not found and tries again the next time
		s.failed = false
		return datum{}
	}
	if !v.fleeting {
		*c = cell{stamp: s.stamp, val: val}
	}
	return val
}

// assign gives variable i a value, as "set" and named captures do.
func (s *state) assign(i int, val datum) {
	s.cells[i] = cell{stamp: s.stamp, val: val, fixed: true}
}

func (s *state) flushAll(parts []piece) {
	for i := range parts {
		if parts[i].v >= 0 {
			s.flush(parts[i].v)
		}
	}
}

// flush forgets what a volatile map gave before, unless "set" wrote the
// variable since (src/http/ngx_http_script.c:ngx_http_script_set_var_code).
func (s *state) flush(i int) {
	if c := &s.cells[i]; s.prog.vars[i].volatile && !c.fixed {
		c.stamp = 0
	}
}
