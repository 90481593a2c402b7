package accesslog_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/ulikunitz/xz"

	"github.com/nglimit/nglimit/replay/accesslog"
)

// bzip2 of first and second, as the bzip2 command packs them: no package here
// writes it.
const bzip2Text = "QlpoOTFBWSZTWZHb0skAAGVbgAAQEAX/sAAAviK+CiAAlQSqaemSNAAeoACqgkbUaAyZqYm1LL6e8fZo2VaN1ngY55fMTymjGMYSR7o5IxYQZMkWCjEhHICKzlSRWt5DEiYgTKDE4PuqSU1WzdyZqoWIptVGC9IomheXLiaiHDswWJMFlX8XckU4UJCR29LJ"

func pack(t testing.TB, c accesslog.Compression, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	switch c {
	case accesslog.Plain:
		return []byte(text)
	case accesslog.Gzip:
		w = gzip.NewWriter(&b)
	case accesslog.Zstd:
		w, err = zstd.NewWriter(&b)
	case accesslog.XZ:
		w, err = xz.NewWriter(&b)
	case accesslog.LZ4:
		w = lz4.NewWriter(&b)
	case accesslog.Bzip2:
		if text != first+second {
			t.Fatal("there is one text packed as bzip2")
		}
		var packed []byte
		packed, err = base64.StdEncoding.DecodeString(bzip2Text)
		require.NoError(t, err)
		return packed
	}
	require.NoError(t, err)
	_, err = io.WriteString(w, text)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Bytes()
}

func compressions() []accesslog.Compression {
	return []accesslog.Compression{
		accesslog.Plain, accesslog.Gzip, accesslog.Zstd, accesslog.Bzip2, accesslog.XZ, accesslog.LZ4,
	}
}

func TestPackedInputsAreToldByTheirBytes(t *testing.T) {
	for _, c := range compressions() {
		t.Run("packed as "+c.String(), func(t *testing.T) {
			packed := pack(t, c, first+second)
			_, found, err := accesslog.Unpack(bytes.NewReader(packed))
			require.NoError(t, err)
			assert.Equal(t, c, found)
			g := read(bytes.NewReader(packed), accesslog.Hints{}, "remote_addr")
			require.NoError(t, g.err)
			assert.Equal(t, [][]string{{"192.0.2.1"}, {"192.0.2.2"}}, g.values)
		})
	}
}

// Rotated logs are often joined with cat.
func TestPackedInputsOfSeveralPieces(t *testing.T) {
	for _, c := range compressions() {
		t.Run("packed as "+c.String(), func(t *testing.T) {
			packed := pack(t, c, first+second)
			g := read(bytes.NewReader(bytes.Repeat(packed, 3)), accesslog.Hints{}, "remote_addr")
			require.NoError(t, g.err)
			assert.Len(t, g.values, 6)
		})
	}
}

// What was packed before the cut is read, and the cut is told.
func TestPackedInputsThatAreCut(t *testing.T) {
	text := strings.Repeat(first+second, 20_000)
	for _, c := range []accesslog.Compression{accesslog.Gzip, accesslog.Zstd, accesslog.XZ, accesslog.LZ4} {
		t.Run("packed as "+c.String(), func(t *testing.T) {
			packed := pack(t, c, text)
			g := read(bytes.NewReader(packed[:len(packed)*3/4]), accesslog.Hints{}, "remote_addr")
			require.Error(t, g.err)
			assert.Equal(t, g.lines, len(g.values)+g.skipped())
			g = read(bytes.NewReader(packed[:8]), accesslog.Hints{}, "remote_addr")
			require.Error(t, g.err)
			assert.Zero(t, g.lines)
		})
	}
}

func TestACutGzipGivesTheLinesBeforeTheCut(t *testing.T) {
	packed := pack(t, accesslog.Gzip, strings.Repeat(first+second, 20_000))
	g := read(bytes.NewReader(packed[:len(packed)-20]), accesslog.Hints{}, "remote_addr")
	require.ErrorIs(t, g.err, io.ErrUnexpectedEOF)
	assert.Greater(t, len(g.values), 30_000)
}
