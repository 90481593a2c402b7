package replay

import (
	"io"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay/accesslog"
	"github.com/nglimit/nglimit/replay/limit"
)

// Millis is a point on, or a span of, the real clock in milliseconds.
type Millis = accesslog.Millis

// Input is one access log.
type Input struct {
	Name string
	// Open gives its bytes, packed or not. It is called once. When the run is
	// stopped they are closed, which should end a Read that waits.
	Open func() (io.ReadCloser, error)
}

// World says what the requests of the log went through when it was written,
// and so what the answers of a replay mean.
type World uint8

const (
	// Enforced asks what would happen if the limits were enforced on this
	// demand: refused requests leave no connection behind, delayed ones start
	// later and end later.
	Enforced World = iota
	// Observed asks what nginx decided when it wrote the log: what delays did is
	// in the times already.
	Observed
)

// Options say what to replay.
type Options struct {
	Config *nginx.Config
	Inputs []Input
	World  World
	// Window is how long after its arrival a request may end and still be
	// put in its place among the others; 0 is a minute. Requests that took
	// longer are counted as late.
	Window Millis
	// Workers read and route in parallel; below 1 is one.
	Workers int
	// Log says what is known of the formats of the inputs; the log_formats of
	// the configuration need not be given.
	Log accesslog.Hints
	// Keep names the variables whose values events shall carry, without "$".
	Keep []string
}

// defaultWindow is long enough for all but downloads and tunnels.
const defaultWindow Millis = 60_000

func (o Options) window() Millis {
	if o.Window <= 0 {
		return defaultWindow
	}
	return o.Window
}

// Sink takes the events of a run, in order of arrival. An event and its bytes
// are valid until it returns. An error ends the run.
type Sink func(*Event) error

// Event is what became of one request.
type Event struct {
	Input string // name of the input
	Line  int64  // number of its line there, from 1
	At    Millis // arrival, since the epoch
	End   Millis // when it was logged

	Server   *nginx.Server
	Location *nginx.Location // nil: the server itself
	Block    *nginx.Block    // where the limits are in force
	Bypass   string          // why no limit is reached; empty when some may be
	Unknown  string          // the variable that the log lacks to judge the request; empty: none

	ReqStatus  limit.Status // None when no limit_req applied, or Unknown
	ConnStatus limit.Status
	// Zone is where the request was refused or delayed most, else the last of
	// limit_req that counted it, else one of limit_conn; nil when none did. Key is its key there, as nginx has it.
	Zone *nginx.Zone
	Key  []byte
	// Excess is the excess in a limit_req zone, in thousandths of a request.
	Excess int64
	Delay  Millis // how long it waits before it is handed on
	NoRoom bool   // refused because the zone was full

	// Limits are those that judged the request, with their keys: limit_req in
	// order, then limit_conn.
	Limits []nginx.Bound

	Address []byte // $remote_addr as logged; nil when it is not
	Status  int    // $status; 0 when it is not logged
	// Logged are $limit_req_status and $limit_conn_status of the line; nil when
	// it does not have them.
	LoggedReq, LoggedConn []byte
	Values                [][]byte // of Options.Keep; nil is unknown
}
