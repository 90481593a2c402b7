package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/nglimit/nglimit/rules"
)

// RulesText lists the rules for people.
func RulesText(w io.Writer, all []*rules.Rule, st *Style) error {
	out := bufio.NewWriter(w)
	width := 0
	for _, r := range all {
		width = max(width, len(r.Name))
	}
	for _, r := range all {
		fmt.Fprintf(out, "%s  %s  %s  %s%s\n", r.ID, st.severity(r.Severity).Render(fmt.Sprintf("%-7s", r.Severity)),
			fmt.Sprintf("%-*s", width, r.Name), r.Summary, st.dim.Render(profileNote(r.Profile)))
	}
	return out.Flush()
}

func profileNote(p rules.Profile) string {
	switch p {
	case rules.Strict:
		return " (--profile strict)"
	case rules.Policy:
		return " (--profile policy)"
	default:
		return ""
	}
}

type ruleJSON struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Doc      string `json:"doc"`
	Bad      string `json:"bad"`
	Good     string `json:"good"`
	Ref      string `json:"ref"`
	Docs     string `json:"docs"`
}

// RulesJSON lists the rules for programs.
func RulesJSON(w io.Writer, all []*rules.Rule) error {
	out := make([]ruleJSON, 0, len(all))
	for _, r := range all {
		out = append(out, ruleJSON{r.ID, r.Name, r.Severity.String(), r.Summary, r.Doc, r.Bad, r.Good, r.Ref, docsURL(r)})
	}
	return writeJSON(w, out)
}

// Explain writes one rule for people.
func Explain(w io.Writer, r *rules.Rule, st *Style) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s %s\n%s\n\n%s\n", st.bold.Render(r.ID+" "+r.Name), st.severity(r.Severity).Render("("+r.Severity.String()+")"), r.Summary, r.Doc)
	example(out, st, "Bad", r.Bad)
	example(out, st, "Good", r.Good)
	fmt.Fprintf(out, "\n%s\n  %s\n", st.bold.Render("nginx says"), r.Ref)
	return out.Flush()
}

func example(out *bufio.Writer, st *Style, title, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(out, "\n%s\n", st.bold.Render(title))
	for line := range strings.SplitSeq(text, "\n") {
		fmt.Fprintf(out, "  %s\n", st.code.Render(line))
	}
}
