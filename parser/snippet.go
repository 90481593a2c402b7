package parser

// rootContext says what block the text of the root file stands in.
func (b *builder) rootContext(f *File) context { return inMain }
