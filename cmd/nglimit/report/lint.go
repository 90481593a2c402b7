package report

import (
	"slices"

	"github.com/nglimit/nglimit/parser"
	"github.com/nglimit/nglimit/rules"
)

// Lint is the outcome of reviewing one or more configurations.
type Lint struct {
	Findings []rules.Finding
	Unread   []*parser.Error // what was not read or not understood
	Broken   []error         // rules that failed
	Files    int             // files read, each counted once

	sources map[string][]byte // by file name, for code frames
}

// Add adds the outcome of one configuration.
func (l *Lint) Add(tree *parser.Tree, found []rules.Finding, broken []error) {
	if l.sources == nil {
		l.sources = map[string][]byte{}
	}
	for _, f := range tree.Files {
		if _, seen := l.sources[f.Name]; !seen {
			l.sources[f.Name] = f.Source
			l.Files++
		}
	}
	l.Findings = append(l.Findings, found...)
	l.Broken = append(l.Broken, broken...)
	for _, e := range tree.Errors {
		if unread(e.Kind) {
			l.Unread = append(l.Unread, e)
		}
	}
}

// unread tells the faults that leave part of the input unread from those of
// input that was understood and that nginx refuses.
func unread(k parser.Kind) bool {
	switch k {
	case parser.Syntax, parser.Unreadable, parser.Cycle, parser.Template:
		return true
	default:
		return false
	}
}

func (l *Lint) count(s rules.Severity) int {
	n := 0
	for _, f := range l.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

func docsURL(r *rules.Rule) string {
	return "https://github.com/nglimit/nglimit/blob/main/docs/rules/" + r.ID + ".md"
}

// told tells whether a finding already says what an unread place says.
func (l *Lint) told(e *parser.Error) bool {
	return slices.ContainsFunc(l.Findings, func(f rules.Finding) bool { return f.Span == e.Span && f.Message == e.Msg })
}
