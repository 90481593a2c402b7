package nginx

import (
	"errors"

	"github.com/nglimit/nglimit/internal/nginx/pcre"
	"github.com/nglimit/nglimit/parser"
)

type regexID struct {
	pattern  string
	caseless bool
}

// regex compiles a pattern once for all its uses; nil when nginx would refuse
// it or this program cannot run it, which is noted.
func (b *builder) regex(pattern string, caseless bool, d *parser.Directive, at parser.Span) *pcre.Regex {
	id := regexID{pattern, caseless}
	if r, known := b.regexes[id]; known {
		return r
	}
	r, err := pcre.Compile(pattern, caseless)
	var syntax *pcre.SyntaxError
	switch {
	case errors.As(err, &syntax):
		b.refuse(d, at, err.Error())
	case err != nil:
		b.unjudged(at, err.Error())
	}
	if err != nil {
		r = nil
	}
	b.regexes[id] = r
	return r
}
