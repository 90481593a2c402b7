package rules

// Options are what a team may tell the rules about its site. The zero value
// asks for nothing; DefaultOptions has the defaults.
type Options struct {
	NginxVersion  Version  // zero: not told, then nothing is version dependent
	MinStates     int      // NGL104: keys that a client-keyed zone should hold
	ClientTimeout int      // NGL502, seconds after which clients and proxies give up
	ExternalZones []string // zones that stand in files the linter is not given
	BehindProxy   *bool    // topology; nil: not told
	Today         string   // YYYY-MM-DD, for ignore comments with an end; empty: none has ended
}

// Version is an nginx version.
type Version struct{ Major, Minor, Patch int }

// DefaultOptions are the options of a run that says nothing.
func DefaultOptions() *Options {
	return &Options{MinStates: 8000, ClientTimeout: 30}
}
