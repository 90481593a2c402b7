package report

import (
	"io"

	"github.com/nglimit/nglimit/replay"
)

type verifyJSON struct {
	Version     int              `json:"version"`
	Partial     bool             `json:"partial"`
	Requests    int64            `json:"requests"`
	Unlogged    int64            `json:"unlogged"`
	Unjudged    int64            `json:"unjudged"`
	Strange     int64            `json:"strange"`
	Ties        int64            `json:"ties"`
	LimitReq    agreementJSON    `json:"limit_req"`
	LimitConn   agreementJSON    `json:"limit_conn"`
	Routes      []verifyRoute    `json:"routes"`
	Zones       []verifyZone     `json:"zones"`
	Differences []differenceJSON `json:"differences"`
	Causes      []string         `json:"causes"`
}

type agreementJSON struct {
	Compared  int64       `json:"compared"`
	Same      int64       `json:"same"`
	Confusion []confusion `json:"confusion"`
}

type verifyRoute struct {
	Server    string        `json:"server"`
	Location  string        `json:"location"`
	LimitReq  agreementJSON `json:"limit_req"`
	LimitConn agreementJSON `json:"limit_conn"`
}

type verifyZone struct {
	Zone string `json:"zone"`
	agreementJSON
}

type differenceJSON struct {
	Input    string `json:"input"`
	Line     int64  `json:"line"`
	Limit    string `json:"limit"`
	Logged   string `json:"logged"`
	Replayed string `json:"replayed"`
}

// VerifyJSON writes a comparison for programs.
func VerifyJSON(w io.Writer, v *Verify) error {
	a := v.Agreement
	out := verifyJSON{
		Version: 1, Partial: v.Run.Partial, Requests: v.Run.Requests, Unlogged: a.Unlogged, Unjudged: a.Unjudged, Strange: a.Strange, Ties: v.Run.Ties,
		LimitReq: agreement(&a.Req), LimitConn: agreement(&a.Conn),
		Routes: []verifyRoute{}, Zones: []verifyZone{}, Differences: []differenceJSON{}, Causes: []string{},
	}
	for _, r := range a.Routes {
		out.Routes = append(out.Routes, verifyRoute{serverName(r.Server), locationName(r.Location), agreement(&r.Req), agreement(&r.Conn)})
	}
	for _, z := range a.Zones {
		out.Zones = append(out.Zones, verifyZone{z.Zone.Name, agreement(&z.Confusion)})
	}
	for _, d := range a.Differences {
		kind := "limit_req"
		if d.Conn {
			kind = "limit_conn"
		}
		out.Differences = append(out.Differences, differenceJSON{d.Input, d.Line, kind, d.Logged.String(), d.Replayed.String()})
	}
	if len(a.Differences) > 0 {
		out.Causes = v.causes()
	}
	return writeJSON(w, out)
}

func agreement(c *replay.Confusion) agreementJSON {
	return agreementJSON{c.Compared(), c.Same(), cells(c, false)}
}
