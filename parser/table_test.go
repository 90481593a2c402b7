package parser

import (
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/nglimit/nglimit/internal/oracle"
)

func TestTheTablesAreSorted(t *testing.T) {
	assert.True(t, sort.SliceIsSorted(commands[:], func(i, j int) bool { return commands[i].name < commands[j].name }))
	assert.True(t, sort.SliceIsSorted(foreign[:], func(i, j int) bool { return foreign[i].name < foreign[j].name }))
	for _, f := range foreign {
		assert.Empty(t, lookup(f.name), f.name)
	}
}

// inside are the texts around a statement that stands in a context.
var inside = []struct{ before, after string }{
	{"events {}\n", ""},
	{"events {\n", "\n}"},
	{"events {}\nhttp {\n", "\n}"},
	{"events {}\nhttp { server {\n", "\n}}"},
	{"events {}\nhttp { server { location / {\n", "\n}}}"},
	{"events {}\nhttp { server { if ($uri) {\n", "\n}}}"},
	{"events {}\nhttp { server { location / { if ($uri) {\n", "\n}}}}"},
	{"events {}\nhttp { server { location / { limit_except GET {\n", "\n}}}}"},
	{"events {}\nhttp { upstream u { server 127.0.0.1:1;\n", "\n}}"},
}

// TestTheTableIsThatOfNginx puts random directives of the table into random
// contexts, with random numbers of arguments, with ";" or a block, once or
// twice.
func TestTheTableIsThatOfNginx(t *testing.T) {
	words := []string{"on", "1", "10", "a", "$uri", "1k", "/tmp"}
	for _, bin := range oracle.Bins(t) {
		check := bin.Checker(t)
		r := rand.New(rand.NewPCG(3, 4))
		syntax, other := 0, 0
		for range *damaged {
			c := commands[r.IntN(len(commands))]
			statement := c.name
			for range r.IntN(4) {
				statement += " " + words[r.IntN(len(words))]
			}
			switch end := r.IntN(8); {
			case end == 0 || end > 1 && c.block:
				statement += " {}"
			default:
				statement += ";"
			}
			if r.IntN(3) == 0 {
				statement += "\n" + statement
			}
			at := inside[r.IntN(len(inside))]
			src := at.before + statement + at.after + "\n"
			their := theirs(check.Test(oracle.Conf(src)))
			our := ours(parseFiles(oracle.Conf(src), bin.Version.String()))
			switch {
			case builtWithout(their, our), backported(c.name, our), opensFile(c.name):
				other++
			case compare(their, our) != "":
				t.Errorf("%s\n  nginx: %s\n  ours:  %s", src, show(their), show(our))
			case syntactic.MatchString(their.Text):
				syntax++
			}
		}
		t.Logf("nginx %s: %d statements, %d refused alike for their syntax, %d not comparable", bin.Version, *damaged, syntax, other)
	}
}

// optional are modules that an nginx may be built without.
var optional = []string{
	"image_filter", "geoip_", "perl", "xslt_", "xml_", "google_perftools", "kqueue_", "devpoll_", "eventport_", "iocp_",
	"acceptex_read", "post_acceptex", "degrad", "quic_", "http3", "stream", "mail", "tunnel_",
}

// builtWithout tells the names that this nginx does not know for want of a
// module.
func builtWithout(their, our verdict) bool {
	name, ok := strings.CutPrefix(their.Text, `unknown directive "`)
	if !ok || our.Text == their.Text {
		return false
	}
	name = strings.TrimSuffix(name, `"`)
	return onlyElsewhere(their.Text) || slices.ContainsFunc(optional, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// backported tells the directives that Debian's nginx has before its version.
func backported(name string, our verdict) bool {
	return name == "max_headers" && our.Text == `unknown directive "max_headers"`
}

// opensFile tells the directives that open a file where they stand; it is no
// include that fails then.
func opensFile(name string) bool {
	return strings.HasSuffix(name, "_password_file") || name == "quic_host_key"
}
