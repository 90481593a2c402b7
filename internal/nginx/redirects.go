package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// RedirectKind says what makes an internal redirect.
type RedirectKind string

// The ways from one location to another after its limits were looked at.
const (
	ByTryFiles  RedirectKind = "try_files"
	ByIndex     RedirectKind = "index"
	ByErrorPage RedirectKind = "error_page"
	ByAccel     RedirectKind = "X-Accel-Redirect"
)

// The ways of a subrequest, which counts as the request that it belongs to:
// limits look once for both.
const (
	ByAuthRequest RedirectKind = "auth_request"
	ByMirror      RedirectKind = "mirror"
	ByAddition    RedirectKind = "addition"
)

// Redirect is one way that nginx may take a request from a block to another
// location, past the limits of the first. A rewrite is none: it happens
// before the limits.
type Redirect struct {
	Kind RedirectKind
	From *Block
	// To is the location, nil for the server itself; with Unsure it cannot
	// be told, because the path has variables.
	To     *Location
	Unsure bool
	URI    string            // as written
	Codes  []int             // of an error_page
	Dir    *parser.Directive // nil for X-Accel-Redirect and the default index
}

// Redirects are the internal redirects that may start in a block.
func (b *Block) Redirects() []Redirect {
	if b.Server == nil || b.RewriteEnds().Always != nil {
		return b.errorPages()
	}
	all := b.tryFiles()
	all = append(all, b.indexes()...)
	all = append(all, b.errorPages()...)
	return append(all, b.accel()...)
}

// tryFiles is the last argument of try_files: the others are files that are
// served where they are found. try_files is not inherited
// (ngx_http_try_files_module.c has no merge).
func (b *Block) tryFiles() []Redirect {
	for _, d := range b.own["try_files"] {
		if len(d.Args) < 2 {
			continue
		}
		last := d.Args[len(d.Args)-1].Value
		if strings.HasPrefix(last, "=") {
			return nil
		}
		return []Redirect{b.redirect(ByTryFiles, last, d)}
	}
	return nil
}

// indexes are for requests of a folder; only the static handler looks for
// them, and only in a location whose paths may end in "/".
func (b *Block) indexes() []Redirect {
	d, _ := b.Handler()
	if d != nil && d.Name != "root" && d.Name != "alias" && d.Name != "try_files" || b.Level == ServerLevel || b.Location == nil {
		return nil
	}
	if b.Location.Modifier != Prefix && b.Location.Modifier != PrefixNoRegex || !strings.HasSuffix(b.Location.Pattern, "/") {
		return nil
	}
	names, dir := b.indexNames()
	var all []Redirect
	for _, name := range names {
		if strings.HasPrefix(name, "/") {
			all = append(all, b.redirect(ByIndex, name, dir))
		} else {
			all = append(all, b.redirect(ByIndex, b.Location.Pattern+name, dir))
		}
	}
	return all
}

func (b *Block) indexNames() (names []string, dir *parser.Directive) {
	ds, _ := b.Nearest("index")
	if len(ds) == 0 {
		return []string{"index.html"}, nil
	}
	for _, d := range ds {
		for _, arg := range d.Args {
			names = append(names, arg.Value)
		}
	}
	return names, ds[0]
}

func (b *Block) errorPages() []Redirect {
	var all []Redirect
	for _, p := range b.ErrorPage.Items {
		if !strings.HasPrefix(p.Target.Text, "/") && !strings.HasPrefix(p.Target.Text, "@") {
			continue // a redirect of the client
		}
		r := b.redirect(ByErrorPage, p.Target.Text, p.Dir)
		r.Codes = p.Codes
		all = append(all, r)
	}
	return all
}

// accel are the internal locations that an upstream may send a request to.
func (b *Block) accel() []Redirect {
	d, _ := b.Pass()
	if d == nil || b.Server == nil {
		return nil
	}
	var all []Redirect
	for _, l := range b.Server.Locations {
		if l.Internal && l.Modifier != Named && l.Block != b {
			all = append(all, Redirect{Kind: ByAccel, From: b, To: l, URI: l.Pattern})
		}
	}
	return all
}

func (b *Block) redirect(kind RedirectKind, uri string, d *parser.Directive) Redirect {
	r := Redirect{Kind: kind, From: b, URI: uri, Dir: d}
	if b.Server == nil {
		r.Unsure = true
		return r
	}
	if strings.HasPrefix(uri, "@") {
		r.To = b.Server.Named(uri)
		r.Unsure = r.To == nil
		return r
	}
	path, _, _ := strings.Cut(uri, "?")
	if strings.Contains(path, "$") || !strings.HasPrefix(path, "/") {
		r.Unsure = true
		return r
	}
	to, sure := b.Server.Find(path)
	r.To, r.Unsure = to, !sure
	return r
}

// arrivals are the internal redirects of all blocks.
type arrivals struct {
	to map[*Location][]Redirect
	// callers are the subrequests.
	callers map[*Location][]Redirect
	// unsure are the locations of a server from which a redirect may lead
	// anywhere in it.
	unsure map[*Server][]*Location
}

func (c *Config) arrivals() *arrivals {
	c.arriving.Do(func() {
		a := &arrivals{map[*Location][]Redirect{}, map[*Location][]Redirect{}, map[*Server][]*Location{}}
		for b := range c.Blocks() {
			if b.Level >= ServerLevel && b.Level <= LimitExceptLevel {
				a.start(b)
			}
		}
		c.arrived = a
	})
	return c.arrived
}

// start adds the redirects that start in a block.
func (a *arrivals) start(b *Block) {
	inside := b.Level == IfLevel || b.Level == LimitExceptLevel
	for _, r := range b.Subrequests() {
		if !inside && r.To != nil && r.To != b.Location {
			a.callers[r.To] = append(a.callers[r.To], r)
		}
	}
	for _, r := range b.Redirects() {
		switch {
		case inside && (r.Dir == nil || r.Dir.Parent != b.Dir):
			// the enclosing location's
		case r.Unsure:
			a.unsure[b.Server] = append(a.unsure[b.Server], b.Location)
		case r.To != nil && r.To != b.Location:
			a.to[r.To] = append(a.to[r.To], r)
		}
	}
}

// Subrequests are those that requests of a block make, after its limits.
// Like other settings these directives come from the nearest level.
func (b *Block) Subrequests() []Redirect {
	if b.RewriteEnds().Always != nil {
		return nil
	}
	var all []Redirect
	for _, by := range []struct {
		directive string
		kind      RedirectKind
	}{
		{"auth_request", ByAuthRequest}, {"mirror", ByMirror}, {"add_before_body", ByAddition}, {"add_after_body", ByAddition},
	} {
		ds, _ := b.Nearest(by.directive)
		for _, d := range ds {
			if uri := firstArg(d); strings.HasPrefix(uri, "/") {
				all = append(all, b.redirect(by.kind, uri, d))
			}
		}
	}
	return all
}

// Callers are the subrequests that lead to a location, in source order.
func (c *Config) Callers(l *Location) []Redirect { return c.arrivals().callers[l] }

// Arrivals are the internal redirects that may lead to a location from
// another one, in source order. Those with variables in their path are not
// among them.
func (c *Config) Arrivals(l *Location) []Redirect { return c.arrivals().to[l] }

// mayBeTarget tells whether an internal redirect may lead to the location.
func (c *Config) mayBeTarget(l *Location) bool {
	if l.Modifier == Named || l.Internal || len(c.Arrivals(l)) > 0 {
		return true
	}
	for _, from := range c.arrivals().unsure[l.Server] {
		if from != l {
			return true
		}
	}
	return false
}
