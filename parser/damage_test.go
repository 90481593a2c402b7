package parser

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/nglimit/nglimit/internal/oracle"
)

var damaged = flag.Int("damaged", 1500, "how many damaged copies of the fixtures to compare with nginx")

// damage is one way to spoil a text; it returns the text unchanged where it
// cannot.
type damage struct {
	name string
	do   func(r *rand.Rand, s string) string
}

const marks = ";{}\"'"

var damages = []damage{
	{"drop a mark", func(r *rand.Rand, s string) string {
		return at(r, s, marks, func(i int) string { return s[:i] + s[i+1:] })
	}},
	{"double a mark", func(r *rand.Rand, s string) string {
		return at(r, s, marks, func(i int) string { return s[:i+1] + s[i:] })
	}},
	{"insert a mark", func(r *rand.Rand, s string) string {
		i := r.IntN(len(s) + 1)
		return s[:i] + string(`;{}"'#\$ `[r.IntN(9)]) + s[i:]
	}},
	{"insert a mark at white space", func(r *rand.Rand, s string) string {
		return at(r, s, " \n", func(i int) string { return s[:i] + string(`;{}"'#`[r.IntN(6)]) + s[i:] })
	}},
	{"change a mark", func(r *rand.Rand, s string) string {
		return at(r, s, marks, func(i int) string { return s[:i] + string(marks[r.IntN(5)]) + s[i+1:] })
	}},
	{"cut the end", func(r *rand.Rand, s string) string { return s[:r.IntN(len(s)+1)] }},
	{"glue words", func(r *rand.Rand, s string) string {
		return at(r, s, " ", func(i int) string { return s[:i] + s[i+1:] })
	}},
	{"drop a line", func(r *rand.Rand, s string) string {
		lines := strings.SplitAfter(s, "\n")
		i := r.IntN(len(lines))
		return strings.Join(slices.Delete(lines, i, i+1), "")
	}},
	{"double a line", func(r *rand.Rand, s string) string {
		lines := strings.SplitAfter(s, "\n")
		i := r.IntN(len(lines))
		return strings.Join(slices.Insert(lines, i, lines[i]), "")
	}},
	{"move a line", func(r *rand.Rand, s string) string {
		lines := strings.SplitAfter(s, "\n")
		i := r.IntN(len(lines))
		line := lines[i]
		lines = slices.Delete(lines, i, i+1)
		return strings.Join(slices.Insert(lines, r.IntN(len(lines)+1), line), "")
	}},
	{"drop a letter", func(r *rand.Rand, s string) string {
		return at(r, s, "abcdefghijklmnopqrstuvwxyz_", func(i int) string { return s[:i] + s[i+1:] })
	}},
	{"swap letters", func(r *rand.Rand, s string) string {
		return at(r, s, "abcdefghijklmnopqrstuvwxyz_", func(i int) string {
			if i == 0 {
				return s
			}
			return s[:i-1] + s[i:i+1] + s[i-1:i] + s[i+1:]
		})
	}},
	{"add a word", func(r *rand.Rand, s string) string {
		return at(r, s, ";{", func(i int) string { return s[:i] + " word" + s[i:] })
	}},
	{"drop a word", func(r *rand.Rand, s string) string {
		return at(r, s, " ", func(i int) string {
			rest := strings.TrimLeft(s[i+1:], " \t")
			if j := strings.IndexAny(rest, " ;{\n"); j >= 0 {
				return s[:i] + rest[j:]
			}
			return s
		})
	}},
	{"put a directive elsewhere", func(r *rand.Rand, s string) string {
		names := []string{"limit_req zone=z;", "listen 80;", "server {}", "worker_processes 1;", "location /z {}", "limit_req_zone $uri zone=q:1m rate=1r/s;", "use epoll;", "upstream u { }", "sendfile on;", "sendfile on; sendfile on;"}
		return at(r, s, "\n", func(i int) string { return s[:i+1] + names[r.IntN(len(names))] + s[i+1:] })
	}},
	{"insert a byte", func(r *rand.Rand, s string) string {
		i := r.IntN(len(s) + 1)
		return s[:i] + string([]byte{byte(r.IntN(256))}) + s[i:]
	}},
	{"lengthen a word", func(r *rand.Rand, s string) string {
		return at(r, s, " \"#", func(i int) string {
			return s[:i+1] + strings.Repeat("x", 4080+r.IntN(20)) + s[i+1:]
		})
	}},
}

// at applies a change where one of the bytes stands, if one does.
func at(r *rand.Rand, s, set string, change func(i int) string) string {
	var places []int
	for i := range len(s) {
		if strings.IndexByte(set, s[i]) >= 0 {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return s
	}
	return change(places[r.IntN(len(places))])
}

// accepted says why a difference between the reader and nginx is right; empty
// if it is not known.
func accepted(their, our verdict) string {
	switch {
	case strings.HasPrefix(their.Text, "unknown directive") && strings.HasSuffix(our.Text, " directive is not allowed here") && onlyElsewhere(our.Text):
		return "this nginx is built without the stream and mail modules"
	case strings.HasSuffix(our.Text, " includes itself"):
		return "nginx reads on in a circle until something else stops it"
	}
	return ""
}

// TestDamagedFixturesAreRefusedAsByNginx is seeded: the same copies each time.
func TestDamagedFixturesAreRefusedAsByNginx(t *testing.T) {
	fixtures := corpus(t)
	names := slices.Sorted(maps.Keys(fixtures))
	for _, bin := range oracle.Bins(t) {
		check := bin.Checker(t)
		r := rand.New(rand.NewPCG(1, 2))
		differ := map[string]int{}
		refused, same := 0, 0
		for n := range *damaged {
			name := names[r.IntN(len(names))]
			files := maps.Clone(fixtures[name])
			file := slices.Sorted(maps.Keys(files))[r.IntN(len(files))]
			how := damages[r.IntN(len(damages))]
			files[file] = how.do(r, files[file])
			their := theirs(check.Test(files))
			our := ours(parseFiles(files, bin.Version.String()))
			if their.Text != "" {
				refused++
			}
			if syntactic.MatchString(their.Text) {
				same++
			}
			kind := compare(their, our)
			if kind == "" {
				continue
			}
			if reason := accepted(their, our); reason != "" {
				differ[reason]++
				continue
			}
			t.Errorf("copy %d of %s, %s: %s\n  nginx: %s\n  ours:  %s", n, name, how.name, kind, show(their), show(our))
		}
		t.Logf("nginx %s: %d copies, %d refused, %d of them for their syntax, accepted differences: %v", bin.Version, *damaged, refused, same, differ)
	}
}

// onlyElsewhere tells whether the directive that a message names first is one
// of stream or mail alone.
func onlyElsewhere(message string) bool {
	name := strings.Split(message, `"`)[1]
	for _, c := range lookup(name) {
		if c.in&(inStream|inStreamServer|inStreamUpstream|inMail|inMailServer) == 0 {
			return false
		}
	}
	return true
}

func show(v verdict) string { return fmt.Sprintf("%.200q in %s:%d", v.Text, v.File, v.Line) }
