package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// evalVar is one variable that the configuration uses.
type evalVar struct {
	name     string
	get      getter
	fleeting bool // computed anew each time: nginx does not cache it
	volatile bool // forgotten before each text that uses it
	field    int
	suffix   string // of arg_, cookie_ and the like
	mapping  *mapping
	geo      *geoTable
	split    *splitTable
}

type getter func(*state, *evalVar) datum

// definition is a block that gives a variable its value.
type definition struct {
	mapOf   *Map
	geoOf   *Geo
	splitOf *Split
}

// variable is the number of a variable; its meaning is found out later, when
// every name that the configuration defines is known.
func (p *program) variable(name string) int {
	name = strings.ToLower(name)
	if i, ok := p.index[name]; ok {
		return i
	}
	p.index[name] = len(p.vars)
	p.vars = append(p.vars, evalVar{name: name})
	return len(p.vars) - 1
}

func (p *program) noteVariable(in map[string]bool, args []parser.Arg, i int) {
	if i < len(args) {
		in[strings.ToLower(strings.TrimPrefix(args[i].Value, "$"))] = true
	}
}

// resolve finds out what each variable is. Maps refer to further variables,
// which queue up behind.
func (p *program) resolve() {
	for i := 0; i < len(p.vars); i++ {
		v := p.meaning(p.vars[i].name)
		v.name = p.vars[i].name
		p.vars[i] = v
	}
}

// meaning follows src/http/ngx_http_variables.c:ngx_http_variables_init_vars:
// definitions first, then named groups, built-in names and prefixes; what only
// "set" writes is empty until then.
func (p *program) meaning(name string) evalVar {
	def := p.defs[name]
	switch {
	case def.mapOf != nil:
		return evalVar{get: getMap, mapping: p.compileMap(def.mapOf), volatile: def.mapOf.Volatile}
	case def.geoOf != nil:
		return evalVar{get: getGeo, geo: p.compileGeo(def.geoOf)}
	case def.splitOf != nil:
		return evalVar{get: getSplit, split: p.compileSplit(def.splitOf)}
	case p.named[name]:
		return evalVar{get: getEmpty}
	}
	if v, ok := p.builtin(name); ok {
		return v
	}
	if p.set[name] || p.later[name] {
		return evalVar{get: getEmpty}
	}
	return p.supplied(name)
}

// supplied is a variable that only the request can give.
func (p *program) supplied(name string) evalVar {
	return evalVar{get: getField, field: p.need(name)}
}

// need notes that a field is used.
func (p *program) need(name string) int {
	name = canonicalField(name)
	p.needs[name] = true
	return p.fields.field(name)
}

func getEmpty(*state, *evalVar) datum { return datum{} }

func getField(s *state, v *evalVar) datum { return s.fieldValue(v.field) }
