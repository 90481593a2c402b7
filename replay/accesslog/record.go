package accesslog

// Millis is a point on, or a span of, the real clock in milliseconds; a point
// counts since the epoch.
type Millis int64

// Record is what one line says.
type Record struct {
	// Kind is Good for a request; otherwise the rest means nothing.
	Kind Kind
	// Line is the number of the line in its block, from 0.
	Line int
	// End is when nginx wrote the line: $msec or a less exact variable.
	End Millis
	// Resolution is the step of End: 1, or 1000 for whole seconds.
	Resolution Millis
	// Took is $request_time; negative when the line does not say.
	Took Millis
	// Values are those of the variables that the reader was asked for, in that
	// order. nil is unknown, an empty slice is known to be empty. They are valid
	// until the reader begins another block.
	Values [][]byte
}
