package accesslog

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// enough is the share of values that must be valid, in percent: a log may have
// damaged lines, and requests that are none.
const enough = 90

// maxSamples is how many values of a field are looked at.
const maxSamples = 256

// AmbiguousError says that the values alone do not tell which of several
// fields is meant.
type AmbiguousError struct {
	Variable string
	Fields   []string
	Samples  []string // one value of each
}

// Error names the fields with a value of each.
func (e *AmbiguousError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "several fields may be $%s:", e.Variable)
	for i, field := range e.Fields {
		fmt.Fprintf(&b, " %s (%q)", field, e.Samples[i])
	}
	fmt.Fprintf(&b, "; say which with %s=FIELD", e.Variable)
	return b.String()
}

// column is a field of the sample with its values.
type column struct {
	field  int
	name   string // last part of the path, in lower case
	path   string
	values [][]byte // that are not empty
	taken  bool
}

// detectJSON finds out what the fields of JSON lines hold. Without any line
// that is JSON it returns nil.
func detectJSON(sample *Block, given map[string]string) (*layout, error) {
	columns, keys := sampleColumns(sample)
	if len(columns) == 0 {
		return nil, nil //nolint:nilnil // no JSON is no error
	}
	l := &layout{keys: keys, holds: map[string][]int{}, dash: true}
	for _, c := range columns {
		l.fields = append(l.fields, c.path)
	}
	if err := l.assign(columns, given); err != nil {
		return nil, err
	}
	for _, c := range concepts() {
		if _, found := given[c.variable]; found {
			continue
		}
		if err := l.find(c, columns); err != nil {
			return nil, err
		}
	}
	for _, c := range columns {
		if !c.taken && len(l.holds[c.name]) == 0 {
			l.hold(c.name, c.field)
		}
	}
	return l, nil
}

// assign takes the fields that a person named.
func (l *layout) assign(columns []*column, given map[string]string) error {
	for _, variable := range slices.Sorted(maps.Keys(given)) {
		path := given[variable]
		at := slices.IndexFunc(columns, func(c *column) bool { return c.path == path })
		if at < 0 {
			return fmt.Errorf("no field %q for $%s in the first lines", path, variable)
		}
		columns[at].taken = true
		if variable == "time" {
			l.addTime(at, columns[at].resolution())
		} else {
			l.hold(variable, at)
		}
	}
	return nil
}

// find gives a concept the fields whose values are valid and whose names are
// known, in order of the names.
func (l *layout) find(c concept, columns []*column) error {
	found := byName(columns, c)
	switch c.variable {
	case "remote_addr":
		if len(found) == 0 {
			found = onlyOne(columns, c)
		}
		if err := ambiguous(c, found); err != nil {
			return err
		}
		found = found[:min(1, len(found))]
	case "time":
		slices.SortStableFunc(found, func(a, b *column) int { return int(a.resolution() - b.resolution()) })
	}
	for _, col := range found {
		col.taken = true
		if c.variable == "time" {
			l.addTime(col.field, col.resolution())
		} else {
			l.hold(col.variable(c), col.field)
		}
	}
	return nil
}

// byName are the columns with such values under a known name, in order of the
// names.
func byName(columns []*column, c concept) []*column {
	var found []*column
	for _, name := range c.names {
		for _, col := range columns {
			if !col.taken && col.name == name && col.valid(c.valid) {
				found = append(found, col)
			}
		}
	}
	return found
}

// variable is the one that a column of a concept holds.
func (c *column) variable(of concept) string {
	switch {
	case of.variable == "request_uri" && (c.name == "uri" || c.name == "document_uri") && !c.hasQuery():
		return "uri" // nginx's own name for what it has decoded
	case of.variable == "host" && c.name == "http_host":
		return "http_host"
	}
	return of.variable
}

// onlyOne is the one column with such values, whatever its name.
func onlyOne(columns []*column, c concept) []*column {
	var found []*column
	for _, col := range columns {
		if !col.taken && col.valid(c.valid) {
			found = append(found, col)
		}
	}
	return found
}

// ambiguous reports when fields that may be the client's address differ, and
// none bears the variable's name.
func ambiguous(c concept, found []*column) error {
	if len(found) < 2 || found[0].name == c.variable || same(found[0], found[1]) {
		return nil
	}
	e := &AmbiguousError{Variable: c.variable}
	for _, col := range found {
		e.Fields = append(e.Fields, col.path)
		e.Samples = append(e.Samples, string(col.values[0]))
	}
	return e
}

func same(a, b *column) bool { return slices.EqualFunc(a.values, b.values, bytes.Equal) }

func (c *column) valid(valid func([]byte) bool) bool {
	good := 0
	for _, v := range c.values {
		if valid(v) {
			good++
		}
	}
	return good > 0 && good*100 >= len(c.values)*enough
}

func (c *column) hasQuery() bool {
	return slices.ContainsFunc(c.values, func(v []byte) bool { return bytes.IndexByte(v, '?') >= 0 })
}

// resolution is the finest step of the times in a column. Who writes numbers
// anew drops zeros at their end, so that 0.1 is as exact as the 0.123 beside it.
func (c *column) resolution() Millis {
	finest := Millis(1000)
	for _, v := range c.values {
		if _, resolution, ok := parseTime(v); ok {
			finest = min(finest, resolution)
		}
	}
	return finest
}

// sampleColumns reads the JSON lines of a block. The tree has their keys.
func sampleColumns(sample *Block) ([]*column, *keyTree) {
	var text []byte
	s := jsonScanner{keys: newKeyTree(), text: &text}
	var columns []*column
	for line := range bytes.SplitSeq(sample.Text, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] != '{' || !s.scan(line, true) {
			continue
		}
		for field, v := range s.vals {
			if field == len(columns) {
				path := s.keys.paths[field]
				name := path[strings.LastIndexByte(path, '.')+1:]
				columns = append(columns, &column{field: field, path: path, name: strings.ToLower(name)})
			}
			if c := columns[field]; len(v) > 0 && string(v) != "-" && len(c.values) < maxSamples {
				c.values = append(c.values, bytes.Clone(v))
			}
		}
	}
	s.keys.grow = false
	return columns, s.keys
}
