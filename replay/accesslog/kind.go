package accesslog

// Kind says what a line is.
type Kind uint8

// The kinds of lines: a request, and what is none.
const (
	Good      Kind = iota
	Blank          // nothing but spaces
	Malformed      // not of the format
	NoTime         // no time that can be read
	TooLong        // longer than a reader takes
	Cut            // the last line of an input, not whole
	ErrorLog       // a line of nginx's error log
	Marker         // what log rotation or a shell wrote
	Joined         // a part of a line that a container runtime cut; its last part counts
	Foreign        // of another stream or program in the same log
	Kinds          // how many there are
)

// String is the name of the kind, as reports use it.
func (k Kind) String() string {
	names := [Kinds]string{
		"request", "blank", "malformed", "no time", "too long", "cut", "error log", "marker", "joined", "foreign",
	}
	if k >= Kinds {
		return ""
	}
	return names[k]
}

// Remedy says what a person can do about lines of this kind; empty: nothing is
// wrong with them.
func (k Kind) Remedy() string {
	switch k {
	case Malformed:
		return "name the format with log_format, escape=json for JSON, or a mapping of fields"
	case NoTime:
		return "log $msec in every line"
	case TooLong:
		return "raise the longest line that is read, or log shorter values"
	case Cut:
		return "read the file after nginx has reopened it"
	case Good, Blank, ErrorLog, Marker, Joined, Foreign, Kinds:
	}
	return ""
}
