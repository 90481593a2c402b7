package main

import (
	"io"
	"os"

	"github.com/charmbracelet/x/term"

	"github.com/nglimit/nglimit/cmd/nglimit/report"
)

// style decides once how a report may look: colour only on a terminal that
// wants it, and the width of that terminal.
func style(w io.Writer) *report.Style {
	file, ok := w.(*os.File)
	width := 0
	terminal := ok && term.IsTerminal(file.Fd())
	if terminal {
		if columns, _, err := term.GetSize(file.Fd()); err == nil {
			width = columns
		}
	}
	return report.NewStyle(colour(terminal), width)
}

func colour(terminal bool) bool {
	switch {
	case os.Getenv("NO_COLOR") != "":
		return false
	case os.Getenv("CLICOLOR_FORCE") != "" && os.Getenv("CLICOLOR_FORCE") != "0":
		return true
	default:
		return terminal && os.Getenv("TERM") != "dumb"
	}
}
