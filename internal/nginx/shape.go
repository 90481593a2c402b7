package nginx

import "slices"

// shape is what is known of a text without a request: the sum of all ways in
// which it can come out.
type shape struct {
	literals []string // the ways without a variable, complete texts
	more     bool     // there are more of them
	dynamic  bool     // there are ways with text of variables
	nonEmpty bool     // there are ways that are not empty
	mayEmpty bool     // an empty way cannot be ruled out

	parts, chosen []Source
	unknown       []string
	late, fixed   []string // variables that are empty, constant at preaccess
	// always has what every way that is not empty contains; meaningless
	// without such a way.
	always  []string
	empties []Emptiness // ways that are empty for certain
	max     int         // bytes; -1: no bound
}

const (
	maxLiterals  = 64
	maxEmpties   = 16
	addressToken = "(client address)" // stands for any address variable in shape.always
)

func literalShape(text string) shape {
	return shape{literals: []string{text}, nonEmpty: text != "", mayEmpty: text == "", max: len(text)}
}

// unknownShape is a text of which nothing is known but the name.
func unknownShape(name string) shape {
	return shape{dynamic: true, nonEmpty: true, mayEmpty: true, unknown: []string{name}, max: -1}
}

// isEmpty tells whether the text is empty whatever happens.
func (s shape) isEmpty() bool { return !s.dynamic && !s.nonEmpty && !s.more }

// finite tells whether literals are all there is.
func (s shape) finite() bool { return !s.dynamic && !s.more }

// or is the text that is either a or b.
func (a shape) or(b shape) shape {
	sum := a.with(b)
	sum.literals = union(a.literals, b.literals)
	sum.more = a.more || b.more
	sum.clip()
	sum.mayEmpty = a.mayEmpty || b.mayEmpty
	switch {
	case !a.nonEmpty:
		sum.always = b.always
	case !b.nonEmpty:
		sum.always = a.always
	default:
		sum.always = intersect(a.always, b.always)
	}
	sum.empties = slices.Concat(a.empties, b.empties)
	if len(sum.empties) > maxEmpties {
		sum.empties = sum.empties[:maxEmpties]
	}
	sum.max = max(a.max, b.max)
	if a.max < 0 || b.max < 0 {
		sum.max = -1
	}
	return sum
}

// then is the text that is a followed by b.
func (a shape) then(b shape) shape {
	sum := a.with(b)
	sum.more = a.more || b.more
	for _, x := range a.literals {
		for _, y := range b.literals {
			sum.literals = add(sum.literals, x+y)
			if len(sum.literals) > maxLiterals {
				sum.clip()
				sum.more = true
				break
			}
		}
	}
	sum.mayEmpty = a.mayEmpty && b.mayEmpty
	sum.always = alwaysOfBoth(a, b)
	sum.empties = emptiesOfBoth(a, b)
	sum.max = a.max + b.max
	if a.max < 0 || b.max < 0 {
		sum.max = -1
	}
	return sum
}

// with is what or and then have in common.
func (a shape) with(b shape) shape {
	return shape{
		dynamic:  a.dynamic || b.dynamic,
		nonEmpty: a.nonEmpty || b.nonEmpty,
		parts:    mergeSources(a.parts, b.parts),
		chosen:   mergeSources(a.chosen, b.chosen),
		unknown:  union(a.unknown, b.unknown),
		late:     union(a.late, b.late),
		fixed:    union(a.fixed, b.fixed),
	}
}

func (s *shape) clip() {
	if len(s.literals) > maxLiterals {
		s.literals, s.more = s.literals[:maxLiterals], true
	}
}

// alwaysOfBoth goes through the three ways in which a followed by b is not
// empty: both are not, only a, only b.
func alwaysOfBoth(a, b shape) []string {
	var ways [][]string
	if a.nonEmpty && b.nonEmpty {
		ways = append(ways, union(a.always, b.always))
	}
	if a.nonEmpty && b.mayEmpty {
		ways = append(ways, a.always)
	}
	if b.nonEmpty && a.mayEmpty {
		ways = append(ways, b.always)
	}
	if len(ways) == 0 {
		return nil
	}
	common := ways[0]
	for _, way := range ways[1:] {
		common = intersect(common, way)
	}
	return common
}

// emptiesOfBoth is certain only where the reasons cannot exclude each other:
// two headers can both be missing, but two maps may be each other's opposite.
func emptiesOfBoth(a, b shape) []Emptiness {
	switch {
	case !a.mayEmpty || !b.mayEmpty:
		return nil
	case b.isEmpty():
		return slices.Concat(a.empties, b.empties)
	case a.isEmpty():
		return slices.Concat(b.empties, a.empties)
	}
	x, y := absences(a.empties), absences(b.empties)
	if len(x) == 0 || len(y) == 0 {
		return nil
	}
	return slices.Concat(x, y)
}

func absences(empties []Emptiness) []Emptiness {
	var absent []Emptiness
	for _, e := range empties {
		if e.Kind == EmptyAbsent {
			absent = append(absent, e)
		}
	}
	return absent
}

func add(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}

func union(a, b []string) []string {
	if len(b) == 0 {
		return a
	}
	sum := slices.Clone(a)
	for _, item := range b {
		sum = add(sum, item)
	}
	return sum
}

func intersect(a, b []string) []string {
	var common []string
	for _, item := range a {
		if slices.Contains(b, item) {
			common = append(common, item)
		}
	}
	return common
}

// mergeSources keeps the first way to each variable.
func mergeSources(a, b []Source) []Source {
	if len(b) == 0 {
		return a
	}
	sum := slices.Clone(a)
	for _, s := range b {
		if !slices.ContainsFunc(sum, func(have Source) bool { return have.Variable == s.Variable }) {
			sum = append(sum, s)
		}
	}
	return sum
}
