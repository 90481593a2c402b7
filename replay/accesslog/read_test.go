package accesslog_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
	"github.com/nglimit/nglimit/replay/accesslog"
)

// unknown stands for a value that the log does not have.
const unknown = "?"

// got is what a whole input gave.
type got struct {
	lines  int
	kinds  map[accesslog.Kind]int // of lines that are no requests
	times  []accesslog.Millis
	steps  []accesslog.Millis
	took   []accesslog.Millis
	values [][]string
	format string
	chosen error // why there is no format
	err    error // why reading ended early
}

// read takes an input to its end, as a replay does.
func read(r io.Reader, hints accesslog.Hints, want ...string) got {
	g := got{kinds: map[accesslog.Kind]int{}}
	text, _, err := accesslog.Unpack(r)
	if err != nil {
		g.err = err
		return g
	}
	blocks := accesslog.NewBlocks(text)
	var reader *accesslog.Reader
	for b := new(accesslog.Block); ; b = new(accesslog.Block) {
		if err := blocks.Next(b); err != nil {
			if !errors.Is(err, io.EOF) {
				g.err = err
			}
			return g
		}
		if reader == nil {
			f, err := accesslog.Choose(b, hints)
			if g.chosen = err; err != nil {
				f = accesslog.Combined()
			}
			g.format, reader = f.Name, f.NewReader(want)
		}
		g.block(reader, b)
	}
}

func (g *got) block(reader *accesslog.Reader, b *accesslog.Block) {
	reader.Begin(b)
	for rec := (accesslog.Record{}); reader.Next(&rec); {
		g.lines++
		if rec.Kind != accesslog.Good {
			g.kinds[rec.Kind]++
			continue
		}
		g.times, g.steps, g.took = append(g.times, rec.End), append(g.steps, rec.Resolution), append(g.took, rec.Took)
		var row []string
		for _, v := range rec.Values {
			if v == nil {
				row = append(row, unknown)
			} else {
				row = append(row, string(v))
			}
		}
		g.values = append(g.values, row)
	}
}

func (g *got) skipped() int {
	n := 0
	for _, count := range g.kinds {
		n += count
	}
	return n
}

// complete checks that every line is a request or has a kind.
func (g *got) complete(t *testing.T, text string) {
	t.Helper()
	assert.Equal(t, linesOf(text), g.lines, "lines of the text")
	assert.Equal(t, g.lines, len(g.values)+g.skipped(), "requests and skipped lines")
}

