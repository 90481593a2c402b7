package report

import (
	"encoding/json"
	"io"

	"github.com/nglimit/nglimit/parser"
	"github.com/nglimit/nglimit/rules"
)

type lintJSON struct {
	Version  int           `json:"version"`
	Findings []findingJSON `json:"findings"`
	Unread   []placeJSON   `json:"unread"`
	Summary  summaryJSON   `json:"summary"`
}

type findingJSON struct {
	Rule      string      `json:"rule"`
	Name      string      `json:"name"`
	Severity  string      `json:"severity"`
	File      string      `json:"file"`
	Line      int         `json:"line"`
	Column    int         `json:"column"`
	EndLine   int         `json:"endLine"`
	EndColumn int         `json:"endColumn"`
	Message   string      `json:"message"`
	Related   []placeJSON `json:"related"`
	Docs      string      `json:"docs"`
}

type placeJSON struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

type summaryJSON struct {
	Files    int `json:"files"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	Unread   int `json:"unread"`
}

// LintJSON writes the findings for programs.
func LintJSON(w io.Writer, l *Lint) error {
	out := lintJSON{
		Version:  1,
		Findings: make([]findingJSON, 0, len(l.Findings)),
		Unread:   make([]placeJSON, 0, len(l.Unread)),
		Summary: summaryJSON{
			Files: l.Files, Unread: len(l.Unread) + len(l.Broken),
			Errors: l.count(rules.Error), Warnings: l.count(rules.Warning), Infos: l.count(rules.Info),
		},
	}
	for _, f := range l.Findings {
		out.Findings = append(out.Findings, finding(f))
	}
	for _, e := range l.Unread {
		out.Unread = append(out.Unread, place(e.Span, e.Msg))
	}
	for _, err := range l.Broken {
		out.Unread = append(out.Unread, placeJSON{Message: err.Error()})
	}
	return writeJSON(w, out)
}

func finding(f rules.Finding) findingJSON {
	related := make([]placeJSON, 0, len(f.Related))
	for _, r := range f.Related {
		related = append(related, place(r.Span, r.Message))
	}
	return findingJSON{
		Rule: f.Rule.ID, Name: f.Rule.Name, Severity: f.Severity.String(),
		File: f.Span.File, Line: f.Span.Start.Line, Column: f.Span.Start.Column,
		EndLine: f.Span.End.Line, EndColumn: f.Span.End.Column,
		Message: f.Message, Related: related, Docs: docsURL(f.Rule),
	}
}

func place(at parser.Span, message string) placeJSON {
	return placeJSON{File: at.File, Line: at.Start.Line, Column: at.Start.Column, Message: message}
}

// writeJSON indents and leaves <, > and & as they are: the output is no HTML.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
