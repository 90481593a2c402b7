package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"

	"github.com/nglimit/nglimit/analyzer"
	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay"
	"github.com/nglimit/nglimit/replay/accesslog"
)

// ReplayText writes a replay for people.
func ReplayText(w io.Writer, r *Replay, st *Style) error {
	out := bufio.NewWriter(w)
	if r.Run.Partial {
		fmt.Fprintf(out, "%s\n\n", st.err.Render("PARTIAL: stopped before the end of the logs"))
	}
	replayHeadline(out, r, st)
	if r.Run.Requests > 0 {
		replayRoutes(out, r, st)
		replayZones(out, r, st)
		replayAddresses(out, r, st)
		replayAdvice(out, r, st)
	}
	replayCoverage(out, r, st)
	return out.Flush()
}

func replayHeadline(out *bufio.Writer, r *Replay, st *Style) {
	run := r.Run
	if run.Requests == 0 {
		fmt.Fprintf(out, "%s in %s\n", st.bold.Render("no requests"), plural(int(run.Lines), "line"))
		return
	}
	fmt.Fprintf(out, "%s requests from %s to %s\n", st.bold.Render(grouped(run.Requests)), clock(run.First), clock(run.Last))
	if run.Limited == 0 {
		fmt.Fprintf(out, "no limit counted any of them\n")
		return
	}
	fmt.Fprintf(out, "%s limited: %s passed, %s delayed, %s", grouped(run.Limited), grouped(run.Passed), grouped(run.Delayed),
		st.err.Render(grouped(run.Rejected)+" refused"))
	if r.People.Channel != analyzer.NoChannel && run.Rejected > 0 {
		fmt.Fprintf(out, ", %s of them collateral", st.warn.Render(grouped(r.People.Total.Collateral)))
	}
	fmt.Fprintln(out)
}

func replayRoutes(out *bufio.Writer, r *Replay, st *Style) {
	t := textTable{head: []string{"route", "requests", "limited", "passed", "delayed", "refused", "collateral"}}
	for _, row := range routes(r) {
		t.add(Safe(strings.TrimSpace(row.Server+" "+row.Location)), number(row.Requests), number(row.Limited), number(row.Passed), number(row.Delayed), number(row.Rejected), number(row.Collateral))
	}
	t.write(out, st)
}

func replayZones(out *bufio.Writer, r *Replay, st *Style) {
	t := textTable{head: []string{"zone", "limited", "passed", "delayed", "refused", "keys at once"}}
	for _, row := range zones(r) {
		t.add(Safe(strings.TrimSpace(row.Zone+" "+row.Rate)), number(row.Limited), number(row.Passed), number(row.Delayed), number(row.Rejected), number(int64(row.Keys)))
	}
	t.write(out, st)
}

func replayAddresses(out *bufio.Writer, r *Replay, st *Style) {
	t := textTable{head: []string{"address", "requests", "delayed", "refused", "collateral", "clients"}}
	left := 0
	for _, a := range r.People.Addresses {
		if a.Rejected+a.Delayed == 0 {
			continue
		}
		if len(t.rows) == r.Top {
			left++
			continue
		}
		t.add(Safe(a.Address), number(a.Requests), number(a.Delayed), number(a.Rejected), number(a.Collateral), number(int64(a.Clients)))
	}
	if len(t.rows) == 0 {
		return
	}
	t.write(out, st)
	if left > 0 {
		fmt.Fprintf(out, "  and %s more with refusals or delays; --top shows more\n", grouped(int64(left)))
	}
	told := "user agents, which count people with the same browser once"
	if r.People.Channel == analyzer.Session {
		told = "$" + strings.TrimPrefix(r.Session, "$")
	}
	if r.People.Channel != analyzer.NoChannel {
		fmt.Fprintf(out, "  %s\n", st.dim.Render("clients are told apart by "+Safe(told)))
		fmt.Fprintln(out, st.wrap("  "+st.dim.Render("collateral: refused by limit_req, though it would have passed with a bucket of its own for each client")))
	}
}

func replayAdvice(out *bufio.Writer, r *Replay, st *Style) {
	for _, n := range r.People.Zones {
		if n.LeastBurst == 0 {
			continue
		}
		fmt.Fprintf(out, "\n%s\n", st.wrap(fmt.Sprintf("%s zone %s at %s: burst=%d would have refused nothing to the keys that had collateral",
			st.good.Render("to change"), st.bold.Render(Safe(n.Zone.Name)), Safe(rateText(n.Zone)), n.LeastBurst)))
		for _, d := range limitsOf(r.Config, n.Zone) {
			fmt.Fprintf(out, "  %s %s\n", st.dim.Render(Safe(d.Dir.HeadSpan().String())+":"), fmt.Sprintf("burst is %d here", d.Burst))
		}
	}
}

