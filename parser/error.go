package parser

// Kind says what sort of fault an Error is.
type Kind uint8

// The kinds of Error.
const (
	Syntax     Kind = iota // the tokens or braces are wrong
	BadContext             // "… directive is not allowed here"
	BadArgs                // wrong number of arguments, missing ";" or "{"
	Unknown                // unknown directive
	Unreadable             // a file or include could not be read
	Cycle                  // an include that includes itself
	Template               // placeholders of a template language stand where nginx wants a directive
)

// Error is a fault of the input at a place, in nginx's words where nginx has
// words for it.
type Error struct {
	Kind  Kind
	Span  Span
	Msg   string // nginx's wording without level and place
	Line  int    // the line nginx reports, which may not be Span's
	Chain []Span // the include directives that led here, innermost first
}

// Error is file:line:column: message.
func (e *Error) Error() string { return e.Span.String() + ": " + e.Msg }
