package nginx

import (
	"iter"
	"sync"

	"github.com/nglimit/nglimit/parser"
)

// Config is the effective configuration: every block with what is in force in
// it and who says so.
type Config struct {
	Tree        *parser.Tree
	HTTP        *Block // nil when the configuration has no http part
	Stream      *Block // nil when it has no stream part
	Zones       []*Zone
	Servers     []*Server // of http, in order
	Maps        []*Map
	Geos        []*Geo
	Splits      []*Split
	Upstreams   []*Upstream
	LogFormats  []*LogFormat
	Snippet     bool            // the input was a fragment: what it lacks may stand elsewhere
	SharedZones []*SharedZone   // of all modules, in order of appearance
	Unjudged    []*parser.Error // places that nginx accepts and this model does not follow
	// Refused holds what nginx would not start with although the syntax is
	// right, in nginx's words; Line is 0 where nginx names no place.
	Refused []*parser.Error

	defs     *definitions
	facts    factsCache
	arriving sync.Once
	arrived  *arrivals
}

// Level is the kind of a block.
type Level uint8

// The levels of a configuration.
const (
	HTTPLevel Level = iota
	ServerLevel
	LocationLevel
	IfLevel          // "if" in a location: a location of its own
	LimitExceptLevel // likewise
	StreamLevel
	StreamServerLevel
	UpstreamLevel
)

// Block is one level of the configuration and what is in force there.
type Block struct {
	Level    Level
	Dir      *parser.Directive // nil for a block that a snippet implies
	Parent   *Block            // nil for http and stream
	Server   *Server           // nil above server level
	Location *Location         // nil above location level; for "if" the enclosing location
	Children []*Block          // in source order

	LimitReq  List[*ReqLimit]
	LimitConn List[*ConnLimit]

	LimitReqStatus    Scalar[int]    // default 503
	LimitReqLogLevel  Scalar[string] // default "error"
	LimitReqDryRun    Scalar[bool]
	LimitConnStatus   Scalar[int]
	LimitConnLogLevel Scalar[string]
	LimitConnDryRun   Scalar[bool]

	SetRealIPFrom   List[*Trust]
	RealIPHeader    Scalar[string] // default "X-Real-IP"
	RealIPRecursive Scalar[bool]

	AddHeader List[*Header] // after add_header_inherit
	// AddHeaderInherit is "on", "off" or "merge" (since nginx 1.29.3).
	AddHeaderInherit Scalar[string]
	ErrorPage        List[*ErrorPage]
	AccessLog        List[*AccessLog] // nobody wrote any: logs/access.log in "combined"

	own   map[string][]*parser.Directive
	order []*parser.Directive // all own directives
}

// List is a directive that accumulates at one level and is replaced as a
// whole by the next level that has any of it.
type List[T any] struct {
	Items []T    // what is in force
	From  *Block // the level that wrote it; nil when nobody did
}

// Scalar is a directive whose value is inherited on its own.
type Scalar[T any] struct {
	Value T
	Dir   *parser.Directive // who says so; nil for nginx's default
}

// Own returns the block's own directives of that name, includes expanded, in
// order.
func (b *Block) Own(name string) []*parser.Directive { return b.own[name] }

// Directives returns all the block's own directives, includes expanded, in
// order.
func (b *Block) Directives() []*parser.Directive { return b.order }

// Nearest returns the directives of that name at the nearest level that has
// any, and that level: how nginx inherits everything that a level replaces.
func (b *Block) Nearest(name string) ([]*parser.Directive, *Block) {
	for at := b; at != nil; at = at.Parent {
		if ds := at.own[name]; len(ds) > 0 {
			return ds, at
		}
	}
	return nil, nil
}

// Blocks yields every block of http in source order, outer before inner:
// http, servers, locations, "if" and limit_except blocks. Upstreams are not
// among them.
func (c *Config) Blocks() iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		if c.HTTP != nil {
			c.HTTP.walk(yield)
		}
	}
}

func (b *Block) walk(yield func(*Block) bool) bool {
	if b.Level == UpstreamLevel {
		return true
	}
	if !yield(b) {
		return false
	}
	for _, inner := range b.Children {
		if !inner.walk(yield) {
			return false
		}
	}
	return true
}