// limitsOf are the limits that apply a zone, each once.
func limitsOf(c *nginx.Config, z *nginx.Zone) []*nginx.ReqLimit {
	var all []*nginx.ReqLimit
	for b := range c.Blocks() {
		if b.LimitReq.From != b {
			continue
		}
		for _, l := range b.LimitReq.Items {
			if l.Zone == z {
				all = append(all, l)
			}
		}
	}
	return all
}

// replayCoverage says what the numbers do not cover.
func replayCoverage(out *bufio.Writer, r *Replay, st *Style) {
	run := r.Run
	notes := []string{}
	for kind, s := range run.Skipped {
		if s.Count > 0 {
			k := accesslog.Kind(kind)
			note := fmt.Sprintf("%s skipped: %s, first at %s", plural(int(s.Count), "line"), k, logPlace(s.Input, s.Line))
			if remedy := k.Remedy(); remedy != "" {
				note += "; " + remedy
			}
			notes = append(notes, note)
		}
	}
	for _, u := range run.Unjudged {
		notes = append(notes, fmt.Sprintf("%s not judged: the log lacks $%s", plural(int(u.Count), "request"), u.Variable))
	}
	if run.Bypassed > 0 {
		notes = append(notes, grouped(run.Bypassed)+" requests end before limits are reached (return, redirect, bad request)")
	}
	if run.Coarse > 1 {
		notes = append(notes, fmt.Sprintf("the log's clock moves in steps of %d ms: requests were spread evenly within each, so every number is an estimate; log $msec and $request_time", run.Coarse))
	}
	if run.Late > 0 {
		notes = append(notes, grouped(run.Late)+" requests took longer than a minute and were decided late")
	}
	if r.People.Channel == analyzer.NoChannel && run.Requests > 0 {
		notes = append(notes, "the log has no user agent, so nobody can tell who stands behind an address; log $http_user_agent, or name a field with --session")
	}
	for _, in := range run.Inputs {
		if in.Err != nil {
			notes = append(notes, fmt.Sprintf("%s was not read to its end: %v", in.Name, in.Err))
		}
	}
	if len(notes) == 0 {
		return
	}
	fmt.Fprintf(out, "\n%s\n", st.bold.Render("not covered"))
	for _, n := range notes {
		fmt.Fprintln(out, st.wrap("  "+Safe(n)))
	}
}

func logPlace(input string, line int64) string { return input + ":" + strconv.FormatInt(line, 10) }

func clock(at replay.Millis) string {
	return time.UnixMilli(int64(at)).UTC().Format("2006-01-02 15:04:05 UTC")
}

func number(n int64) string {
	if n == 0 {
		return "·"
	}
	return grouped(n)
}

// textTable is a table whose first column is text and whose others are
// numbers.
type textTable struct {
	head []string
	rows [][]string
}

func (t *textTable) add(cells ...string) { t.rows = append(t.rows, cells) }

func (t *textTable) write(out *bufio.Writer, st *Style) {
	widths := make([]int, len(t.head))
	for i, h := range t.head {
		widths[i] = lipgloss.Width(h)
	}
	for _, row := range t.rows {
		for i, cell := range row {
			widths[i] = max(widths[i], lipgloss.Width(cell))
		}
	}
	widths[0] = min(widths[0], maxFirst)
	fmt.Fprintln(out)
	fmt.Fprintln(out, st.bold.Render(tableLine(t.head, widths)))
	for _, row := range t.rows {
		fmt.Fprintln(out, tableLine(row, widths))
	}
}

// maxFirst bounds the first column, so that a table of seven fits 100 columns.
const maxFirst = 36

func tableLine(cells []string, widths []int) string {
	var b strings.Builder
	for i, cell := range cells {
		if i == 0 {
			cell = shorten(cell, widths[0])
			b.WriteString(cell + strings.Repeat(" ", widths[0]-lipgloss.Width(cell)))
			continue
		}
		b.WriteString("  " + strings.Repeat(" ", widths[i]-lipgloss.Width(cell)) + cell)
	}
	return b.String()
}

func shorten(text string, width int) string {
	if lipgloss.Width(text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && lipgloss.Width(string(runes))+1 > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}
