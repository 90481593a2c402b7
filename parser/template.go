package parser

// masked is the text to read the tokens from.
func (f *File) masked() []byte { return f.Source }
