package parser

// check compares a statement with the table of directives, in the order of
// ngx_conf_file.c:ngx_conf_handler.
func (r *fileReader) check(d *Directive, end ending) {
	in := r.top().in
	if in == inUnknown || r.lex.damaged {
		return
	}
	entries := lookup(d.Name)
	if len(entries) == 0 {
		r.unknown(d)
		return
	}
	for i := range entries {
		if c := &entries[i]; c.in&in != 0 {
			r.checkShape(d, c, end)
			return
		}
	}
	r.headFault(BadContext, d, `"`+cString(d.Name)+`" directive is not allowed here`)
}

func (r *fileReader) checkShape(d *Directive, c *command, end ending) {
	name := cString(d.Name)
	switch {
	case !c.block && end != endSemi:
		r.headFault(BadArgs, d, `directive "`+name+`" is not terminated by ";"`)
	case c.block && end != endOpen:
		r.headFault(BadArgs, d, `directive "`+name+`" has no opening "{"`)
	case !c.counts.has(len(d.Args)):
		r.headFault(BadArgs, d, `invalid number of arguments in "`+name+`" directive`)
	}
}

// unknown judges a name that is in no module of stock nginx.
func (r *fileReader) unknown(d *Directive) {
	e := &Error{Kind: Unknown, Span: d.NameSpan(), Line: d.TermSpan().Start.Line, Msg: `unknown directive "` + cString(d.Name) + `"`}
	r.note(e)
}

func (r *fileReader) headFault(k Kind, d *Directive, msg string) {
	r.fault(&Error{Kind: k, Span: d.HeadSpan(), Line: d.TermSpan().Start.Line, Msg: msg})
}
