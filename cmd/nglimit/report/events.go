package report

import (
	"io"
	"strconv"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay"
	"github.com/nglimit/nglimit/replay/limit"
)

// Events writes one JSON line for each request of a replay.
type Events struct {
	w       io.Writer
	line    []byte
	servers map[*nginx.Server]string // as JSON
	places  map[*nginx.Location]string
}

// NewEvents writes to w, which should be buffered.
func NewEvents(w io.Writer) *Events {
	return &Events{w: w, servers: map[*nginx.Server]string{}, places: map[*nginx.Location]string{}}
}

// Write is a sink of a replay.
func (e *Events) Write(ev *replay.Event) error {
	b := append(e.line[:0], `{"input":`...)
	b = appendJSON(b, ev.Input)
	b = append(b, `,"line":`...)
	b = strconv.AppendInt(b, ev.Line, 10)
	b = append(b, `,"at":`...)
	b = strconv.AppendInt(b, int64(ev.At), 10)
	b = append(b, `,"server":`...)
	b = append(b, e.server(ev.Server)...)
	b = append(b, `,"location":`...)
	b = append(b, e.place(ev.Location)...)
	b = append(b, `,"limit_req_status":"`...)
	b = append(b, ev.ReqStatus.String()...)
	b = append(b, `","limit_conn_status":"`...)
	b = append(b, ev.ConnStatus.String()...)
	b = append(b, `","zone":`...)
	b = e.zone(b, ev)
	b = append(b, `,"excess":"`...)
	if ev.ReqStatus != limit.None {
		b = append(b, thousandths(ev.Excess)...)
	}
	b = append(b, `","delay_ms":`...)
	b = strconv.AppendInt(b, int64(ev.Delay), 10)
	if ev.Unknown != "" {
		b = append(b, `,"unknown":`...)
		b = appendJSON(b, ev.Unknown)
	}
	if ev.Bypass != "" {
		b = append(b, `,"bypass":`...)
		b = appendJSON(b, ev.Bypass)
	}
	e.line = append(b, "}\n"...)
	_, err := e.w.Write(e.line)
	return err
}

func (e *Events) zone(b []byte, ev *replay.Event) []byte {
	if ev.Zone == nil {
		return append(b, `"","key":""`...)
	}
	b = appendJSON(b, ev.Zone.Name)
	b = append(b, `,"key":`...)
	return appendJSON(b, keyText(ev.Zone, ev.Key))
}

func (e *Events) server(s *nginx.Server) string {
	text, known := e.servers[s]
	if !known {
		text = string(appendJSON(nil, serverName(s)))
		e.servers[s] = text
	}
	return text
}

func (e *Events) place(l *nginx.Location) string {
	text, known := e.places[l]
	if !known {
		text = string(appendJSON(nil, locationName(l)))
		e.places[l] = text
	}
	return text
}
