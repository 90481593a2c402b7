package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/nglimit/nglimit/rules"
)

// LintText writes the findings for people: each with its line of code, and the
// second place that explains it.
func LintText(w io.Writer, l *Lint, st *Style) error {
	out := bufio.NewWriter(w)
	for _, f := range l.Findings {
		writeFinding(out, l, f, st)
	}
	for _, e := range l.Unread {
		if l.told(e) {
			continue
		}
		fmt.Fprintf(out, "%s: %s %s\n", st.bold.Render(Safe(e.Span.String())), st.err.Render("not read:"), Safe(e.Msg))
		writeFrame(out, l.sources[e.Span.File], e.Span, st, st.err)
		for _, c := range e.Chain {
			fmt.Fprintf(out, "  included from %s\n", Safe(c.String()))
		}
		fmt.Fprintln(out)
	}
	for _, err := range l.Broken {
		fmt.Fprintf(out, "%s %s; please report this\n\n", st.err.Render("not judged:"), Safe(err.Error()))
	}
	fmt.Fprintln(out, lintSummary(l, st))
	return out.Flush()
}

func writeFinding(out *bufio.Writer, l *Lint, f rules.Finding, st *Style) {
	colour := st.severity(f.Severity)
	fmt.Fprintln(out, st.wrap(fmt.Sprintf("%s: %s %s %s", st.bold.Render(Safe(f.Span.String())), colour.Render(f.Severity.String()+":"),
		Safe(f.Message), st.dim.Render("["+f.Rule.ID+" "+f.Rule.Name+"]"))))
	writeFrame(out, l.sources[f.Span.File], f.Span, st, colour)
	for _, r := range f.Related {
		fmt.Fprintln(out, st.wrap(fmt.Sprintf("  %s %s", st.dim.Render(Safe(r.Span.String())+":"), Safe(r.Message))))
		writeFrame(out, l.sources[r.Span.File], r.Span, st, st.dim)
	}
	fmt.Fprintln(out)
}

func (st *Style) severity(s rules.Severity) lipgloss.Style {
	switch s {
	case rules.Error:
		return st.err
	case rules.Warning:
		return st.warn
	default:
		return st.info
	}
}

func lintSummary(l *Lint, st *Style) string {
	if len(l.Findings) == 0 && len(l.Unread)+len(l.Broken) == 0 {
		return st.good.Render("no findings") + " in " + plural(l.Files, "file")
	}
	parts := []string{}
	for s, name := range []string{"info", "warning", "error"} {
		if n := l.count(rules.Severity(s)); n > 0 {
			parts = append([]string{plural(n, name)}, parts...)
		}
	}
	if n := len(l.Unread) + len(l.Broken); n > 0 {
		parts = append(parts, plural(n, "place")+" not read")
	}
	return strings.Join(parts, ", ") + " in " + plural(l.Files, "file")
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%s %ss", grouped(int64(n)), noun)
}
