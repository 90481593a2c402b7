package parser

import "sort"

// counts is the set of numbers of arguments that a directive takes.
type counts uint16

const (
	args0 counts = 1 << iota
	args1
	args2
	args3
	args4
	args5
	args6
	args7
	oneOrMore
	twoOrMore
	anyCount
	onOff // one argument, on or off
)

// has tells whether n arguments are allowed; ngx_conf_file.c:ngx_conf_handler.
func (c counts) has(n int) bool {
	switch {
	case c&anyCount != 0:
		return true
	case c&onOff != 0:
		return n == 1
	case c&oneOrMore != 0:
		return n >= 1
	case c&twoOrMore != 0:
		return n >= 2
	default:
		return n <= 7 && c&(1<<n) != 0
	}
}

// command is one entry of a module's table of directives; one name may have
// several.
type command struct {
	name    string
	in      context
	counts  counts
	block   bool
	once    bool    // a second one in the same block is a duplicate
	since   version // 0: before 1.0.0, or not known
	removed version // 0: never
}

// oldest is the oldest nginx that is assumed where no version is named.
const oldest version = 1_018_000

// exists tells whether nginx of a version has the directive.
func (c *command) exists(v version) bool {
	if v == 0 {
		return c.removed == 0 || c.removed > oldest
	}
	return c.since <= v && (c.removed == 0 || v < c.removed)
}

// lookup finds the entries of a name.
func lookup(name string) []command {
	i := sort.Search(len(commands), func(i int) bool { return commands[i].name >= name })
	j := i
	for j < len(commands) && commands[j].name == name {
		j++
	}
	return commands[i:j]
}
