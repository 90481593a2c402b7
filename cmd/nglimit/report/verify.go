package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/nglimit/nglimit/replay"
	"github.com/nglimit/nglimit/replay/limit"
)

// Verify is a replay compared with what nginx logged.
type Verify struct {
	Run       *replay.Result
	Agreement *replay.AgreementResult
}

// Compared is how many decisions were compared, of limit_req and limit_conn,
// and how many of them agree.
func (v *Verify) Compared() (compared, same int64) {
	a := v.Agreement
	return a.Req.Compared() + a.Conn.Compared(), a.Req.Same() + a.Conn.Same()
}

// VerifyText writes a comparison for people.
func VerifyText(w io.Writer, v *Verify, st *Style) error {
	out := bufio.NewWriter(w)
	compared, same := v.Compared()
	if compared == 0 {
		fmt.Fprintf(out, "%s requests, none with $limit_req_status or $limit_conn_status\n", grouped(v.Run.Requests))
		return out.Flush()
	}
	fmt.Fprintf(out, "%s of %s decisions agree with nginx\n", st.bold.Render(percent(same, compared)), grouped(compared))
	t := textTable{head: []string{"route", "limit_req", "agree", "limit_conn", "agree"}}
	for _, r := range v.Agreement.Routes {
		t.add(Safe(strings.TrimSpace(serverName(r.Server)+" "+locationName(r.Location))),
			number(r.Req.Compared()), share(&r.Req), number(r.Conn.Compared()), share(&r.Conn))
	}
	t.write(out, st)
	t = textTable{head: []string{"zone", "decisions", "agree"}}
	for _, z := range v.Agreement.Zones {
		t.add(Safe(z.Zone.Name), number(z.Compared()), share(&z.Confusion))
	}
	t.write(out, st)
	verifyDifferences(out, v, st)
	return out.Flush()
}

func verifyDifferences(out *bufio.Writer, v *Verify, st *Style) {
	t := textTable{head: []string{"nginx said / the replay says", "requests"}}
	for _, d := range differences(&v.Agreement.Req) {
		t.add(fmt.Sprintf("limit_req %s / %s", d.Logged, d.Replayed), number(d.Count))
	}
	for _, d := range differences(&v.Agreement.Conn) {
		t.add(fmt.Sprintf("limit_conn %s / %s", d.Logged, d.Replayed), number(d.Count))
	}
	if len(t.rows) > 0 {
		t.write(out, st)
		for _, why := range v.causes() {
			fmt.Fprintln(out, st.wrap("  "+why))
		}
		for i, d := range v.Agreement.Differences {
			if i == 5 {
				break
			}
			fmt.Fprintf(out, "  %s\n", st.dim.Render(Safe(fmt.Sprintf("%s: %s / %s", logPlace(d.Input, d.Line), statusText(d.Logged), statusText(d.Replayed)))))
		}
	}
}

// causes are what likely makes them differ, as far as the run can tell.
func (v *Verify) causes() []string {
	var all []string
	if v.Run.Coarse > 1 {
		all = append(all, fmt.Sprintf("the log's clock moves in steps of %d ms, nginx decided to the millisecond: log $msec and $request_time", v.Run.Coarse))
	}
	if v.Run.Ties > 0 {
		all = append(all, fmt.Sprintf("%s requests share millisecond and key with the one before: the log cannot tell their order", grouped(v.Run.Ties)))
	}
	dry := false
	for _, d := range append(differences(&v.Agreement.Req), differences(&v.Agreement.Conn)...) {
		dry = dry || statusOf(d.Logged).Enforced() == statusOf(d.Replayed).Enforced()
	}
	if dry {
		all = append(all, "dry run is on in one of them only: this is not the configuration that ran")
	}
	if v.Run.Late > 0 {
		all = append(all, fmt.Sprintf("%s requests took longer than a minute and were decided late", grouped(v.Run.Late)))
	}
	return append(all, "$msec and $request_time are cut to milliseconds at different moments (± 1 ms); zones may have held states from before the log; several servers or restarts in one log decide apart")
}

// confusion is one cell of a table of what nginx said and the replay says.
type confusion struct {
	Logged   string `json:"logged"`
	Replayed string `json:"replayed"`
	Count    int64  `json:"count"`
}

func cells(c *replay.Confusion, differing bool) []confusion {
	all := []confusion{}
	for logged := range c {
		for replayed, n := range c[logged] {
			if n > 0 && (!differing || logged != replayed) {
				all = append(all, confusion{statusText(limit.Status(logged)), statusText(limit.Status(replayed)), n})
			}
		}
	}
	return all
}

func differences(c *replay.Confusion) []confusion { return cells(c, true) }

// statusText is nginx's word, with one of ours where nginx says nothing.
func statusText(s limit.Status) string {
	if s == limit.None {
		return "(none)"
	}
	return s.String()
}

func statusOf(text string) limit.Status {
	for s := limit.None; s <= limit.RejectedDryRun; s++ {
		if statusText(s) == text {
			return s
		}
	}
	return limit.None
}

func share(c *replay.Confusion) string {
	if c.Compared() == 0 {
		return "·"
	}
	return percent(c.Same(), c.Compared())
}

// percent never rounds to 100 what is less.
func percent(part, whole int64) string {
	text := fmt.Sprintf("%.2f %%", float64(part)*100/float64(whole))
	if part < whole && strings.HasPrefix(text, "100") {
		return "99.99 %"
	}
	return text
}
