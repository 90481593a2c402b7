package parser

import "strings"

// After a fault nginx stops; the reader goes on, and tries to take the text
// as it was meant, so that one slip is one message. What it guesses has no
// influence on the first fault.

// maxGuesses bounds the work on one file: a guess may read its rest again.
const maxGuesses = 50

// split ends a directive before a word that looks like the next directive:
// one that starts a line and may stand here. The ";" between was forgotten.
func (r *fileReader) split(d *Directive) {
	if r.guesses++; r.guesses > maxGuesses {
		return
	}
	in := r.top().in
	for i := range d.Args {
		a := &d.Args[i]
		if a.Quote != 0 || !r.startsLine(a.start) || r.entryFor(a.Value, in) == nil {
			continue
		}
		r.lex.pos = int(a.start)
		d.Args = d.Args[:i]
		d.Parameters = d.Parameters[:i]
		d.Block = false
		d.end = a.start
		return
	}
}

// openBefore opens the block of a directive whose "{" was forgotten, if a "}"
// waits for it: before the word that starts a line and may stand in the block.
func (r *fileReader) openBefore(d *Directive, c *command) {
	if r.extra() <= 0 {
		return
	}
	in := bodyOf(c.name, r.top().in)
	for i := range d.Args {
		a := &d.Args[i]
		if a.Quote == 0 && r.startsLine(a.start) && r.entryFor(a.Value, in) != nil {
			r.lex.pos = int(a.start)
			d.Args = d.Args[:i]
			d.Parameters = d.Parameters[:i]
			d.Block = true
			r.surplus--
			return
		}
	}
}

// cutRegex tells whether d is the rest of an unquoted regular expression
// whose "{" opened a block, as in "location ~ ^/[0-9]{4}$ {".
func (r *fileReader) cutRegex(d *Directive) bool {
	fr := r.top()
	return len(r.pending)-1 == fr.base && strings.Contains(d.Name, "}") && fr.dir != nil &&
		int(fr.dir.term)+1 == int(d.start)
}

// startsLine tells whether only white space precedes an offset on its line.
func (r *fileReader) startsLine(at int32) bool {
	for i := at - 1; i >= 0; i-- {
		switch r.f.Source[i] {
		case '\n':
			return true
		case ' ', '\t', '\r':
		default:
			return false
		}
	}
	return true
}

// extra counts the closing braces that the file has too many; negative if
// some are missing.
func (r *fileReader) extra() int {
	if r.counted {
		return r.surplus
	}
	r.counted = true
	l := r.f.lexer()
	for {
		switch l.next() {
		case endEOF:
			return r.surplus
		case endOpen:
			if !l.skippedLua() {
				r.surplus--
			}
		case endClose:
			r.surplus++
		case endSemi:
		}
	}
}

// misplaced guesses why a directive is where it may not be. A "}" too many
// closed the block that it belongs to: the block is opened again. A "}" was
// forgotten before it: the blocks up to the right one are closed. It returns
// the entry to read the directive by.
func (r *fileReader) misplaced(d *Directive) *command {
	last := r.top().last
	r.guesses++
	switch {
	case r.guesses > maxGuesses:
	case r.extra() > 0 && last.dir != nil && last.dir.File == r.f && r.entryFor(d.Name, last.in) != nil:
		r.reopen(last, d)
		return r.entryFor(d.Name, last.in)
	case r.extra() < 0 && d.Block:
		for up := len(r.frames) - 2; up >= 0; up-- {
			if c := r.entryFor(d.Name, r.frames[up].in); c != nil {
				r.closeDownTo(up, d)
				return c
			}
		}
	}
	if entries := lookup(d.Name); len(entries) > 0 {
		return &entries[0]
	}
	return nil
}

// reopen puts a closed block back on top, with the misplaced directive in it.
func (r *fileReader) reopen(fr frame, d *Directive) {
	r.surplus--
	r.pending = r.pending[:len(r.pending)-1]
	fr.base = len(r.pending)
	r.pending = append(r.pending, fr.dir.Children...)
	r.pending = append(r.pending, d)
	fr.dir.Children = nil
	// The block stands in its parent's list already; closing it again must
	// not add it a second time, which close does not do.
	r.frames = append(r.frames, fr)
	r.adopt(d, fr.dir)
}

// closeDownTo closes the blocks above a frame and puts d into it.
func (r *fileReader) closeDownTo(up int, d *Directive) {
	r.pending = r.pending[:len(r.pending)-1]
	for len(r.frames)-1 > up {
		r.close(int(d.start))
		r.surplus++
	}
	r.pending = append(r.pending, d)
	r.adopt(d, r.top().dir)
}

func (r *fileReader) adopt(d, parent *Directive) {
	d.Parent = parent
	d.Directive.Parent = nil
	if parent != nil {
		d.Directive.Parent = parent.Directive
	}
}
