package pcre_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx/pcre"
	"github.com/nglimit/nglimit/internal/oracle"
)

// quote writes an argument of a directive.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

func TestNginxRefusesWhatPCRE2RefusesInTheSameWords(t *testing.T) {
	bin := oracle.Need(t)
	check := bin.Checker(t)
	for _, pattern := range []string{
		`[\w-.]`, `^/(a`, `a)`, `*.php`, `a**`, `\y`, `(?<1a>b)`, `(?<a>b)(?<a>c)`, `[z-a]`, `a{3,2}`, `(?<=a+)b`, `(a)\2`, `[a`,
	} {
		_, err := pcre.Compile(pattern, false)
		var invalid *pcre.SyntaxError
		require.ErrorAs(t, err, &invalid, pattern)
		r := check.Test(oracle.Conf(oracle.HTTP("server { location ~ " + quote(pattern) + " { } }")))
		require.Len(t, r.Messages, 1, r.Output)
		assert.Equal(t, r.Messages[0].Text, invalid.Error())
	}
}

func TestNginxAcceptsWhatPCRE2Accepts(t *testing.T) {
	check := oracle.Need(t).Checker(t)
	for _, pattern := range []string{`\K`, `a{,3}`, `[a-]`, `\18`, `(?|(a)|(b))`, `(?R)?`, `(*UTF8)a`, `(?<=a|bc)d`} {
		r := check.Test(oracle.Conf(oracle.HTTP("server { location ~ " + quote(pattern) + " { } }")))
		assert.True(t, r.OK, "%s: %s", pattern, r.Output)
		var invalid *pcre.SyntaxError
		_, err := pcre.Compile(pattern, false)
		assert.NotErrorAs(t, err, &invalid, "%s: %v", pattern, err)
	}
}

// requests are patterns of locations with the decoded and the sent target.
var requests = []struct {
	sentence, pattern string
	caseless          bool
	uri, sent         string
}{
	{"a newline at the end", `\.php$`, false, "/a.php\n", "/a.php%0a"},
	{"two newlines at the end", `\.php$`, false, "/a.php\n\n", "/a.php%0a%0a"},
	{"three bytes", `^/dot/.{3}$`, false, "/dot/日", "/dot/%e6%97%a5"},
	{"KELVIN SIGN", `^/ks/k+s$`, true, "/ks/\u212as", "/ks/%e2%84%aas"},
	{"invalid UTF-8", `^/(.)$`, false, "/\xff", "/%ff"},
	{"vertical tab", `^/a\sb$`, false, "/a\vb", "/a%0bb"},
	{"no-break space", `^/a\sb$`, false, "/a\xa0b", "/a%a0b"},
	{"UTF", `(*UTF8)^/.$`, false, "/日", "/%e6%97%a5"},
	{"UTF and invalid UTF-8", `(*UTF8)^/.$`, false, "/\xff", "/%ff"},
	{"keeping out", `^/a\K/b`, false, "/a/b", "/a/b"},
	{"a backreference", `^/(\w+)/\1$`, false, "/a/a", "/a/a"},
	{"a lookahead", `^/(?!x)(.)`, false, "/y", "/y"},
	{"a capture in a loop", `^/(?:(a)|(b))*$`, false, "/ab", "/ab"},
	{"a repeat of nothing", `^/(a*){2}$`, false, "/a", "/a"},
	{"a branch reset", `^/(?|a(.)|b(.))(.)$`, false, "/bxy", "/bxy"},
}

// TestLocationsMatchOnNginx asks nginx for the result and the captures: 200 with
// $1 and $2 in a header, 404, or 500 for an error of pcre2_match
// (ngx_http_core_find_location returns NGX_ERROR).
func TestLocationsMatchOnNginx(t *testing.T) {
	bin := oracle.Need(t)
	for _, r := range requests {
		t.Run(r.sentence, func(t *testing.T) {
			op := "~ "
			if r.caseless {
				op = "~* "
			}
			s := bin.Start(t, oracle.Serve("", `location / { return 404; }
				location `+op+quote(r.pattern)+` { add_header X-Groups "<$1><$2>"; return 200; }`), oracle.Options{})
			answer := s.Get(t, r.sent)
			re, err := pcre.Compile(r.pattern, r.caseless)
			require.NoError(t, err)
			result, caps := re.Match([]byte(r.uri), []int{})
			assert.Equal(t, map[pcre.Result]int{pcre.Match: 200, pcre.NoMatch: 404, pcre.Failed: 500}[result], answer.Status)
			if result == pcre.Match {
				assert.Equal(t, fmt.Sprintf("<%s><%s>", group(r.uri, caps, 1), group(r.uri, caps, 2)), answer.Header("X-Groups"))
			}
		})
	}
}

// group is $n: empty if it is not set or not there.
func group(uri string, caps []int, n int) string {
	if 2*n >= len(caps) || caps[2*n] < 0 {
		return ""
	}
	return uri[caps[2*n]:caps[2*n+1]]
}

// TestNginxAtTheMatchLimit: the error of pcre2_match is 500 for a location and
// no match for a map (ngx_http_variables.c:ngx_http_map_find goes on only from
// NGX_DECLINED, and its caller takes the default).
func TestNginxAtTheMatchLimit(t *testing.T) {
	const pattern = `^/cat/(a+)+$`
	uri := "/cat/" + strings.Repeat("a", 40) + "!"
	bin := oracle.Need(t)
	s := bin.Start(t, oracle.Serve("", `location ~ `+quote(pattern)+` { return 200; }`), oracle.Options{})
	assert.Equal(t, 500, s.Get(t, uri).Status)
	assert.Contains(t, s.ErrorLog(), "pcre2_match() failed: -47")
	s = bin.Start(t, oracle.Serve(`map $uri $m { default none; `+quote("~"+pattern)+` cat; }`,
		`location / { add_header X-Map $m; return 200; }`), oracle.Options{})
	assert.Equal(t, "none", s.Get(t, uri).Header("X-Map"))
	assert.Equal(t, "cat", s.Get(t, "/cat/aa").Header("X-Map"))

	re, err := pcre.Compile(pattern, false)
	require.NoError(t, err)
	assert.True(t, re.MayExhaust())
	result, _ := re.Match([]byte(uri), nil)
	assert.Equal(t, pcre.NoMatch, result, "in linear time there is no limit to reach")
}
