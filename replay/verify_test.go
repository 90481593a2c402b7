package replay_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/replay"
	"github.com/nglimit/nglimit/replay/limit"
)

// logged is a line with what nginx says to have decided; nil leaves a variable
// out.
func logged(at int, uri string, req, conn *string) string {
	l := strings.TrimSuffix(line(at, 0, "192.0.2.1", uri), "}\n")
	if req != nil {
		l += `,"limit_req_status":"` + *req + `"`
	}
	if conn != nil {
		l += `,"limit_conn_status":"` + *conn + `"`
	}
	return l + "}\n"
}

func agreement(t *testing.T, log string) *replay.AgreementResult {
	t.Helper()
	a := replay.NewAgreement()
	_, err := replay.Run(t.Context(), replay.Options{Config: config(t, shop), Inputs: []replay.Input{text("a", log)}, World: replay.Observed}, a.Observe)
	require.NoError(t, err)
	return a.Result()
}

func TestAgreement(t *testing.T) {
	passed, rejected, none, dash, strange := "PASSED", "REJECTED", "", "-", "MAYBE"
	got := agreement(t,
		logged(0, "/", &passed, &none)+
			logged(1, "/", &rejected, nil)+ // the replay passes it
			logged(2, "/", &rejected, &dash)+
			logged(3, "/gone", &none, nil)+
			logged(4, "/gone", &dash, nil)+
			logged(5, "/gone", &strange, nil)+
			logged(6, "/", nil, nil)+
			logged(5000, "/stream", nil, &passed))
	var req, conn replay.Confusion
	req[limit.Passed][limit.Passed] = 1
	req[limit.Rejected][limit.Passed] = 1
	req[limit.Rejected][limit.Rejected] = 1
	req[limit.None][limit.None] = 2
	conn[limit.None][limit.None] = 2
	conn[limit.Passed][limit.Passed] = 1
	assert.Equal(t, req, got.Req)
	assert.Equal(t, conn, got.Conn)
	assert.Equal(t, []int64{5, 4}, []int64{got.Req.Compared(), got.Req.Same()})
	assert.InDelta(t, 0.8, got.Req.Share(), 1e-9)
	assert.Equal(t, []int64{1, 1, 0}, []int64{got.Unlogged, got.Strange, got.Unjudged})
	assert.Equal(t, []replay.Difference{{Input: "a", Line: 2, Logged: limit.Rejected, Replayed: limit.Passed}}, got.Differences)

	require.Len(t, got.Routes, 3)
	assert.Equal(t, []int64{3, 2}, []int64{got.Routes[0].Req.Compared(), got.Routes[0].Req.Same()})
	assert.Equal(t, []int64{2, 2}, []int64{got.Routes[1].Req.Compared(), got.Routes[1].Req.Same()})
	assert.Equal(t, []int64{1, 1}, []int64{got.Routes[2].Conn.Compared(), got.Routes[2].Conn.Same()})

	require.Len(t, got.Zones, 2, "that of limit_req is asked for nothing that is not logged")
	assert.Equal(t, "site", got.Zones[0].Zone.Name)
	assert.Equal(t, []int64{3, 2}, []int64{got.Zones[0].Compared(), got.Zones[0].Same()})
	assert.Equal(t, "streams", got.Zones[1].Zone.Name)
	assert.Equal(t, []int64{1, 1}, []int64{got.Zones[1].Compared(), got.Zones[1].Same()})
}

func TestAgreementOnNothing(t *testing.T) {
	got := agreement(t, "")
	assert.InDelta(t, 1, got.Req.Share(), 0)
	assert.Empty(t, got.Routes)
	assert.Empty(t, got.Differences)
}

func TestDifferencesAreKeptUpToAHundred(t *testing.T) {
	wrong := "DELAYED"
	var b strings.Builder
	for i := range 150 {
		b.WriteString(logged(i*10_000, "/", &wrong, nil))
	}
	got := agreement(t, b.String())
	assert.Len(t, got.Differences, 100)
	assert.Equal(t, int64(150), got.Req[limit.Delayed][limit.Passed])
}
