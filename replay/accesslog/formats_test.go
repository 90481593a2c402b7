package accesslog_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/replay/accesslog"
)

const combinedLine = `192.0.2.7 - ann [01/Jan/2026:10:00:00 +0000] "GET /a?b=1 HTTP/1.1" 200 12 "-" "agent \x22q\x22"` + "\n"

func TestJSONValues(t *testing.T) {
	for name, c := range map[string]struct{ json, want string }{
		"text":                                 {`"/a"`, "/a"},
		"escapes of JSON":                      {`"/\"\\\/\u00e9\ud83d\ude00\t"`, "/\"\\/é😀\t"},
		"escapes of log_format's default":      {`"/\x22\xC3\xA9"`, "/\"é"},
		"one that nobody writes":               {`"/\q"`, `/\q`},
		"raw bytes":                            {"\"/\xff\"", "/\xff"},
		"a dash in quotes":                     {`"-"`, ""},
		"a dash":                               {`-`, ""},
		"null":                                 {`null`, ""},
		"nothing":                              {``, ""},
		"a number":                             {`12`, "12"},
		"a list without quotes":                {`0.1, 0.2 : -`, "0.1, 0.2 : -"},
		"an array, whose first value is meant": {`["/x","/y"]`, "/x"},
		"the last of keys that repeat":         {`"/1","u":"/2"`, "/2"},
	} {
		t.Run(name, func(t *testing.T) {
			hints := accesslog.Hints{Fields: map[string]string{"request_uri": "u"}}
			plain := `{"msec":1767261600.001,"u":"/first"}` + "\n"
			line := `{"msec":1767261600.002,"u":` + c.json + "}\n"
			// The second time lines are read by the shape that the first has left.
			g := read(strings.NewReader(plain+line+line), hints, "request_uri")
			require.NoError(t, g.chosen)
			assert.Equal(t, [][]string{{"/first"}, {c.want}, {c.want}}, g.values)
		})
	}
}

func TestKeysOfNestedObjects(t *testing.T) {
	line := `{"timestamp":"2026-01-01T10:00:00.25Z","httpRequest":{"remoteIp":"192.0.2.1","requestMethod":"GET","latency":"0.005 s","status":200},"a.b":{"c":"d"}}` + "\n"
	g := readText(line+line, "remote_addr", "request_method", "status", "request_uri", "c")
	require.NoError(t, g.chosen)
	assert.Equal(t, [][]string{{"192.0.2.1", "GET", "200", unknown, "d"}, {"192.0.2.1", "GET", "200", unknown, "d"}}, g.values)
	hints := accesslog.Hints{Fields: map[string]string{"request_time": "httpRequest.latency", "host": "a.b.c"}}
	g = read(strings.NewReader(line), hints, "host")
	require.NoError(t, g.chosen)
	assert.Equal(t, []accesslog.Millis{5}, g.took)
	assert.Equal(t, [][]string{{"d"}}, g.values)
}

func TestTimesToldByTheirSize(t *testing.T) {
	const at = 1767261600_250
	for name, c := range map[string]struct {
		value string
		step  accesslog.Millis
		at    accesslog.Millis
	}{
		"seconds with a fraction":   {`1767261600.250`, 1, at},
		"in quotes":                 {`"1767261600.250"`, 1, at},
		"milliseconds":              {`1767261600250`, 1, at},
		"microseconds":              {`1767261600250999`, 1, at},
		"nanoseconds":               {`1767261600250999999`, 1, at},
		"whole seconds":             {`1767261600`, 1000, at - 250},
		"ISO 8601 of another zone":  {`"2026-01-01T12:00:00.250+02:00"`, 1, at},
		"ISO 8601 in whole seconds": {`"2026-01-01T10:00:00Z"`, 1000, at - 250},
		"the common log format":     {`"01/Jan/2026:04:30:00 -0530"`, 1000, at - 250},
	} {
		t.Run(name, func(t *testing.T) {
			g := readText(`{"time":` + c.value + `,"remote_addr":"192.0.2.1"}` + "\n")
			require.NoError(t, g.chosen)
			assert.Equal(t, []accesslog.Millis{c.at}, g.times)
			assert.Equal(t, []accesslog.Millis{c.step}, g.steps)
		})
	}
}

// A program that writes numbers anew drops zeros; that makes no coarse clock.
func TestZerosThatWereDroppedMakeNoCoarseClock(t *testing.T) {
	g := readText(`{"msec":1767261600.1,"remote_addr":"192.0.2.1"}
{"msec":1767261600.123,"remote_addr":"192.0.2.1"}
{"msec":1767261601,"remote_addr":"192.0.2.1"}
`)
	assert.Equal(t, []accesslog.Millis{1, 1, 1}, g.steps)
	assert.Equal(t, []accesslog.Millis{1767261600_100, 1767261600_123, 1767261601_000}, g.times)
}

