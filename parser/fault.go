package parser

import "slices"

// lexical reports a fault of the tokens or braces.
func (r *fileReader) lexical(pos, lineAt int, msg string) {
	end := min(pos+1, len(r.f.Source))
	r.fault(&Error{Kind: Syntax, Span: r.f.span(int32(pos), int32(end)), Line: r.f.point(lineAt).Line, Msg: msg})
}

// fault adds a fault of the file being read.
func (r *fileReader) fault(e *Error) {
	r.addFault(r.f, e)
}

func (b *builder) addFault(f *File, e *Error) {
	b.faults++
	if b.faults > maxErrors {
		return
	}
	e.Chain, e.order = b.chainNow(), b.nextOrder()
	b.tree.Errors = append(b.tree.Errors, e)
	f.Errors = append(f.Errors, e)
}

func (b *builder) note(e *Error) {
	if len(b.tree.Notes) >= maxErrors {
		return
	}
	e.Chain, e.order = b.chainNow(), b.nextOrder()
	b.tree.Notes = append(b.tree.Notes, e)
}

// chainNow copies the includes that led here, innermost first.
func (b *builder) chainNow() []Span {
	if len(b.chain) == 0 {
		return nil
	}
	out := make([]Span, 0, len(b.chain))
	for _, include := range slices.Backward(b.chain) {
		out = append(out, include)
	}
	return out
}

func (b *builder) nextOrder() int { return len(b.tree.Errors) + len(b.tree.Notes) }