func linesOf(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

func readText(text string, want ...string) got {
	return read(strings.NewReader(text), accesslog.Hints{}, want...)
}

// defined gives the hints of a configuration with log_formats in http.
func defined(t *testing.T, http string) accesslog.Hints {
	t.Helper()
	c := nginx.Build(parser.ParseBytes("nginx.conf", []byte("events {} http { "+http+" }"), parser.Options{}))
	require.NotEmpty(t, c.LogFormats)
	return accesslog.Hints{Defined: c.LogFormats}
}

const (
	first  = `{"msec":1767261600.123,"remote_addr":"192.0.2.1","request_uri":"/a","status":200,"request_time":0.010}` + "\n"
	second = `{"msec":1767261600.456,"remote_addr":"192.0.2.2","request_uri":"/b","status":404,"request_time":0.020}` + "\n"
)

func TestLinesOfEveryKindAreCounted(t *testing.T) {
	long := strings.Repeat("x", accesslog.MaxLine+10)
	for name, c := range map[string]struct {
		text  string
		good  int
		kinds map[accesslog.Kind]int
	}{
		"an empty input has no lines":          {"", 0, nil},
		"two requests":                         {first + second, 2, nil},
		"blank lines":                          {first + "\n  \n\r\n" + second, 2, map[accesslog.Kind]int{accesslog.Blank: 3}},
		"lines that end as on Windows":         {strings.ReplaceAll(first+second, "\n", "\r\n"), 2, nil},
		"a byte order mark":                    {"\xef\xbb\xbf" + first + second, 2, nil},
		"no newline at the end":                {strings.TrimSuffix(first+second, "\n"), 2, nil},
		"a last line that is cut":              {first + second[:60], 1, map[accesslog.Kind]int{accesslog.Cut: 1}},
		"a line that is cut amid others":       {first + second[:60] + "\n" + second, 2, map[accesslog.Kind]int{accesslog.Malformed: 1}},
		"a line of the error log":              {first + "2026/01/01 10:00:00 [error] 7#7: *1 limiting requests\n" + second, 2, map[accesslog.Kind]int{accesslog.ErrorLog: 1}},
		"marks of tail and of log rotation":    {"==> a.log <==\n" + first + "# rotated\n" + second, 2, map[accesslog.Kind]int{accesslog.Marker: 2}},
		"zeros of a file that was cut in use":  {"\x00\x00\x00" + first + second, 2, nil},
		"a line over the cap":                  {first + long + "\n" + second, 2, map[accesslog.Kind]int{accesslog.TooLong: 1}},
		"a line over the cap at the end":       {first + second + long, 2, map[accesslog.Kind]int{accesslog.TooLong: 1}},
		"a line over the cap of three blocks":  {first + long + long + long + "\n" + second, 2, map[accesslog.Kind]int{accesslog.TooLong: 1}},
		"a line without a time":                {first + `{"remote_addr":"192.0.2.3","request_uri":"/c","status":200}` + "\n", 1, map[accesslog.Kind]int{accesslog.NoTime: 1}},
		"garbage behind the object":            {first + strings.TrimSuffix(second, "\n") + " x\n" + first, 2, map[accesslog.Kind]int{accesslog.Malformed: 1}},
		"two objects on a line":                {first + strings.TrimSuffix(second, "\n") + first, 1, map[accesslog.Kind]int{accesslog.Malformed: 1}},
		"objects nested without end":           {first + strings.Repeat(`{"a":`, 5000) + "\n" + second, 2, map[accesslog.Kind]int{accesslog.Malformed: 1}},
		"JSON and combined in the same file":   {first + combinedLine + second, 3, nil},
		"a spaced object":                      {` { "msec" : 1767261600.123 , "remote_addr" : "192.0.2.1" } ` + "\n", 1, nil},
		"a key with very many dots":            {strings.Replace(first, "{", `{"`+strings.Repeat(".", 200)+`":1,`, 1), 1, nil},
		"raw bytes that are no UTF-8":          {strings.Replace(first, "/a", "/\xff\xe9", 1) + second, 2, nil},
		"a value that is missing":              {strings.Replace(first, "0.010", "", 1) + strings.Replace(second, "0.020", "-", 1), 2, nil},
		"lists without quotes":                 {strings.Replace(first, "0.010}", `0.010,"upstream_response_time":0.1, 0.2 : -}`, 1), 1, nil},
		"an address and a port without quotes": {strings.Replace(first, "}", `,"upstream_addr":192.0.2.9:80}`, 1), 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := readText(c.text, "remote_addr")
			require.NoError(t, g.err)
			if c.kinds == nil {
				c.kinds = map[accesslog.Kind]int{}
			}
			assert.Equal(t, c.kinds, g.kinds)
			assert.Len(t, g.values, c.good)
			g.complete(t, strings.TrimPrefix(c.text, "\xef\xbb\xbf"))
		})
	}
}

// A rest larger than the next buffer is carried over whole.
func TestLongLinesBetweenBlocksLoseNothing(t *testing.T) {
	var b bytes.Buffer
	wide := 0
	for i := range 40 {
		b.WriteString(first)
		if i%3 == 0 {
			b.WriteString(strings.Replace(second, "/b", "/"+strings.Repeat("w", 100_000+i*20_000), 1))
			wide++
		}
	}
	g := readText(b.String(), "request_uri")
	require.NoError(t, g.err)
	require.Len(t, g.values, 40+wide)
	g.complete(t, b.String())
	size := 0
	for _, v := range g.values {
		size += len(v[0])
	}
	assert.Equal(t, strings.Count(b.String(), "w")+len("/")*wide+40*len("/a"), size)
}

func TestNothingThatIsALogIsSaidSo(t *testing.T) {
	g := readText("dear diary\nnothing happened\n")
	require.ErrorIs(t, g.chosen, accesslog.ErrNoRequests)
	require.ErrorContains(t, g.chosen, "dear diary")
	g.complete(t, "dear diary\nnothing happened\n")
}

func TestAddressesThatDifferAreNotGuessed(t *testing.T) {
	g := readText(`{"msec":1767261600.1,"client":"192.0.2.1","remote":"192.0.2.2","url":"/"}` + "\n")
	var ambiguous *accesslog.AmbiguousError
	require.ErrorAs(t, g.chosen, &ambiguous)
	assert.Equal(t, []string{"client", "remote"}, ambiguous.Fields)
	assert.Equal(t, []string{"192.0.2.1", "192.0.2.2"}, ambiguous.Samples)
	named := accesslog.Hints{Fields: map[string]string{"remote_addr": "remote"}}
	g = read(strings.NewReader(`{"msec":1767261600.1,"client":"192.0.2.1","remote":"192.0.2.2","url":"/"}`), named, "remote_addr")
	require.NoError(t, g.chosen)
	assert.Equal(t, [][]string{{"192.0.2.2"}}, g.values)
}
