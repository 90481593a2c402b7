package nginx

// markNeeds finds the blocks whose keys depend on more than the request as it
// came in: on captures, on what rewrites did, on variables that were written or
// that the rewrite phase may have evaluated before.
func (p *program) markNeeds() {
	early := p.evaluatedEarly()
	for _, b := range p.blocks {
		for _, l := range b.limits {
			if p.sure(l.key, l.bound.kind()) {
				b.surely |= l.bound.kind()
			}
			b.needsPath = b.needsPath || p.textNeeds(l.key, early, map[int]bool{})
		}
	}
}

// sure tells whether a key is neither empty nor too long for any request.
func (p *program) sure(t *text, kind kinds) bool {
	some, short := len(t.literal) > 0, len(t.literal) <= maxConnKey
	for _, part := range t.parts {
		filled := len(part.lit) > 0 || part.v >= 0 && p.alwaysFilled(part.v)
		some = some || filled
		short = short && filled && len(part.lit) < maxConnKey/2
	}
	return some && (short && len(t.parts) < 3 || kind == reqKind)
}

// alwaysFilled tells whether a variable has a short value for every request.
func (p *program) alwaysFilled(v int) bool {
	switch name := p.vars[v].name; name {
	case "remote_addr", "binary_remote_addr", "scheme", "request_method", "server_protocol", "server_port":
		return !p.set[name]
	}
	return false
}

func (p *program) textNeeds(t *text, early, seen map[int]bool) bool {
	for _, part := range t.parts {
		if part.group > 0 || part.v >= 0 && p.varNeeds(part.v, early, seen) {
			return true
		}
	}
	return false
}

func (p *program) varNeeds(i int, early, seen map[int]bool) bool {
	if seen[i] {
		return false
	}
	seen[i] = true
	v := &p.vars[i]
	if early[i] || p.set[v.name] || p.named[v.name] || changes(v.name) {
		return true
	}
	switch {
	case v.mapping != nil:
		return p.mapNeeds(v.mapping, early, seen)
	case v.geo != nil && v.geo.source != nil:
		return p.textNeeds(v.geo.source, early, seen)
	case v.split != nil:
		return p.textNeeds(v.split.source, early, seen)
	}
	return false
}

func (p *program) mapNeeds(m *mapping, early, seen map[int]bool) bool {
	for _, t := range m.texts() {
		if p.textNeeds(t, early, seen) {
			return true
		}
	}
	return false
}

// changes tells whether rewrites and internal redirects change a variable.
func changes(name string) bool {
	switch canonicalField(name) {
	case "uri", "args", "is_args", "request_method", "status":
		return true
	}
	return len(name) > 4 && name[:4] == "arg_"
}

// evaluatedEarly lists the variables whose value the rewrite phase, an error
// page or the choice of a server may have fixed before the limits. Those are
// variables of rewrite directives, and what these refer to.
func (p *program) evaluatedEarly() map[int]bool {
	early := map[int]bool{}
	for _, b := range p.blocks {
		for _, e := range b.errors {
			p.noteEarly(e.target, early)
		}
		p.noteCodes(b.codes, early)
	}
	return early
}

func (p *program) noteCodes(codes []instruction, early map[int]bool) {
	for _, c := range codes {
		switch c := c.code.(type) {
		case setCode:
			p.noteEarly(c.value, early)
		case *rewriteCode:
			p.noteEarly(c.to, early)
		case *ifCode:
			if c.cond.value != nil {
				p.noteEarly(c.cond.value, early)
			}
			p.noteVar(c.cond.v, early)
			p.noteCodes(c.body, early)
		}
	}
}

func (p *program) noteEarly(t *text, early map[int]bool) {
	for _, part := range t.parts {
		if part.v >= 0 {
			p.noteVar(part.v, early)
		}
	}
}

func (p *program) noteVar(i int, early map[int]bool) {
	if early[i] {
		return
	}
	early[i] = true
	v := &p.vars[i]
	switch {
	case v.mapping != nil:
		for _, t := range v.mapping.texts() {
			p.noteEarly(t, early)
		}
	case v.geo != nil && v.geo.source != nil:
		p.noteEarly(v.geo.source, early)
	case v.split != nil:
		p.noteEarly(v.split.source, early)
	}
}

// texts are the source and all results of a map.
func (m *mapping) texts() []*text {
	out := []*text{m.source, m.fallback}
	for _, table := range []map[string]*text{m.exact, m.hosts.head, m.hosts.within, m.hosts.tail} {
		for _, t := range table {
			out = append(out, t)
		}
	}
	for _, r := range m.regexes {
		out = append(out, r.result)
	}
	return out
}
