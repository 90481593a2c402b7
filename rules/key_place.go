package rules

import (
	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

// keyPlace is where a fault of a key is best shown: the innermost map or geo
// through which it comes, with the zone as second place, or the key itself.
func keyPlace(z *nginx.Zone, source nginx.Source) (parser.Span, []Related) {
	if len(source.Via) == 0 {
		return z.Dir.ArgSpan(0), nil
	}
	return source.Via[len(source.Via)-1], []Related{also(z.Dir, "the zone that uses it as key")}
}
