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
	Duplicate              // a directive that may stand once in a block
)

// Error is a fault of the input at a place, in nginx's words where nginx has
// words for it.
type Error struct {
	Kind  Kind
	Span  Span
	Msg   string // nginx's wording without level and place
	Line  int    // the line nginx reports, which may not be Span's
	Chain []Span // the include directives that led here, innermost first
	Hint  string // what may help, not nginx's words; often empty

	order int // in which faults and notes were found
}

// Error is file:line:column: message.
func (e *Error) Error() string { return e.Span.String() + ": " + e.Msg }
