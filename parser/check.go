package parser

import "slices"

// check compares a statement with the table of directives, in the order of
// ngx_conf_file.c:ngx_conf_handler. It returns the entry that applies, nil if
// there is none.
func (r *fileReader) check(d *Directive, end ending) *command {
	in := r.top().in
	if in == inUnknown || r.lex.damaged || r.lex.args[0].Template {
		return r.entryFor(d.Name, in)
	}
	entries := lookup(d.Name)
	if !r.anyExists(entries) {
		return r.unknown(d, entries)
	}
	c := r.entryFor(d.Name, in)
	if c == nil {
		r.headFault(BadContext, d, `"`+cString(d.Name)+`" directive is not allowed here`)
		return r.misplaced(d)
	}
	r.checkShape(d, c, end)
	return c
}

// entryFor is the entry of a name that applies in a context.
func (b *builder) entryFor(name string, in context) *command {
	entries := lookup(name)
	for i := range entries {
		if entries[i].in&in != 0 && entries[i].exists(b.version) {
			return &entries[i]
		}
	}
	return nil
}

func (b *builder) anyExists(entries []command) bool {
	for i := range entries {
		if entries[i].exists(b.version) {
			return true
		}
	}
	return false
}

func (r *fileReader) checkShape(d *Directive, c *command, end ending) {
	name := cString(d.Name)
	switch {
	case !c.block && end != endSemi:
		r.headFault(BadArgs, d, `directive "`+name+`" is not terminated by ";"`)
		r.split(d)
	case c.block && end != endOpen:
		r.headFault(BadArgs, d, `directive "`+name+`" has no opening "{"`)
		r.openBefore(d, c)
	case !c.counts.has(len(d.Args)):
		r.headFault(BadArgs, d, `invalid number of arguments in "`+name+`" directive`)
		r.split(d)
	case c.once && r.top().repeated(c):
		r.headFault(Duplicate, d, `"`+name+`" directive is duplicate`)
	case c.removed != 0 && r.version == 0:
		r.note(&Error{
			Kind: Unknown, Span: d.HeadSpan(), Line: d.termLine(), Msg: `unknown directive "` + name + `"`,
			Hint: "nginx " + c.removed.String() + " and later have it no more",
		})
	}
}

// repeated tells whether the level has that directive already, and remembers
// that it has now.
func (l *level) repeated(c *command) bool {
	if slices.Contains(l.seen, c) {
		return true
	}
	l.seen = append(l.seen, c)
	return false
}

func (r *fileReader) headFault(k Kind, d *Directive, msg string) {
	r.fault(&Error{Kind: k, Span: d.HeadSpan(), Line: d.termLine(), Msg: msg})
}

// termLine is the line that nginx reports for a directive.
func (d *Directive) termLine() int { return d.File.point(int(d.term)).Line }
