package report

import (
	"fmt"
	"io"

	"github.com/nglimit/nglimit/analyzer"
)

// DemoStep writes the headline of one step of the demo and the command that
// would do it.
func DemoStep(w io.Writer, st *Style, says, command string) {
	_, _ = fmt.Fprintf(w, "\n%s\n%s\n\n", st.bold.Render(says), st.code.Render("$ "+command))
}

// DemoOutcome compares two replays of one log, address by address.
func DemoOutcome(w io.Writer, st *Style, before, after *Replay) {
	_, _ = fmt.Fprintf(w, "refused: %s before, %s after; of them collateral: %s before, %s after\n\n",
		grouped(before.Run.Rejected), grouped(after.Run.Rejected),
		st.warn.Render(grouped(before.People.Total.Collateral)), st.good.Render(grouped(after.People.Total.Collateral)))
	for _, a := range before.People.Addresses {
		if a.Rejected == 0 {
			continue
		}
		_, _ = fmt.Fprintf(w, "  %-14s %5s of %s requests refused before, %5s after  %s\n", Safe(a.Address),
			grouped(a.Rejected), grouped(a.Requests), grouped(rejectedOf(after.People, a.Address)), st.dim.Render(behind(a)))
	}
	_, _ = fmt.Fprintf(w, "\nYour own: nglimit replay -c /etc/nginx/nginx.conf /var/log/nginx/access.log\n")
}

func behind(a *analyzer.Address) string {
	if a.Clients == 1 {
		return "one client"
	}
	return fmt.Sprintf("%s clients", grouped(int64(a.Clients)))
}

func rejectedOf(people *analyzer.Result, address string) int64 {
	for _, a := range people.Addresses {
		if a.Address == address {
			return a.Rejected
		}
	}
	return 0
}
