package nginx

// setShape is what a variable of "set" can be. In a given block the server's
// directives have run first, then the location's own; nested locations do not
// run those of the outer one (ngx_http_rewrite_merge_loc_conf copies none). A
// "set" may name the variable itself, and a few of nginx's own can be set.
func (a *analysis) setShape(name string) shape {
	a.local = true
	sum := a.beforeSet(name)
	for _, s := range a.defs.sets[name] {
		if !a.runs(s) {
			continue
		}
		a.partial[name] = sum
		value := a.value(s.value, assumption{})
		value.parts = via(s.dir.HeadSpan(), value.parts)
		value.chosen = via(s.dir.HeadSpan(), value.chosen)
		if a.at == nil || s.conditional || !a.certain(s) {
			sum = sum.or(value)
		} else {
			sum = value
		}
	}
	delete(a.partial, name)
	return sum
}

func (a *analysis) beforeSet(name string) shape {
	if _, stock := LookupVariable(name); stock {
		return a.stock(name)
	}
	none := literalShape("")
	first := a.defs.sets[name][0]
	none.empties = []Emptiness{{Kind: EmptyUnset, Variable: name, Why: "no set has run", Span: first.dir.HeadSpan()}}
	return none
}

// runs tells whether requests in the block may have run it.
func (a *analysis) runs(s *setting) bool {
	if a.at == nil {
		return true
	}
	return s.at.Server == a.at.Server && (a.certain(s) || s.at.Location == a.at.Location || a.redirected())
}

// certain tells whether all requests in the block come to it, conditions aside.
func (a *analysis) certain(s *setting) bool {
	return s.at == a.at || s.at.Level == ServerLevel || a.at.Level > LocationLevel && s.at == a.at.Location.Block
}
