package accesslog_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/replay/accesslog"
)

func TestArraysOfObjects(t *testing.T) {
	one, two := strings.TrimSpace(first), strings.TrimSpace(second)
	pretty := strings.NewReplacer(",", ",\n  ", "{", "{\n  ", "}", "\n}").Replace(one)
	for name, c := range map[string]struct {
		text string
		good int
	}{
		"a line for each":               {"[\n" + one + ",\n" + two + "\n]\n", 2},
		"objects over several lines":    {"[\n" + pretty + ",\n" + pretty + "]", 2},
		"both, and commas too many":     {" [ " + pretty + ",\n" + one + ",,\n" + two + ",\n]\n", 3},
		"braces and brackets in values": {"[\n" + strings.Replace(one, "/a", `/]}\"[{`, 1) + ",\n" + two + "\n]\n", 2},
		"a byte order mark":             {"\xef\xbb\xbf[\n" + one + "\n]", 1},
	} {
		t.Run(name, func(t *testing.T) {
			g := readText(c.text, "remote_addr")
			require.NoError(t, g.chosen)
			assert.Len(t, g.values, c.good)
			g.complete(t, strings.TrimPrefix(c.text, "\xef\xbb\xbf"))
		})
	}
}

func TestAnArrayOnOneLineHasALineForEachObject(t *testing.T) {
	g := readText("["+strings.Repeat(strings.TrimSpace(first)+", ", 20_000)+strings.TrimSpace(second)+"]", "request_uri")
	assert.Len(t, g.values, 20_001)
	assert.Equal(t, 20_001, g.lines)
	assert.Empty(t, g.kinds)
}

func TestAnArrayThatIsCut(t *testing.T) {
	text := "[\n" + first + ",\n" + second[:40]
	g := readText(text, "request_uri")
	assert.Equal(t, [][]string{{"/a"}}, g.values)
	assert.Equal(t, 1, g.kinds[accesslog.Cut])
	g.complete(t, text)
}

func docker(t *testing.T, text, stream string) string {
	t.Helper()
	b, err := json.Marshal(map[string]string{"log": text, "stream": stream, "time": "2026-01-01T10:00:00.456789Z"})
	require.NoError(t, err)
	return string(b) + "\n"
}

func TestWrappedLines(t *testing.T) {
	const cri = "2026-01-01T10:00:00.456789Z "
	for name, c := range map[string]struct {
		text  string
		good  int
		kinds map[accesslog.Kind]int
	}{
		"CRI": {cri + "stdout F " + first + cri + "stdout F " + second, 2, nil},
		"CRI, a line in three parts with another stream between": {
			cri + "stdout P " + first[:20] + "\n" + cri + "stderr F 2026/01/01 10:00:00 [warn] 7#7: x\n" + cri + "stdout P " + first[20:50] + "\n" +
				cri + "stderr F oops\n" + cri + "stdout F " + first[50:],
			1,
			map[accesslog.Kind]int{accesslog.Joined: 2, accesslog.ErrorLog: 1, accesslog.Foreign: 1},
		},
		"CRI, the last part is missing": {
			cri + "stdout F " + first + cri + "stdout P " + second[:20] + "\n" + cri + "stdout P " + second[20:40] + "\n",
			1,
			map[accesslog.Kind]int{accesslog.Joined: 1, accesslog.Cut: 1},
		},
		"CRI, cut in a part without newline": {
			cri + "stdout F " + first + cri + "stdout P " + second[:20], 1, map[accesslog.Kind]int{accesslog.Cut: 1},
		},
		"Docker":                  {docker(t, first, "stdout") + docker(t, second, "stdout") + docker(t, "x\n", "stderr"), 2, map[accesslog.Kind]int{accesslog.Foreign: 1}},
		"Docker, in parts":        {docker(t, first[:30], "stdout") + docker(t, first[30:], "stdout"), 1, map[accesslog.Kind]int{accesslog.Joined: 1}},
		"Docker, combined":        {docker(t, combinedLine, "stdout"), 1, nil},
		"a message of a shipper":  {`{"@timestamp":"2026-01-01T10:00:00.5Z","message":"{\"msec\":1767261600.1,\"remote_addr\":\"192.0.2.1\"}"}` + "\n", 1, nil},
		"syslog":                  {"<190>Jan  1 10:00:00 web nginx: " + first + "<190>Jan  1 10:00:00 web nginx: " + second, 2, nil},
		"syslog without a number": {"Jan  1 10:00:00 web nginx[7]: " + first, 1, nil},
		"syslog, combined":        {"<190>Jan 11 10:00:00 web nginx: " + combinedLine, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			g := readText(c.text, "remote_addr")
			require.NoError(t, g.chosen)
			if c.kinds == nil {
				c.kinds = map[accesslog.Kind]int{}
			}
			assert.Len(t, g.values, c.good)
			assert.Equal(t, c.kinds, g.kinds)
			g.complete(t, c.text)
		})
	}
}

func TestTheStampOfAWrapperRefinesWholeSeconds(t *testing.T) {
	g := readText("2026-01-01T10:00:00.456Z stdout F " + combinedLine)
	assert.Equal(t, []accesslog.Millis{1767261600_456}, g.times)
	assert.Equal(t, []accesslog.Millis{1}, g.steps)
}
