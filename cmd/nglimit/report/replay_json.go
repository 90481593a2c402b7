package report

import (
	"io"

	"github.com/nglimit/nglimit/analyzer"
	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay"
	"github.com/nglimit/nglimit/replay/accesslog"
)

type replayJSON struct {
	Version   int                 `json:"version"`
	Partial   bool                `json:"partial"`
	Totals    totalsJSON          `json:"totals"`
	Skipped   map[string]skipJSON `json:"skipped"`
	Unjudged  map[string]int64    `json:"unjudged"`
	Inputs    []inputJSON         `json:"inputs"`
	Clock     clockJSON           `json:"clock"`
	Clients   string              `json:"clients_told_by"`
	Routes    []routeJSON         `json:"routes"`
	Zones     []zoneJSON          `json:"zones"`
	Addresses []addressJSON       `json:"addresses"`
}

type totalsJSON struct {
	Lines      int64 `json:"lines"`
	Requests   int64 `json:"requests"`
	Limited    int64 `json:"limited"`
	Passed     int64 `json:"passed"`
	Delayed    int64 `json:"delayed"`
	Rejected   int64 `json:"rejected"`
	Collateral int64 `json:"collateral"`
	Skipped    int64 `json:"skipped"`
	Bypassed   int64 `json:"bypassed"`
	Unjudged   int64 `json:"unjudged"`
	Late       int64 `json:"late"`
	Ties       int64 `json:"ties"`
}

type skipJSON struct {
	Count int64  `json:"count"`
	First string `json:"first"` // file:line
}

type clockJSON struct {
	ResolutionMs int64 `json:"resolution_ms"`
	First        int64 `json:"first"` // ms since the epoch
	Last         int64 `json:"last"`
}

type inputJSON struct {
	Name     string            `json:"name"`
	Format   string            `json:"format"`
	Packed   string            `json:"compression"`
	Lines    int64             `json:"lines"`
	Requests int64             `json:"requests"`
	Mapping  map[string]string `json:"mapping"` // variable to field
	Error    string            `json:"error,omitempty"`
}

type countsJSON struct {
	Requests int64 `json:"requests"`
	Limited  int64 `json:"limited"`
	Passed   int64 `json:"passed"`
	Delayed  int64 `json:"delayed"`
	Rejected int64 `json:"rejected"`
}

type routeJSON struct {
	Server   string `json:"server"`
	Location string `json:"location"`
	countsJSON
	Collateral int64 `json:"collateral"`
}

type zoneJSON struct {
	Zone       string `json:"zone"`
	Key        string `json:"key"`
	Rate       string `json:"rate"`
	Limited    int64  `json:"limited"`
	Passed     int64  `json:"passed"`
	Delayed    int64  `json:"delayed"`
	Rejected   int64  `json:"rejected"`
	Keys       int    `json:"keys"`
	Forced     uint64 `json:"forgotten"`
	NoRoom     uint64 `json:"no_room"`
	LeastBurst int64  `json:"least_burst"`
}

type addressJSON struct {
	Address    string `json:"address"`
	Requests   int64  `json:"requests"`
	Delayed    int64  `json:"delayed"`
	Rejected   int64  `json:"rejected"`
	Collateral int64  `json:"collateral"`
	Clients    int    `json:"clients"`
}

// ReplayJSON writes a replay for programs.
func ReplayJSON(w io.Writer, r *Replay) error {
	run := r.Run
	out := replayJSON{
		Version: 1, Partial: run.Partial, Clients: r.People.Channel.String(),
		Totals:  totals(r),
		Skipped: map[string]skipJSON{}, Unjudged: map[string]int64{},
		Clock:  clockJSON{max(1, int64(run.Coarse)), int64(run.First), int64(run.Last)},
		Inputs: []inputJSON{}, Routes: routes(r), Zones: zones(r), Addresses: make([]addressJSON, 0, len(r.People.Addresses)),
	}
	for kind, s := range run.Skipped {
		if s.Count > 0 {
			out.Skipped[accesslog.Kind(kind).String()] = skipJSON{s.Count, logPlace(s.Input, s.Line)}
		}
	}
	for _, u := range run.Unjudged {
		out.Unjudged[u.Variable] = u.Count
	}
	for _, in := range run.Inputs {
		out.Inputs = append(out.Inputs, inputOf(in))
	}
	for _, a := range r.People.Addresses {
		out.Addresses = append(out.Addresses, addressJSON{a.Address, a.Requests, a.Delayed, a.Rejected, a.Collateral, a.Clients})
	}
	return writeJSON(w, out)
}

func totals(r *Replay) totalsJSON {
	run := r.Run
	return totalsJSON{
		Lines: run.Lines, Requests: run.Requests,
		Limited: run.Limited, Passed: run.Passed, Delayed: run.Delayed, Rejected: run.Rejected,
		Collateral: r.People.Total.Collateral, Skipped: run.Skips(), Bypassed: run.Bypassed,
		Unjudged: unjudged(run), Late: run.Late, Ties: run.Ties,
	}
}

func unjudged(run *replay.Result) int64 {
	var n int64
	for _, u := range run.Unjudged {
		n += u.Count
	}
	return n
}

func inputOf(in *replay.InputResult) inputJSON {
	out := inputJSON{
		Name: in.Name, Format: in.Format, Packed: in.Compression.String(),
		Lines: in.Lines, Requests: in.Requests, Mapping: map[string]string{},
	}
	for _, h := range in.Mapping {
		if _, taken := out.Mapping[h.Variable]; !taken {
			out.Mapping[h.Variable] = h.Field
		}
	}
	if in.Err != nil {
		out.Error = in.Err.Error()
	}
	return out
}

func routes(r *Replay) []routeJSON {
	hurt := map[*nginx.Location]int64{}
	bare := map[*nginx.Server]int64{}
	for _, route := range r.People.Routes {
		if route.Location == nil {
			bare[route.Server] = route.Collateral
		} else {
			hurt[route.Location] = route.Collateral
		}
	}
	out := make([]routeJSON, 0, len(r.Run.Routes))
	for _, c := range r.Run.Routes {
		row := routeJSON{
			Server: serverName(c.Server), Location: locationName(c.Location),
			countsJSON: countsJSON{c.Requests, c.Limited, c.Passed, c.Delayed, c.Rejected},
			Collateral: hurt[c.Location],
		}
		if c.Location == nil {
			row.Collateral = bare[c.Server]
		}
		out = append(out, row)
	}
	return out
}

func zones(r *Replay) []zoneJSON {
	out := make([]zoneJSON, 0, len(r.Run.Zones))
	for _, c := range r.Run.Zones {
		out = append(out, zoneJSON{
			Zone: c.Zone.Name, Key: c.Zone.Key.Text, Rate: rateText(c.Zone),
			Limited: c.Limited, Passed: c.Passed, Delayed: c.Delayed, Rejected: c.Rejected,
			Keys: c.Keys, Forced: c.Forced, NoRoom: c.NoRoom, LeastBurst: need(r.People, c.Zone),
		})
	}
	return out
}

func need(people *analyzer.Result, z *nginx.Zone) int64 {
	for _, n := range people.Zones {
		if n.Zone == z {
			return n.LeastBurst
		}
	}
	return 0
}

func rateText(z *nginx.Zone) string {
	if z.Kind != nginx.ReqZone {
		return ""
	}
	if z.RateText == "" {
		return "1r/s"
	}
	return z.RateText
}
