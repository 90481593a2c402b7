package accesslog_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/nglimit/nglimit/replay/accesslog"
)

// seeds are the logs of the fixtures and the lines of the tests.
func seeds(tb testing.TB) [][]byte {
	tb.Helper()
	all := [][]byte{
		[]byte(first + second), []byte(combinedLine), []byte("[" + first + "," + second + "]"), []byte("\xef\xbb\xbf" + first),
		[]byte("2026-01-01T10:00:00.4Z stdout P " + first + "2026-01-01T10:00:00.4Z stdout F " + second),
		[]byte(`{"log":"{}\n","stream":"stdout","time":"2026-01-01T10:00:00.4Z"}`), []byte(`{"a":{"b":[1,{"c":-}],"d":"\u00"},}`),
		[]byte("<190>Jan  1 10:00:00 web nginx: " + combinedLine), []byte("\x1f\x8b\x08"), []byte("2026/01/01 10:00:00 [warn] x\n# x\n"),
	}
	for _, c := range compressions() {
		all = append(all, pack(tb, c, first+second))
	}
	files, err := filepath.Glob("../../fixtures/logs/*")
	require.NoError(tb, err)
	require.NotEmpty(tb, files)
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(tb, err)
		all = append(all, text)
	}
	return all
}

// Whatever the input: it ends, every line is a request or has a kind, and the
// sizes of the pieces that it comes in change nothing.
func FuzzReader(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > 1<<16 {
			t.Skip("a longer one tells nothing new")
		}
		want := []string{"remote_addr", "request", "request_uri", "http_user_agent"}
		g := read(bytes.NewReader(text), accesslog.Hints{}, want...)
		require.Equal(t, g.lines, len(g.values)+g.skipped())
		require.Len(t, g.times, len(g.values))
		require.Equal(t, g, read(iotest.OneByteReader(bytes.NewReader(text)), accesslog.Hints{}, want...))
	})
}

// Lines of a log in any mixture and order, good, damaged and long, are counted
// each.
func TestMixturesLoseNoLine(t *testing.T) {
	pieces := []string{
		first, second, combinedLine, "\n", "x\n", first[:30] + "\n", "2026/01/01 10:00:00 [warn] x\n", "# x\n", strings.Replace(first, "/a", `/\x22`, 1),
		strings.Repeat("y", 300_000) + "\n", strings.Replace(first, "/a", "/"+strings.Repeat("z", 270_000), 1), strings.Repeat("q", accesslog.MaxLine) + "\n",
	}
	rapid.Check(t, func(t *rapid.T) {
		picks := rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(t, "lines")
		text := strings.Join(picks, "")
		if rapid.Bool().Draw(t, "cut") && text != "" {
			text = text[:len(text)-rapid.IntRange(0, min(len(text), 200)).Draw(t, "by")]
		}
		g := readText(text, "remote_addr")
		require.NoError(t, g.err)
		require.Equal(t, linesOf(text), g.lines)
		require.Equal(t, g.lines, len(g.values)+g.skipped())
	})
}
