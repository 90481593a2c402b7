package nginx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/internal/oracle"
	"github.com/nglimit/nglimit/parser"
)

// statement kinds of which every single one is fine; together they clash.
var (
	httpLines = []string{
		"limit_req_zone $N zone=Z:1m rate=1r/s;", "limit_req_zone $N zone=Z:S rate=1r/s;", "limit_conn_zone $N zone=Z:1m;",
		"map $N $V { default $N; x $N; }", "geo $V { default 1; }", "split_clients $N $V { 50% a; }", "log_format F '$N';",
		"upstream Z { zone Z 1m; server 127.0.0.1:1; }",
	}
	innerLines = []string{"limit_req zone=Z;", "limit_conn Z 5;", "add_header A $N;", "access_log logs/x F;"}
)

var holes = []struct {
	hole    string
	choices []string
}{
	{"$N", []string{"$uri", "$uri", "$v", "$w", "$arg_a"}},
	{"$V", []string{"$v", "$w"}},
	{"Z", []string{"a", "b", "c"}},
	{"S", []string{"1m", "1024k", "2m"}},
	{"F;", []string{"f;", "combined;"}},
	{" F ", []string{" f ", " g "}},
}

func draw(t *rapid.T, lines []string) string {
	line := rapid.SampledFrom(lines).Draw(t, "line")
	for _, h := range holes {
		if strings.Contains(line, h.hole) {
			line = strings.ReplaceAll(line, h.hole, rapid.SampledFrom(h.choices).Draw(t, h.hole))
		}
	}
	return line + "\n"
}

func drawLocations(t *rapid.T, outer string, depth int) string {
	var text strings.Builder
	for range rapid.IntRange(0, 2).Draw(t, "locations") {
		pattern := outer + rapid.SampledFrom([]string{"/a", "/b", "/a/"}).Draw(t, "pattern")
		mod := rapid.SampledFrom([]string{"", "", "= ", "^~ ", "~ "}).Draw(t, "mod")
		fmt.Fprintf(&text, "location %s%s {\n", mod, pattern)
		text.WriteString(drawLines(t, innerLines, 2))
		if depth < 2 {
			text.WriteString(drawLocations(t, pattern, depth+1))
		}
		text.WriteString("}\n")
	}
	return text.String()
}

func drawLines(t *rapid.T, lines []string, most int) string {
	var text strings.Builder
	for range rapid.IntRange(0, most).Draw(t, "lines") {
		text.WriteString(draw(t, lines))
	}
	return text.String()
}

func drawServers(t *rapid.T) string {
	var text strings.Builder
	text.WriteString(drawLines(t, httpLines, 4) + drawLines(t, innerLines, 1))
	for range rapid.IntRange(0, 2).Draw(t, "servers") {
		text.WriteString("server {\n" + drawLines(t, innerLines, 2))
		for range rapid.IntRange(0, 2).Draw(t, "listens") {
			fmt.Fprintf(&text, "listen %s;\n", rapid.SampledFrom([]string{"80", "*:80", "127.0.0.1:80", "80 default_server", "[::1]:81", "127.0.0.1:80 default_server"}).Draw(t, "listen"))
		}
		text.WriteString(drawLocations(t, "", 0) + "}\n")
	}
	return text.String() + drawLines(t, httpLines, 2)
}

// TestRandomRefusalsAreNginxs compares the first refusal, or that there is
// none, with nginx -t.
func TestRandomRefusalsAreNginxs(t *testing.T) {
	checker := oracle.Need(t).Checker(t)
	refused := 0
	rapid.Check(t, func(t *rapid.T) {
		text := "events {}\nhttp {\n" + drawServers(t) + "}\n"
		tree := parser.ParseBytes("nginx.conf", []byte(text), parser.Options{FS: parser.OS{}})
		require.Empty(t, tree.Errors)
		c := nginx.Build(tree)
		ours := "accepted"
		if len(c.Refused) > 0 {
			refused++
			ours = fmt.Sprintf("%s (%d)", c.Refused[0].Msg, c.Refused[0].Line)
		}
		theirs := "accepted"
		verdict := checker.Test(oracle.Conf(text))
		for _, m := range verdict.Messages {
			if m.Level == "emerg" {
				theirs = fmt.Sprintf("%s (%d)", m.Text, m.Line)
				break
			}
		}
		assert.Equal(t, verdict.OK, theirs == "accepted", verdict.Output)
		assert.Equal(t, theirs, ours, text)
	})
	assert.Positive(t, refused)
}
