package replay_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/nglimit/nglimit/replay"
	"github.com/nglimit/nglimit/replay/accesslog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// endless gives a log without end, until it is closed.
type endless struct {
	text []byte
	at   int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.at:])
	e.at = (e.at + n) % len(e.text)
	return n, nil
}

func (e *endless) Close() error { return nil }

func endlessInput(name string) replay.Input {
	return replay.Input{Name: name, Open: func() (io.ReadCloser, error) { return &endless{text: growing(20_000)}, nil }}
}

func TestAStoppedRunIsPartial(t *testing.T) {
	for _, workers := range []int{1, 4} {
		t.Run(fmt.Sprintf("%d workers", workers), func(t *testing.T) {
			defer goleak.VerifyNone(t)
			ctx, cancel := context.WithCancel(t.Context())
			seen := 0
			o := replay.Options{Config: config(t, shop), Inputs: []replay.Input{endlessInput("a"), endlessInput("b")}, Workers: workers, Window: 1}
			r, err := replay.Run(ctx, o, func(*replay.Event) error {
				if seen++; seen == 500 {
					cancel()
				}
				return nil
			})
			require.NoError(t, err)
			assert.True(t, r.Partial)
			assert.GreaterOrEqual(t, seen, 500)
			assert.NoError(t, r.Err(), "the input is not to blame")
		})
	}
}

// growing are so many lines, a millisecond apart.
func growing(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		b.WriteString(line(i, 0, "192.0.2.1", "/"))
	}
	return b.Bytes()
}

func TestARunThatIsStoppedBeforeItBeginsIsPartial(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := replay.Run(ctx, replay.Options{Config: config(t, shop), Inputs: []replay.Input{endlessInput("a")}})
	require.NoError(t, err)
	assert.True(t, r.Partial)
}

// A pipe that nobody writes to must not keep a run that is stopped, nor its
// goroutines.
func TestAReaderThatWaitsDoesNotHoldAStoppedRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	in := replay.Input{Name: "pipe", Open: func() (io.ReadCloser, error) { return r, nil }}
	go func() {
		io.WriteString(w, line(0, 0, "192.0.2.1", "/")) //nolint:errcheck // the run may be over
		cancel()
	}()
	result, err := replay.Run(ctx, replay.Options{Config: config(t, shop), Inputs: []replay.Input{in}})
	require.NoError(t, err)
	assert.True(t, result.Partial)
	require.NoError(t, w.Close())
}

func TestAnErrorOfASinkEndsTheRun(t *testing.T) {
	defer goleak.VerifyNone(t)
	full := errors.New("disk full")
	seen := 0
	o := replay.Options{Config: config(t, shop), Inputs: []replay.Input{endlessInput("a")}, Workers: 2, Window: 1}
	_, err := replay.Run(t.Context(), o, func(*replay.Event) error {
		if seen++; seen == 10 {
			return full
		}
		return nil
	})
	require.ErrorIs(t, err, full)
	assert.Equal(t, 10, seen)
}

func TestInputsThatCannotBeRead(t *testing.T) {
	defer goleak.VerifyNone(t)
	missing := errors.New("no such file")
	packed := gzipped(t, strings.Repeat(line(0, 0, "192.0.2.1", "/"), 5000))
	inputs := []replay.Input{
		{Name: "missing", Open: func() (io.ReadCloser, error) { return nil, missing }},
		text("empty", ""),
		text("blank", "\n\n"),
		text("diary", "dear diary\n"),
		text("cut", string(packed[:len(packed)-12])),
		text("good", line(0, 0, "192.0.2.1", "/")),
		text("after a banner", strings.Repeat("welcome\n", accesslog.BlockSize/8+1)+line(0, 0, "192.0.2.1", "/")),
	}
	_, r := run(t, replay.Options{Config: config(t, shop), Inputs: inputs, Workers: 2})
	require.ErrorIs(t, r.Inputs[0].Err, missing)
	require.NoError(t, r.Inputs[1].Err)
	require.NoError(t, r.Inputs[2].Err)
	require.ErrorIs(t, r.Inputs[3].Err, accesslog.ErrNoRequests)
	require.ErrorIs(t, r.Inputs[4].Err, io.ErrUnexpectedEOF)
	require.NoError(t, r.Inputs[5].Err)
	require.NoError(t, r.Inputs[6].Err)
	assert.Equal(t, int64(1), r.Inputs[5].Requests)
	assert.Equal(t, int64(1), r.Inputs[6].Requests)
	assert.Equal(t, "json", r.Inputs[6].Format)
	require.ErrorIs(t, r.Err(), missing)
	assert.False(t, r.Partial)
}

func TestARunWithoutInputsCountsNothing(t *testing.T) {
	_, r := run(t, replay.Options{Config: config(t, shop)})
	assert.Zero(t, r.Lines)
	assert.Zero(t, r.Counts)
	assert.Len(t, r.Zones, 3)
}

func gzipped(t testing.TB, log string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := io.WriteString(w, log)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}
