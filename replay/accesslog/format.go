package accesslog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nglimit/nglimit/internal/nginx"
)

// Format is how the lines of an input are read. It is not changed once made,
// so readers in many goroutines share it.
type Format struct {
	Name    string
	layouts []*layout // tried in this order
}

// layout is one kind of line: its fields, and which variables they hold.
type layout struct {
	pattern *pattern         // nil: JSON
	keys    *keyTree         // of JSON
	fields  []string         // names of the fields, by number
	holds   map[string][]int // by variable: the fields that hold it, best first
	times   []int            // the fields that hold a time, best first
	steps   []Millis         // the finest step that each of times shows; 0: not known
	dash    bool             // "-" stands for a variable that is not set
}

// Hold is a variable with the field of the log that holds it.
type Hold struct {
	Variable string // without "$"; "time" for the end of the request
	Field    string
}

// Mapping lists what the format's lines hold, in order of the variables.
func (f *Format) Mapping() []Hold {
	var all []Hold
	for _, l := range f.layouts {
		for _, field := range l.times {
			all = append(all, Hold{"time", l.fields[field]})
		}
		for variable, fields := range l.holds {
			for _, field := range fields {
				all = append(all, Hold{variable, l.fields[field]})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Hold) int { return strings.Compare(a.Variable, b.Variable) })
	return slices.Compact(all)
}

// Formats that everybody has.
const (
	combinedText = `$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`
	mainText     = combinedText + ` "$http_x_forwarded_for"`
)

// Combined is nginx's own format and what is often added to it: X-Forwarded-For
// in quotes, as in the log_format that nginx's packages call "main", or
// anything else, which is not read.
func Combined() *Format {
	main, combined, more := textLayout(mainText), textLayout(combinedText), textLayout(combinedText)
	more.pattern.open = true
	return &Format{Name: "combined", layouts: []*layout{combined, main, more}}
}

func textLayout(text string) *layout {
	v, _ := nginx.ParseValue(text)
	return newTextLayout(v, "default")
}

// FromDefinition makes a format of a log_format.
func FromDefinition(d *nginx.LogFormat) (*Format, error) {
	var l *layout
	if strings.HasPrefix(strings.TrimLeft(d.Value.Text, " \t\r\n"), "{") && d.Escape != "none" {
		l = newJSONLayout(d.Value, d.Escape)
	}
	if l == nil {
		l = newTextLayout(d.Value, d.Escape)
	}
	if len(l.times) == 0 {
		return nil, fmt.Errorf("log_format %s has no time: it needs $msec, $time_iso8601 or $time_local", d.Name)
	}
	return &Format{Name: d.Name, layouts: []*layout{l}}, nil
}

// newTextLayout compiles a log_format. Variables that follow each other with
// nothing between cannot be told apart and are not read.
func newTextLayout(v *nginx.Value, escape string) *layout {
	l := &layout{
		pattern: &pattern{plain: escape == "none"}, holds: map[string][]int{}, dash: escape == "default" || escape == "",
	}
	p := l.pattern
	literal, adjacent := "", false
	for _, piece := range v.Parts {
		if piece.Var == "" {
			literal += piece.Literal
			adjacent = false
			continue
		}
		if adjacent {
			last := len(l.fields) - 1
			l.fields[last] += "$" + piece.Var
			p.parts[last].form = free
			continue
		}
		p.parts = append(p.parts, part{before: literal, field: len(l.fields), form: formOf(piece.Var)})
		l.fields = append(l.fields, piece.Var)
		literal, adjacent = "", true
	}
	p.tail = strings.TrimRight(literal, " \r\n")
	p.markQuoted()
	for field, name := range l.fields {
		if !strings.Contains(name, "$") {
			l.hold(name, field)
		}
	}
	l.rankTimes()
	return l
}

// newJSONLayout reads a log_format that writes JSON by filling it with the
// names of its variables; nil when that is no JSON.
func newJSONLayout(v *nginx.Value, escape string) *layout {
	var sample strings.Builder
	for _, piece := range v.Parts {
		sample.WriteString(piece.Literal)
		if piece.Var != "" {
			sample.WriteString("\x01" + piece.Var + "\x02")
		}
	}
	keys := newKeyTree()
	var text []byte
	s := jsonScanner{keys: keys, text: &text}
	if !s.scan([]byte(strings.Join(strings.Fields(sample.String()), " ")), true) {
		return nil
	}
	keys.grow = false
	l := &layout{keys: keys, fields: keys.paths, holds: map[string][]int{}, dash: escape == "default" || escape == ""}
	for field, value := range s.vals {
		name, whole := strings.CutSuffix(strings.TrimPrefix(string(value), "\x01"), "\x02")
		if whole && !strings.ContainsAny(name, "\x01\x02") {
			l.hold(name, field)
		}
	}
	l.rankTimes()
	return l
}

func (l *layout) hold(variable string, field int) {
	l.holds[variable] = append(l.holds[variable], field)
}

// rankTimes takes the variables with a time, the finest first.
func (l *layout) rankTimes() {
	for _, name := range []string{"msec", "time_iso8601", "time_local"} {
		for _, field := range l.holds[name] {
			step := Millis(1000)
			if name == "msec" {
				step = 1
			}
			l.addTime(field, step)
		}
	}
}

// addTime takes a field that holds a time of that step.
func (l *layout) addTime(field int, step Millis) {
	l.times, l.steps = append(l.times, field), append(l.steps, step)
}
