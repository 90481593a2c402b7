package rules

import (
	"iter"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

// limited yields the blocks that answer requests with at least one limit in
// force: locations, "if" blocks that answer differently are left to their
// location, and servers that have no location of their own.
func limited(c *nginx.Config) iter.Seq[*nginx.Block] {
	return func(yield func(*nginx.Block) bool) {
		for b := range c.Blocks() {
			if !answers(b) || len(b.LimitReq.Items)+len(b.LimitConn.Items) == 0 || alwaysEnds(b) != nil {
				continue
			}
			if !yield(b) {
				return
			}
		}
	}
}

func answers(b *nginx.Block) bool {
	switch b.Level {
	case nginx.LocationLevel:
		return true
	case nginx.ServerLevel:
		return len(b.Server.Locations) == 0
	default:
		return false
	}
}

// alwaysEnds is the directive with which the rewrite phase ends every request
// of a block, its own or its server's; nil when requests go on.
func alwaysEnds(b *nginx.Block) *parser.Directive {
	if b.Server != nil && b.Server.Block != b {
		if d := b.Server.RewriteEnds().Always; d != nil {
			return d
		}
	}
	return b.RewriteEnds().Always
}