func TestRequestTimes(t *testing.T) {
	for value, want := range map[string]accesslog.Millis{
		`0.010`: 10, `"0.010"`: 10, `"\"0.010\""`: 10, `"0.010 s"`: 10, `"10 ms"`: 10, `1e-2`: 10, `5`: 5000, `-`: -1, ``: -1, `"x"`: -1,
	} {
		g := readText(first + `{"msec":1767261600.5,"remote_addr":"192.0.2.1","request_time":` + value + "}\n")
		assert.Equal(t, []accesslog.Millis{10, want}, g.took, value)
	}
}

func TestCombinedAndWhatIsAddedToIt(t *testing.T) {
	line := strings.TrimSuffix(combinedLine, "\n")
	g := readText(line+"\n"+line+` "198.51.100.1"`+"\n"+line+` 0.010 "more" things`+"\n",
		"remote_addr", "remote_user", "request", "status", "http_referer", "http_user_agent", "http_x_forwarded_for")
	require.NoError(t, g.chosen)
	common := []string{"192.0.2.7", "ann", "GET /a?b=1 HTTP/1.1", "200", "", `agent "q"`}
	want := [][]string{append(common[:6:6], unknown), append(common[:6:6], "198.51.100.1"), append(common[:6:6], unknown)}
	assert.Equal(t, want, g.values)
	assert.Equal(t, []accesslog.Millis{1000, 1000, 1000}, g.steps)
}

func TestFormatsThatTheConfigurationDefines(t *testing.T) {
	for name, c := range map[string]struct {
		format, line string
		want         []string // remote_addr, request_uri, http_user_agent
	}{
		"default escapes":                        {`'$msec|$remote_addr|$request_uri|$http_user_agent'`, `1767261600.001|192.0.2.1|/a|x \x22\x7C`, []string{"192.0.2.1", "/a", `x "|`}},
		"json escapes":                           {`escape=json '$msec $remote_addr "$request_uri" "$http_user_agent"'`, `1767261600.001 192.0.2.1 "/a" "say \"x\" \u0007"`, []string{"192.0.2.1", "/a", "say \"x\" \a"}},
		"no escapes":                             {`escape=none '$msec $remote_addr $request_uri $http_user_agent'`, `1767261600.001 192.0.2.1 /a x\x22y`, []string{"192.0.2.1", "/a", `x\x22y`}},
		"an empty last value":                    {`escape=none '$msec $remote_addr $request_uri $http_user_agent'`, `1767261600.001 192.0.2.1 /a `, []string{"192.0.2.1", "/a", ""}},
		"an empty first value":                   {`escape=none '$http_user_agent $msec $remote_addr $request_uri'`, ` 1767261600.001 192.0.2.1 /a`, []string{"192.0.2.1", "/a", ""}},
		"a separator in a value":                 {`'$remote_addr [$http_user_agent] $msec $request_uri'`, `192.0.2.1 [a] b] 1767261600.001 /a`, []string{"192.0.2.1", "/a", "a] b"}},
		"a quote and what follows it in a value": {`escape=json '$msec $remote_addr "$request_uri" "$http_user_agent" "$http_referer"'`, `1767261600.001 192.0.2.1 "/a" "x\\" "y\" \"z"`, []string{"192.0.2.1", "/a", `x\`}},
		"tabs":                                   {"'$msec\t$remote_addr\t$request_uri\t$http_user_agent'", "1767261600.001\t192.0.2.1\t/a\tx y", []string{"192.0.2.1", "/a", "x y"}},
		"JSON under other names":                 {`escape=json '{"t":$msec,"a":"$remote_addr","b":"$request_uri","c":{"d":"$http_user_agent"}}'`, `{"t":1767261600.001,"a":"192.0.2.1","b":"/a","c":{"d":"x"}}`, []string{"192.0.2.1", "/a", "x"}},
		"JSON by default's escapes":              {`'{"t":$msec,"a":"$remote_addr","b":"$request_uri","d":"$http_user_agent"}'`, `{"t":1767261600.001,"a":"192.0.2.1","b":"/a","d":"-"}`, []string{"192.0.2.1", "/a", ""}},
		"a dash that was sent":                   {`escape=json '{"t":$msec,"a":"$remote_addr","b":"$request_uri","d":"$http_user_agent"}'`, `{"t":1767261600.001,"a":"192.0.2.1","b":"/a","d":"-"}`, []string{"192.0.2.1", "/a", "-"}},
	} {
		t.Run(name, func(t *testing.T) {
			hints := defined(t, "log_format mine "+c.format+";")
			g := read(strings.NewReader(c.line+"\n"+c.line+"\n"), hints, "remote_addr", "request_uri", "http_user_agent")
			require.NoError(t, g.chosen)
			assert.Equal(t, "mine", g.format)
			assert.Equal(t, [][]string{c.want, c.want}, g.values)
			assert.Equal(t, []accesslog.Millis{1767261600_001, 1767261600_001}, g.times)
		})
	}
}
