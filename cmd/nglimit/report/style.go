package report

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

// Style is how text reports look. ANSI colours 0 to 15 only: adaptive ones
// would make the library ask the terminal for its background.
type Style struct {
	Width int // columns of the terminal; 0 when the report goes to a file

	err, warn, info, good, dim, bold, code lipgloss.Style
}

// wrap breaks a line at words where it would not fit the terminal, and leaves
// it whole in a file: there, one finding is one line.
func (st *Style) wrap(line string) string {
	if st.Width < minWidth {
		return line
	}
	return strings.ReplaceAll(ansi.Wordwrap(line, st.Width-len(indent), ""), "\n", "\n"+indent)
}

// minWidth is the narrowest terminal for which lines are broken.
const minWidth = 40

const indent = "    "

// NewStyle is a style with or without colour for a terminal of that width.
func NewStyle(colour bool, width int) *Style {
	profile := termenv.Ascii
	if colour {
		profile = termenv.ANSI
	}
	r := lipgloss.NewRenderer(io.Discard, termenv.WithProfile(profile))
	r.SetHasDarkBackground(true)
	fg := func(n string) lipgloss.Style { return r.NewStyle().Foreground(lipgloss.Color(n)) }
	return &Style{
		Width: width,
		err:   fg("9").Bold(true),
		warn:  fg("11").Bold(true),
		info:  fg("12").Bold(true),
		good:  fg("10"),
		dim:   fg("8"),
		bold:  r.NewStyle().Bold(true),
		code:  fg("14"),
	}
}
