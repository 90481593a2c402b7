package replay

import (
	"cmp"
	"slices"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay/accesslog"
	"github.com/nglimit/nglimit/replay/limit"
)

// Result is what a run counted. Every line of the inputs is a request or
// stands in Skipped.
type Result struct {
	Inputs   []*InputResult
	Lines    int64
	Requests int64
	Counts

	Skipped  [accesslog.Kinds]Skip // by kind; of Good there are none
	Unjudged []Unjudged            // requests whose limits need a variable that the log lacks, by variable
	Bypassed int64                 // requests that end before limits are reached
	Late     int64                 // requests that took longer than the window, and were put behind their place
	Ties     int64                 // requests that share millisecond and key with the one decided before
	Coarse   Millis                // the coarsest step of the clocks; 1 is exact

	First, Last Millis // arrivals since the epoch; 0 without requests
	Routes      []*RouteCounts
	Zones       []*ZoneCounts
	Partial     bool // the run was stopped before the end of the inputs
}

// Counts are the outcomes of requests that some limit counted: Limited is the
// sum of the others.
type Counts struct {
	Limited, Passed, Delayed, Rejected int64
}

func (c *Counts) add(s limit.Status) {
	switch s.Enforced() {
	case limit.None:
		return
	case limit.Rejected:
		c.Rejected++
	case limit.Delayed:
		c.Delayed++
	default:
		c.Passed++
	}
	c.Limited++
}

// InputResult is what is known of one input.
type InputResult struct {
	Name        string
	Format      string
	Mapping     []accesslog.Hold
	Compression accesslog.Compression
	Lines       int64
	Requests    int64
	Err         error // why its reading ended before its end; nil
}

// Skip counts lines of one kind that are no requests, and says where the
// first stands.
type Skip struct {
	Count int64
	Input string
	Line  int64
}

// Unjudged counts requests that need one variable.
type Unjudged struct {
	Variable string // without "$"
	Count    int64
}

// RouteCounts counts the requests of one server and location.
type RouteCounts struct {
	Server   *nginx.Server
	Location *nginx.Location // nil: the server itself
	Requests int64
	Counts
}

// ZoneCounts counts the requests that a zone counted. Requests that another
// limit refused are counted where they were refused alone.
type ZoneCounts struct {
	Zone *nginx.Zone
	Counts
	Keys   int    // the most keys it held at one time
	Forced uint64 // limit_req: keys forgotten to make room
	NoRoom uint64 // requests refused because the zone was full
}

func (r *Result) skip(kind accesslog.Kind, count int64, input string, line int64) {
	s := &r.Skipped[kind]
	if s.Count == 0 {
		s.Input, s.Line = input, line
	}
	s.Count += count
}

func (r *Result) unjudged(variable string) {
	for i := range r.Unjudged {
		if r.Unjudged[i].Variable == variable {
			r.Unjudged[i].Count++
			return
		}
	}
	r.Unjudged = append(r.Unjudged, Unjudged{variable, 1})
}

// finish sums up what was counted by input, route and zone, in the order of
// the configuration.
func (r *Result) finish(s *simulator, inputs []*input, c *nginx.Config) {
	for _, in := range inputs {
		one := in.outcome()
		r.Inputs = append(r.Inputs, one)
		r.Lines += one.Lines
		r.Requests += one.Requests
	}
	slices.SortFunc(r.Unjudged, func(a, b Unjudged) int { return cmp.Compare(a.Variable, b.Variable) })
	r.Routes = s.routeCounts(c)
	for _, z := range c.Zones {
		state := s.zones[z]
		if state == nil {
			continue
		}
		counts := state.counts
		if state.req != nil {
			stats := state.req.Stats()
			counts.Keys, counts.Forced, counts.NoRoom = stats.Peak, stats.Forced, stats.NoRoom
		} else {
			stats := state.conn.Stats()
			counts.Keys, counts.NoRoom = stats.Peak, stats.NoRoom
		}
		r.Zones = append(r.Zones, &counts)
	}
}

// Skips is how many lines are no requests.
func (r *Result) Skips() int64 {
	var n int64
	for _, s := range r.Skipped {
		n += s.Count
	}
	return n
}

// Err is why an input was not read to its end; nil when all were.
func (r *Result) Err() error {
	for _, in := range r.Inputs {
		if in.Err != nil {
			return in.Err
		}
	}
	return nil
}
