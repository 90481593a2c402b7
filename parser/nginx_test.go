package parser

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/oracle"
)

const fixtures = "../fixtures/parser"

// corpus is every valid fixture: single files and folders with an nginx.conf.
func corpus(t testing.TB) map[string]oracle.Files {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(fixtures, "valid"))
	require.NoError(t, err)
	all := map[string]oracle.Files{}
	for _, e := range entries {
		name := filepath.Join(fixtures, "valid", e.Name())
		if e.IsDir() {
			all[e.Name()] = oracle.Dir(t, name)
			continue
		}
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		all[e.Name()] = oracle.Conf(string(text))
	}
	return all
}

// parseFiles reads a configuration whose root is nginx.conf.
func parseFiles(files oracle.Files, version string) *Tree {
	texts := map[string][]byte{}
	for name, text := range files {
		texts[name] = []byte(text)
	}
	return Parse("nginx.conf", Options{FS: newTextFiles(texts), Version: version, Context: []string{"main"}})
}

// verdict is what nginx or the reader says first against a configuration;
// without text it has nothing to say.
type verdict struct {
	Text string
	File string
	Line int
}

// ours is the first fault in the order of reading. A note counts as well:
// nginx knows no other modules than those it was built with.
func ours(tree *Tree) (v verdict) {
	first := -1
	for i, list := range [][]*Error{tree.Errors, tree.Notes} {
		for _, e := range list {
			if (e.Kind != Unreadable || i == 0) && (first < 0 || e.order < first) {
				first = e.order
				v = verdict{Text: e.Msg, File: e.Span.File, Line: e.Line}
			}
		}
	}
	return v
}

func theirs(r oracle.Result) verdict {
	for _, m := range r.Messages {
		switch m.Level {
		case "emerg", "crit", "alert":
			return verdict{Text: m.Text, File: m.File, Line: m.Line}
		}
	}
	return verdict{}
}

// syntactic are the messages that the reader gives as nginx does. Every other
// one is about what a directive means, and is not the reader's.
var syntactic = regexp.MustCompile(`(?s)^(unexpected ".+"|unexpected end of file, .*|too long parameter.*` +
	`|directive ".*" is not terminated by ";"|directive ".*" has no opening "\{"|".*" directive is not allowed here` +
	`|invalid number of arguments in ".*" directive|unknown directive ".*"|(open|pread)\(\) ".*" failed .*` +
	`|invalid number of the (map|geo) parameters|invalid parameters number)$`)

// scratchFolder is where the checker keeps the configuration.
var scratchFolder = regexp.MustCompile(`"/[^"]*nglimit-oracle-[0-9]+/`)

// compare tells in what the reader differs from nginx; empty if in nothing.
func compare(their, our verdict) string {
	their.Text = scratchFolder.ReplaceAllString(their.Text, `"`)
	if strings.HasPrefix(our.Text, "pread() ") {
		our.File, our.Line = "", 0 // nginx names no place there
	}
	switch {
	case their == our:
		return ""
	case syntactic.MatchString(their.Text):
		return "another message"
	case our.Text == "":
		return "" // a matter of meaning
	case their.Text == "":
		return "refused by the reader alone"
	case their.File == our.File && our.Line < their.Line:
		return "refused by the reader earlier"
	case their.File == "":
		return "refused by the reader while nginx read on"
	}
	return ""
}

func TestValidFixturesAreAcceptedAsByNginx(t *testing.T) {
	for name, files := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			tree := parseFiles(files, "")
			assert.Empty(t, tree.Errors)
			assert.Empty(t, tree.Notes)
			assert.Nil(t, tree.Context)
		})
	}
	for _, bin := range oracle.Bins(t) {
		check := bin.Checker(t)
		for name, files := range corpus(t) {
			got := check.Test(files)
			assert.True(t, got.OK, "%s: %s", name, got.Output)
		}
	}
}
