package analyzer

import (
	"github.com/cespare/xxhash/v2"

	"github.com/nglimit/nglimit/replay"
)

// Channel is what tells the clients of one address apart, the weakest first.
// It bounds how far a count of clients can be trusted: two people with the same
// browser are one user agent, and one person may use two.
type Channel uint8

// The channels.
const (
	NoChannel Channel = iota
	UserAgent
	Session
)

func (c Channel) String() string {
	return [...]string{"none", "user agent", "session"}[c]
}

// identify gives the client of a request by the best channel that it has.
// Identities are hashes: they are compared and never shown.
func (o Options) identify(e *replay.Event) (client uint64, by Channel) {
	if o.Session >= 0 && set(e.Values[o.Session]) {
		return xxhash.Sum64(e.Values[o.Session]) | 1, Session
	}
	if o.Agent >= 0 && e.Values[o.Agent] != nil {
		return xxhash.Sum64(e.Values[o.Agent]) &^ 1, UserAgent
	}
	return 0, NoChannel
}

func set(v []byte) bool { return len(v) > 0 && string(v) != "-" }
