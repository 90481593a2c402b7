package nginx

import (
	"fmt"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// SharedZone is one shared memory zone as any module declares it: all names
// of a process are one name space.
type SharedZone struct {
	Name  string
	Owner string            // the module, by the directive that defines such zones
	Size  int64             // bytes; 0 while only used
	Dir   *parser.Directive // the first that names it
}

// claim is one directive's use of a zone name.
type claim struct {
	name, owner string
	size        int64
	defines     bool // a limit's zone, of which there may be one
	arg         int
}

// checkZones follows ngx_cycle.c:ngx_shared_memory_add through the text.
func (b *builder) checkZones() {
	names := map[string]*SharedZone{}
	keys := map[string]string{}
	stream := b.config.Stream
	for d := range everyDirective(b.config.Tree) {
		inStream := stream != nil && stream.Dir != nil && within(d, stream.Dir)
		for _, c := range claims(d, inStream) {
			b.claim(names, keys, d, c)
		}
	}
	if b.incomplete() {
		return
	}
	for _, z := range b.config.SharedZones {
		if z.Size == 0 {
			b.refuseAt(atZones, z.Dir, z.Dir.HeadSpan(), 0, `zero size shared memory zone "`+z.Name+`"`)
		}
	}
}

func within(d, block *parser.Directive) bool {
	for at := d; at != nil; at = at.Parent {
		if at == block {
			return true
		}
	}
	return false
}

func (b *builder) claim(names map[string]*SharedZone, keys map[string]string, d *parser.Directive, c claim) {
	z := names[c.name]
	at := d.ArgSpan(c.arg)
	switch {
	case z == nil:
		z = &SharedZone{Name: c.name, Owner: c.owner, Size: c.size, Dir: d}
		names[c.name] = z
		b.config.SharedZones = append(b.config.SharedZones, z)
	case z.Owner != c.owner:
		b.refuse(d, at, `the shared memory zone "`+c.name+`" is already declared for a different use`)
		return
	case z.Size == 0:
		z.Size = c.size
	case c.size != 0 && c.size != z.Size:
		b.refuse(d, at, fmt.Sprintf(`the size %d of shared memory zone "%s" conflicts with already declared size %d`, c.size, c.name, z.Size))
		return
	}
	if !c.defines {
		return
	}
	if key, taken := keys[c.name]; taken {
		b.refuse(d, at, fmt.Sprintf(`%s "%s" is already bound to key "%s"`, d.Name, c.name, key))
		return
	}
	keys[c.name] = d.Args[0].Value
}

// claims are the zone names in a directive.
func claims(d *parser.Directive, inStream bool) []claim {
	conn := "limit_conn_zone"
	if inStream {
		conn = "stream limit_conn_zone"
	}
	switch d.Name {
	case "limit_req_zone":
		if p, fault := ParseReqZone(d); fault == nil && p.ZoneArg > 0 {
			return []claim{{name: p.Zone, owner: d.Name, size: p.Size, defines: true, arg: p.ZoneArg}}
		}
	case "limit_req":
		if p, fault := ParseReq(d); fault == nil && p.ZoneArg >= 0 {
			return []claim{{name: p.Zone, owner: "limit_req_zone", arg: p.ZoneArg}}
		}
	case "limit_conn_zone":
		if p, fault := ParseConnZone(d); fault == nil && p.ZoneArg > 0 {
			return []claim{{name: p.Zone, owner: conn, size: p.Size, defines: true, arg: p.ZoneArg}}
		}
	case "limit_conn":
		if len(d.Args) == 2 {
			return []claim{{name: d.Args[0].Value, owner: conn}}
		}
	default:
		return otherClaims(d, inStream)
	}
	return nil
}

// cacheZones are the directives with keys_zone=name:size, by the directive
// that uses such a zone by name.
var cacheZones = map[string]string{
	"proxy_cache": "proxy_cache_path", "fastcgi_cache": "fastcgi_cache_path",
	"uwsgi_cache": "uwsgi_cache_path", "scgi_cache": "scgi_cache_path",
}

// otherClaims are those of other modules, as far as they can clash with a
// limit's zone.
func otherClaims(d *parser.Directive, inStream bool) []claim {
	owner := d.Name
	if inStream {
		owner = "stream " + owner
	}
	switch d.Name {
	case "proxy_cache_path", "fastcgi_cache_path", "uwsgi_cache_path", "scgi_cache_path":
		for i, arg := range d.Args {
			if text, found := strings.CutPrefix(arg.Value, "keys_zone="); found {
				return sized(text, owner, i)
			}
		}
	case "proxy_cache", "fastcgi_cache", "uwsgi_cache", "scgi_cache":
		if name := firstArg(d); name != "" && name != "off" && !strings.Contains(name, "$") {
			return []claim{{name: name, owner: cacheZones[d.Name]}}
		}
	case "ssl_session_cache", "ssl_ocsp_cache":
		for i, arg := range d.Args {
			if text, found := strings.CutPrefix(arg.Value, "shared:"); found {
				return sized(text, owner, i)
			}
		}
	case "lua_shared_dict":
		if len(d.Args) == 2 {
			return sized(d.Args[0].Value+":"+d.Args[1].Value, owner, 0)
		}
	case "zone":
		return upstreamClaim(d, owner)
	}
	return nil
}

func upstreamClaim(d *parser.Directive, owner string) []claim {
	if d.Parent == nil || d.Parent.Name != "upstream" || len(d.Args) == 0 {
		return nil
	}
	c := claim{name: d.Args[0].Value, owner: owner}
	if len(d.Args) > 1 {
		c.size, _ = parseSize(d.Args[1].Value)
	}
	return []claim{c}
}

func sized(text, owner string, arg int) []claim {
	name, size, _ := strings.Cut(text, ":")
	bytes, ok := parseSize(size)
	if name == "" || !ok || bytes == 0 {
		return nil
	}
	return []claim{{name: name, owner: owner, size: bytes, arg: arg}}
}
