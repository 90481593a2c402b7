package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// Ends are the places where the rewrite phase takes requests away from a
// block before any limit is looked at.
type Ends struct {
	// Always takes every request that comes to it away: a return, or a
	// rewrite of every URI; nil when some go on.
	Always *parser.Directive
	// Sometimes take some away: a return in an "if", a rewrite of some URIs.
	Sometimes []*parser.Directive

	inServer bool
}

// RewriteEnds says where the block's own rewrite directives take requests
// away. Those of the server run before those of its locations; those of an
// outer location do not run for a nested one.
func (b *Block) RewriteEnds() Ends {
	e := Ends{inServer: b.Level == ServerLevel}
	e.scan(b.order, false)
	return e
}

// scan goes through the directives in order, as nginx runs them, and tells
// whether some requests stop there and stay: then what follows does not take
// all away.
func (e *Ends) scan(list []*parser.Directive, conditional bool) (stays bool) {
	for _, d := range list {
		switch d.Name {
		case "break":
			return true
		case "return":
			e.note(d, !conditional)
			return stays
		case "rewrite":
			takes, all := e.takesAway(d)
			if takes {
				e.note(d, all && !conditional)
			}
			stops := takes || hasFlag(d, "break") || hasFlag(d, "last")
			stays = stays || stops && !takes
			if all && stops {
				return stays
			}
		case "if":
			inner := Ends{inServer: e.inServer}
			stays = inner.scan(flatten(d), true) || stays
			e.Sometimes = append(e.Sometimes, inner.Sometimes...)
		}
		conditional = conditional || stays
	}
	return stays
}

func flatten(d *parser.Directive) []*parser.Directive {
	var all []*parser.Directive
	for inner := range d.All() {
		all = append(all, inner)
	}
	return all
}

func (e *Ends) note(d *parser.Directive, always bool) {
	if always {
		e.Always = d
		return
	}
	e.Sometimes = append(e.Sometimes, d)
}

// takesAway tells whether a rewrite makes requests leave the block, and
// whether it does so with all of them. A replacement with a scheme is a
// redirect without any flag (ngx_http_rewrite_module.c:ngx_http_rewrite). In a
// server "last" only goes on to the choice of a location.
func (e *Ends) takesAway(d *parser.Directive) (takes, all bool) {
	if len(d.Args) < 2 {
		return false, false
	}
	takes = hasFlag(d, "last") && !e.inServer || hasFlag(d, "redirect") || hasFlag(d, "permanent")
	for _, scheme := range []string{"http://", "https://", "$scheme"} {
		takes = takes || strings.HasPrefix(d.Args[1].Value, scheme)
	}
	return takes, matchesAll(d.Args[0].Value)
}

func hasFlag(d *parser.Directive, flag string) bool {
	return len(d.Args) > 2 && d.Args[2].Value == flag
}

// matchesAll knows the usual ways to write "every URI".
func matchesAll(pattern string) bool {
	switch pattern {
	case "^", "/", "^/", ".", ".*", "^.*", "^.*$", "(.*)", "^(.*)", "^(.*)$", "^/.*", "^/.*$", "^/(.*)", "^/(.*)$", ".+", "^.+$", "(.+)", "^(.+)$":
		return true
	}
	return false
}
