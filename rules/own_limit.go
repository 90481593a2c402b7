package rules

import (
	"strconv"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

// ownLimit is the first limit that a block itself declares; nil when it
// declares none.
func ownLimit(b *nginx.Block) *parser.Directive {
	switch {
	case b.LimitReq.From == b:
		return b.LimitReq.Items[0].Dir
	case b.LimitConn.From == b:
		return b.LimitConn.Items[0].Dir
	default:
		return nil
	}
}

// harmlessAnswer tells whether a return answers with a redirect, a 404 or by
// closing the connection: nobody minds that it is not limited.
func harmlessAnswer(end *parser.Directive) bool {
	if end.Name != "return" {
		return true // a redirecting rewrite
	}
	code, err := strconv.Atoi(end.Args[0].Value)
	return err != nil || code >= 300 && code < 400 || code == 404 || code == 444
}
