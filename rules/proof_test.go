package rules_test

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/oracle"
	"github.com/nglimit/nglimit/rules"
)

// proof shows a rule's claim on a running nginx: http and server are the
// configuration, in which a request that no limit refuses is answered with 404
// unless it says otherwise, and show sends requests and looks at the answers.
type proof struct {
	rule         string
	claim        string // a sentence
	http, server string
	h2           bool // the server speaks HTTP/2
	show         func(t *testing.T, s *oracle.Server)
}

// TestProofs runs every proof on every nginx there is.
func TestProofs(t *testing.T) {
	for _, bin := range oracle.Bins(t) {
		for _, p := range proofs {
			t.Run(bin.Version.String()+"/"+p.rule+" "+p.claim, func(t *testing.T) {
				conf := oracle.Serve(p.http, p.server)
				if p.h2 {
					conf = oracle.HTTP(p.http + "server { " + bin.HTTP2(oracle.Addr) + p.server + "}")
				}
				p.show(t, bin.Start(t, conf, oracle.Options{Clock: true, Files: oracle.Files{"html/index.html": "good\n"}}))
			})
		}
	}
}

// TestProven holds rules to their Proof: what is Shown has a proof above, what
// is Refused is refused by nginx, and all other examples load.
func TestProven(t *testing.T) {
	shown := map[string]bool{}
	for _, p := range proofs {
		require.NotNil(t, rules.Find(p.rule), p.rule)
		shown[p.rule] = true
	}
	checker := oracle.Need(t).Checker(t)
	for _, r := range rules.All {
		assert.Equal(t, r.Proof == rules.Shown, shown[r.ID], "%s has a proof on a running nginx if it says so", r.ID)
		bad, good := checker.Test(example(r.Bad)), checker.Test(example(r.Good))
		assert.Equal(t, r.Proof != rules.Refused, bad.OK, "%s: bad example: %s", r.ID, bad.Output)
		assert.True(t, good.OK, "%s: good example: %s", r.ID, good.Output)
	}
}

func example(text string) oracle.Files {
	return oracle.Conf("events {}\nhttp {\n" + text + "\n}\n")
}

// codes are the statuses of n requests for a target, one after the other at
// one moment.
func codes(t *testing.T, s *oracle.Server, n int, target string) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = s.Get(t, target).Status
	}
	return all
}

// from is the status of one request from an address of loopback.
func from(t *testing.T, s *oracle.Server, address, target string) int {
	conn := s.Dial(t, netip.MustParseAddr(address))
	defer conn.Close()
	answer, err := conn.Get(target)
	require.NoError(t, err)
	return answer.Status
}
