package report

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/nglimit/nglimit/parser"
)

// maxFrame bounds the width of a code frame in bytes of source: generated
// configurations have lines of megabytes.
const maxFrame = 160

// writeFrame shows the line on which a span starts, with the span underlined.
func writeFrame(out *bufio.Writer, src []byte, at parser.Span, st *Style, mark lipgloss.Style) {
	line, from, to, ok := frame(src, at)
	if !ok {
		return
	}
	number := fmt.Sprintf("%5d", at.Start.Line)
	before, marked, after := visible(line[:from]), visible(line[from:to]), visible(line[to:])
	fmt.Fprintf(out, "%s %s%s%s\n", st.dim.Render(number+" │"), before, marked, after)
	fmt.Fprintf(out, "%s %s%s\n", st.dim.Render("      │"), strings.Repeat(" ", lipgloss.Width(before)),
		mark.Render(strings.Repeat("^", max(1, lipgloss.Width(marked)))))
}

// frame cuts the line of a span out of the source; from and to are the span
// within it.
func frame(src []byte, at parser.Span) (line []byte, from, to int, ok bool) {
	if at.Start.Line == 0 || at.Start.Offset > len(src) || at.End.Offset > len(src) {
		return nil, 0, 0, false
	}
	start := bytes.LastIndexByte(src[:at.Start.Offset], '\n') + 1
	end := len(src)
	if i := bytes.IndexByte(src[at.Start.Offset:], '\n'); i >= 0 {
		end = at.Start.Offset + i
	}
	start = max(start, at.Start.Offset-maxFrame/2)
	end = min(end, start+maxFrame)
	line = bytes.TrimRight(src[start:end], "\r")
	from = min(at.Start.Offset-start, len(line))
	to = min(max(at.End.Offset-start, from), len(line))
	return line, from, to, true
}

func visible(b []byte) string { return Safe(strings.ReplaceAll(string(b), "\t", "    ")) }
