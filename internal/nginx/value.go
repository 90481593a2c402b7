package nginx

import "github.com/nglimit/nglimit/parser"

// Value is a text with variables, such as a key.
type Value struct {
	Text  string // as written, decoded
	Parts []Part
}

// Part is a literal, a variable or a numbered capture.
type Part struct {
	Literal string
	Var     string // lower case, without "$"; for a capture its digit
}

// Map is one map block.
type Map struct {
	Source              *Value
	Var                 string
	Dir                 *parser.Directive
	Hostnames, Volatile bool
	Default             *MapEntry   // nil: ""
	Entries             []*MapEntry // in order, without default
}

// MapEntry is one line of a map.
type MapEntry struct {
	Pattern string // as written, without escaping "\" of special words
	Regex   bool   // Pattern begins with "~"
	// Wildcards tells that the entry stands after "hostnames", so that "*.x"
	// and the like are wildcards in it.
	Wildcards bool
	Result    *Value
	Span      parser.Span
}

// Geo is one geo block. Its networks are read by the evaluator; the model
// keeps what reviews need.
type Geo struct {
	Source     *Value // nil: the client's address
	Var        string
	Dir        *parser.Directive
	Ranges     bool
	Results    []string      // distinct results in order of appearance, default included; never more than 4096
	Many       bool          // Results is not all of them
	Longest    int           // bytes of the longest result
	Exempt     []parser.Span // the first lines with an empty result
	HasDefault bool
}

// Split is one split_clients block.
type Split struct {
	Source  *Value
	Var     string
	Dir     *parser.Directive
	Results []string
	Rest    bool // has a "*"; without it what is left over gets ""
}

// Upstream is one upstream block of http.
type Upstream struct {
	*Block
	Name string
}

// LogFormat is one log_format.
type LogFormat struct {
	Name   string
	Escape string // default, json, none
	Value  *Value // the joined text
	Dir    *parser.Directive
}
