// Command docgen writes the manual pages of the rules from the rules
// themselves, so that they cannot drift apart. It knows Markdown and nothing
// else.
package main

import (
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/nglimit/nglimit/rules"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: docgen FOLDER")
	}
	if err := write(os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

// write replaces the folder: the page of a rule that is gone goes with it.
func write(folder string) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, r := range rules.All {
		if err := os.WriteFile(filepath.Join(folder, r.ID+".md"), Page(r), 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(folder, "README.md"), Index(), 0o644)
}

// Page is the manual page of one rule.
func Page(r *rules.Rule) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s %s\n\n", r.ID, r.Name)
	fmt.Fprintf(&b, "**%s**%s: %s.\n\n", r.Severity, profile(r.Profile), r.Summary)
	fmt.Fprintf(&b, "%s\n\n", r.Doc)
	example(&b, "Bad", r.Bad)
	example(&b, "Good", r.Good)
	fmt.Fprintf(&b, "## Reference\n\n<%s>\n", r.Ref)
	return b.Bytes()
}

func profile(p rules.Profile) string {
	switch p {
	case rules.Strict:
		return " (in `--profile strict`)"
	case rules.Policy:
		return " (in `--profile policy`)"
	default:
		return ""
	}
}

func example(b *bytes.Buffer, title, text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(b, "## %s\n\n```nginx\n%s\n```\n\n", title, text)
}

var groups = []struct{ prefix, title string }{
	{"NGL0", "Loading"},
	{"NGL1", "Zones"},
	{"NGL2", "Keys: who shares a bucket"},
	{"NGL3", "Real addresses and trust"},
	{"NGL4", "Coverage, inheritance, bypass"},
	{"NGL5", "Arithmetic"},
	{"NGL6", "What the client sees"},
	{"NGL7", "Connections, HTTP/2 and HTTP/3, upstreams"},
	{"NGL8", "Observability and rollout"},
	{"NGL9", "Change review"},
}

// Index is the list of all rules.
func Index() []byte {
	var b bytes.Buffer
	b.WriteString("# Rules\n\n`nglimit explain NGLnnn` prints the same. A finding is silenced where it stands by a comment,\nsee [suppressions](../suppressions.md).\n")
	for _, g := range groups {
		rows := 0
		for _, r := range rules.All {
			if !strings.HasPrefix(r.ID, g.prefix) {
				continue
			}
			if rows == 0 {
				fmt.Fprintf(&b, "\n## %s\n\n| rule | severity | says |\n|---|---|---|\n", g.title)
			}
			rows++
			fmt.Fprintf(&b, "| [%s](%s.md) `%s` | %s%s | %s |\n", r.ID, r.ID, r.Name, r.Severity, profile(r.Profile), strings.ReplaceAll(r.Summary, "|", "\\|"))
		}
	}
	return b.Bytes()
}
