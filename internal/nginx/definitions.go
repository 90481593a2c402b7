package nginx

import (
	"regexp"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// definitions are the variables that a configuration defines itself.
type definitions struct {
	maps      map[string]*Map
	geos      map[string]*Geo
	splits    map[string]*Split
	sets      map[string][]*setting
	captures  map[string][]*capture
	late      map[string]*parser.Directive // auth_request_set
	scripted  map[string]bool              // perl_set, js_set and the like: unknown
	regexMaps bool                         // a map has regular expressions
	scripts   bool                         // a script may assign to any "set" variable
}

// setting is one "set".
type setting struct {
	value       *Value
	at          *Block
	conditional bool // in an "if", or after something that may end the phase
	dir         *parser.Directive
}

// capture is one named group of a regular expression.
type capture struct {
	pattern string
	from    *Value // the text it is matched with
	at      *Block // the location or server whose choice runs it; nil elsewhere
	dir     *parser.Directive
}

// define collects the definitions of a configuration that has been built.
func define(c *Config) *definitions {
	d := &definitions{
		maps: map[string]*Map{}, geos: map[string]*Geo{}, splits: map[string]*Split{},
		sets: map[string][]*setting{}, captures: map[string][]*capture{},
		late: map[string]*parser.Directive{}, scripted: map[string]bool{},
	}
	for _, m := range c.Maps {
		d.maps[m.Var] = m // the last definition wins: ngx_http_map_block
		for _, e := range m.Entries {
			if e.Regex {
				d.regexMaps = true
				d.capture(strings.TrimPrefix(e.Pattern[1:], "*"), m.Source, nil, m.Dir)
			}
		}
	}
	for _, g := range c.Geos {
		d.geos[g.Var] = g
	}
	for _, s := range c.Splits {
		d.splits[s.Var] = s
	}
	for b := range c.Blocks() {
		d.block(b)
	}
	return d
}

func (d *definitions) block(b *Block) {
	switch b.Level {
	case ServerLevel:
		for _, name := range b.Server.Names {
			if pattern, found := strings.CutPrefix(name.Text, "~"); found {
				d.capture(pattern, variableValue("host"), b, name.Dir)
			}
		}
	case LocationLevel:
		if m := b.Location.Modifier; m == RegexMatch || m == RegexNoCase {
			d.capture(b.Location.Pattern, variableValue("uri"), b, b.Dir)
		}
	default: // the others are not chosen by a regular expression
	}
	d.rewrites(b, b.order, b.Level == IfLevel)
}

// rewrites reads the directives of the rewrite phase; "if" of a server is not
// a block of its own.
func (d *definitions) rewrites(b *Block, list []*parser.Directive, conditional bool) {
	for _, dir := range list {
		switch dir.Name {
		case "set":
			if len(dir.Args) == 2 {
				name := strings.ToLower(strings.TrimPrefix(dir.Args[0].Value, "$"))
				value, _ := ParseValue(dir.Args[1].Value)
				d.sets[name] = append(d.sets[name], &setting{value, b, conditional, dir})
			}
		case "if":
			d.condition(dir)
			if b.Level == ServerLevel {
				d.rewrites(b, dir.Children, true)
			}
		case "rewrite":
			if len(dir.Args) > 1 {
				d.capture(dir.Args[0].Value, variableValue("uri"), nil, dir)
			}
			conditional = true
		case "break", "return":
			conditional = true
		default:
			d.other(dir)
		}
	}
}

// condition finds the named groups of "if ($x ~ pattern)".
func (d *definitions) condition(dir *parser.Directive) {
	for i := 1; i+1 < len(dir.Args); i++ {
		switch dir.Args[i].Value {
		case "~", "~*", "!~", "!~*":
			subject, _ := ParseValue(strings.TrimLeft(dir.Args[i-1].Value, "("))
			d.capture(strings.TrimSuffix(dir.Args[i+1].Value, ")"), subject, nil, dir)
		}
	}
}

// other finds variables that modules define at run time.
func (d *definitions) other(dir *parser.Directive) {
	name := dir.Name
	switch {
	case name == "auth_request_set" && len(dir.Args) == 2:
		d.late[definedBy(dir)] = dir
	case (name == "perl_set" || name == "js_set" || name == "js_var") && len(dir.Args) > 0:
		d.scripted[definedBy(dir)] = true
		d.scripts = d.scripts || name == "js_var"
	case strings.Contains(name, "_by_lua"):
		d.scripts = true
		if len(dir.Args) > 0 {
			d.scripted[definedBy(dir)] = true
		}
	case name == "perl" || strings.HasPrefix(name, "js_") || strings.HasPrefix(name, "set_"):
		d.scripts = d.scripts || name != "set_real_ip_from"
		if strings.HasPrefix(name, "set_") && len(dir.Args) > 0 {
			d.scripted[definedBy(dir)] = true
		}
	}
}

func definedBy(d *parser.Directive) string {
	name, found := strings.CutPrefix(d.Args[0].Value, "$")
	if !found {
		return ""
	}
	return strings.ToLower(name)
}

func variableValue(name string) *Value {
	return &Value{Text: "$" + name, Parts: []Part{{Var: name}}}
}

// namedGroup finds (?<name>, (?P<name> and (?'name'.
var namedGroup = regexp.MustCompile(`\(\?(?:P?<|')([A-Za-z_][A-Za-z0-9_]*)[>']`)

func (d *definitions) capture(pattern string, from *Value, at *Block, dir *parser.Directive) {
	for _, m := range namedGroup.FindAllStringSubmatch(pattern, -1) {
		name := strings.ToLower(m[1])
		d.captures[name] = append(d.captures[name], &capture{pattern, from, at, dir})
	}
}

func hasGroup(pattern, name string) bool {
	for _, m := range namedGroup.FindAllStringSubmatch(pattern, -1) {
		if strings.EqualFold(m[1], name) {
			return true
		}
	}
	return false
}

// known tells whether the configuration defines the variable.
func (d *definitions) known(name string) bool {
	return d.maps[name] != nil || d.geos[name] != nil || d.splits[name] != nil ||
		len(d.sets[name]) > 0 || len(d.captures[name]) > 0 || d.late[name] != nil || d.scripted[name]
}
