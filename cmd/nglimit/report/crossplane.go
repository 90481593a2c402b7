package report

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// The payload of crossplane (https://github.com/nginxinc/crossplane), with
// columns added.
type crossplanePayload struct {
	Status string             `json:"status"`
	Errors []crossplaneError  `json:"errors"`
	Config []crossplaneConfig `json:"config"`
}

type crossplaneError struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
	Error  string `json:"error"`
}

type crossplaneConfig struct {
	File   string                `json:"file"`
	Status string                `json:"status"`
	Errors []crossplaneError     `json:"errors"`
	Parsed []crossplaneDirective `json:"parsed"`
}

type crossplaneDirective struct {
	Directive string                 `json:"directive"`
	Line      int                    `json:"line"`
	Column    int                    `json:"column"`
	Args      []string               `json:"args"`
	Includes  *[]int                 `json:"includes,omitempty"`
	Block     *[]crossplaneDirective `json:"block,omitempty"`
	Comment   *string                `json:"comment,omitempty"`
}

// Crossplane writes a tree as JSON in crossplane's shape.
func Crossplane(w io.Writer, tree *parser.Tree, indent int) error {
	index := map[*parser.File]int{}
	for i, f := range tree.Files {
		index[f] = i
	}
	out := crossplanePayload{Status: status(tree.Errors), Errors: crossplaneErrors(tree.Errors), Config: []crossplaneConfig{}}
	for _, f := range tree.Files {
		out.Config = append(out.Config, crossplaneConfig{
			File: f.Name, Status: status(f.Errors), Errors: crossplaneErrors(f.Errors),
			Parsed: (&crossplaneWriter{file: f, index: index, comments: f.Comments}).block(f.Directives, len(f.Source)+1),
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", strings.Repeat(" ", indent))
	return enc.Encode(out)
}

func status(errs []*parser.Error) string {
	if len(errs) > 0 {
		return "failed"
	}
	return "ok"
}

func crossplaneErrors(errs []*parser.Error) []crossplaneError {
	out := make([]crossplaneError, 0, len(errs))
	for _, e := range errs {
		out = append(out, crossplaneError{File: e.Span.File, Line: e.Line, Column: e.Span.Start.Column, Error: e.Msg})
	}
	return out
}

// crossplaneWriter walks one file; comments are those not yet written, in
// order.
type crossplaneWriter struct {
	file     *parser.File
	index    map[*parser.File]int
	comments []parser.Comment
}

// block turns the directives of one block into JSON, with the comments that
// stand before the byte offset end.
func (c *crossplaneWriter) block(ds []*parser.Directive, end int) []crossplaneDirective {
	out := []crossplaneDirective{}
	for _, d := range ds {
		out = c.before(out, d.Span().Start.Offset)
		out = append(out, c.directive(d))
	}
	return c.before(out, end)
}

func (c *crossplaneWriter) before(out []crossplaneDirective, offset int) []crossplaneDirective {
	for len(c.comments) > 0 && c.comments[0].Span.Start.Offset < offset {
		at := c.comments[0]
		text := strings.TrimPrefix(at.Text, "#")
		out = append(out, crossplaneDirective{Directive: "#", Line: at.Span.Start.Line, Column: at.Span.Start.Column, Args: []string{}, Comment: &text})
		c.comments = c.comments[1:]
	}
	return out
}

func (c *crossplaneWriter) directive(d *parser.Directive) crossplaneDirective {
	at := d.NameSpan().Start
	out := crossplaneDirective{Directive: d.Name, Line: at.Line, Column: at.Column, Args: values(d.Args)}
	if d.Name == "include" && !d.Block {
		includes := []int{}
		for _, f := range d.Included {
			includes = append(includes, c.index[f])
		}
		out.Includes = &includes
	}
	if d.Block {
		body := c.body(d)
		out.Block = &body
	}
	return out
}

func (c *crossplaneWriter) body(d *parser.Directive) []crossplaneDirective {
	end := d.Span().End.Offset
	if !d.MapLike() {
		return c.block(d.Children, end)
	}
	out := []crossplaneDirective{}
	for e := range d.Entries() {
		if e.File != c.file {
			continue // brought in by an include, and written with that file
		}
		at := e.Span().Start
		out = c.before(out, at.Offset)
		out = append(out, crossplaneDirective{Directive: e.Args[0].Value, Line: at.Line, Column: at.Column, Args: values(e.Args[1:])})
	}
	return c.before(out, end)
}

func values(args []parser.Arg) []string {
	out := make([]string, 0, len(args))
	for _, a := range args {
		out = append(out, a.Value)
	}
	return out
}
