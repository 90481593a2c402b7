package accesslog

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/nglimit/nglimit/internal/nginx"
)

// Hints is what is known of an input's format before it is read.
type Hints struct {
	// Defined are the log_formats of the configuration.
	Defined []*nginx.LogFormat
	// Named is the name of the log_format that wrote the input: of Defined, or
	// "combined"; empty when nobody knows.
	Named string
	// Fields maps a variable without "$", or "time", to the JSON field that
	// holds it.
	Fields map[string]string
}

// ErrNoRequests says that not one of the first lines is a request in any
// format.
var ErrNoRequests = errors.New("no line of the first block is a request")

// Choose finds the format of an input by its first block. The definition that
// is named counts if it fits; then the one that fits best; then what the
// values look like. Lines of other formats in the same input are read too.
func Choose(sample *Block, hints Hints) (*Format, error) {
	guessed, err := detect(sample, hints.Fields)
	if err != nil {
		return nil, err
	}
	most := fit(guessed, sample, 0)
	if len(hints.Fields) == 0 {
		if f := chooseDefined(sample, hints, most); f != nil {
			f.layouts = append(f.layouts, guessed.layouts...)
			return f, nil
		}
	}
	if most == 0 {
		return nil, fmt.Errorf("%w; the first is %q", ErrNoRequests, firstLine(bytes.TrimLeft(sample.Text, " \t\r\n")))
	}
	return guessed, nil
}

// detect makes a format of what the lines look like.
func detect(sample *Block, given map[string]string) (*Format, error) {
	f := Combined()
	l, err := detectJSON(sample, given)
	if err != nil {
		return nil, err
	}
	if l != nil {
		f.Name = "json"
		f.layouts = append([]*layout{l}, f.layouts...)
	}
	return f, nil
}

// chooseDefined finds the log_format that reads at least as many lines as
// guessing does.
func chooseDefined(sample *Block, hints Hints, guessed int) *Format {
	var best *Format
	most := guessed*enough/100 - 1
	for _, d := range hints.Defined {
		f, err := FromDefinition(d)
		if err != nil {
			continue
		}
		n := fit(f, sample, enough)
		if n > 0 && n > most {
			best, most = f, n
		}
		if n > 0 && d.Name == hints.Named && n >= guessed*enough/100 {
			return f
		}
	}
	return best
}

// fit counts the lines that a format reads and that have at least so many
// percent of its fields.
func fit(f *Format, sample *Block, share int) int {
	var want []string
	for _, h := range f.Mapping() {
		if h.Variable != "time" {
			want = append(want, h.Variable)
		}
	}
	r := f.NewReader(want)
	r.Begin(sample)
	n := 0
	for rec := (Record{}); r.Next(&rec); {
		if rec.Kind == Good && present(rec.Values)*100 >= len(want)*share {
			n++
		}
	}
	return n
}

func present(values [][]byte) int {
	n := 0
	for _, v := range values {
		if v != nil {
			n++
		}
	}
	return n
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text[:min(len(text), 200)]), "\n")
	return line
}
