package rules_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/internal/want"
	"github.com/nglimit/nglimit/parser"
	"github.com/nglimit/nglimit/rules"
)

const fixtures = "../fixtures/rules"

// TestRules holds every rule to one standard.
func TestRules(t *testing.T) {
	ids := make([]string, 0, len(rules.All))
	names := map[string]bool{}
	for _, r := range rules.All {
		ids = append(ids, r.ID)
		assert.False(t, names[r.Name], "%s: name %s is taken", r.ID, r.Name)
		names[r.Name] = true
		t.Run(r.ID, func(t *testing.T) { checkStandard(t, r) })
	}
	assert.True(t, slices.IsSorted(ids), "rules.All is sorted by ID")
}

func checkStandard(t *testing.T, r *rules.Rule) {
	assert.Regexp(t, `^NGL\d{3}$`, r.ID)
	assert.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, r.Name)
	assert.NotEmpty(t, r.Summary)
	assert.NotEmpty(t, r.Doc)
	assert.Regexp(t, `^https://`, r.Ref)
	assert.FileExists(t, strings.ReplaceAll(r.Name, "-", "_")+".go")
	entries, err := os.ReadDir(filepath.Join(fixtures, r.ID))
	require.NoError(t, err)
	assert.NotEmpty(t, entries, "a rule has a fixture")

	bad := checkText(t, r.Bad)
	require.Len(t, bad, 1, "the bad example has exactly one finding: %v", messages(bad))
	assert.Equal(t, r.ID, bad[0].Rule.ID)
	good := checkText(t, r.Good)
	assert.Empty(t, messages(good), "the good example has none")
}

func checkText(t *testing.T, text string) []rules.Finding {
	tree := parser.ParseBytes("nginx.conf", []byte("events {}\nhttp {\n"+text+"\n}\n"), parser.Options{FS: parser.OS{}})
	require.Empty(t, tree.Errors)
	return check(t, tree)
}

func check(t *testing.T, tree *parser.Tree) []rules.Finding {
	found, broken := rules.Check(nginx.Build(tree), rules.All, rules.DefaultOptions())
	require.Empty(t, broken)
	return slices.DeleteFunc(found, func(f rules.Finding) bool { return f.Rule.Profile != rules.Default })
}

func messages(found []rules.Finding) []string {
	var all []string
	for _, f := range found {
		all = append(all, f.Rule.ID+" "+f.Message)
	}
	return all
}

// TestFixtures runs every rule on every fixture: a finding that no comment
// asks for is a neighbour's false alarm.
func TestFixtures(t *testing.T) {
	for _, root := range fixtureRoots(t) {
		t.Run(filepath.ToSlash(root), func(t *testing.T) {
			tree := parser.Parse(root, parser.Options{FS: parser.OS{}})
			var wants []want.Expectation
			seen := map[string]bool{}
			for _, f := range tree.Files {
				if seen[f.Name] {
					continue
				}
				seen[f.Name] = true
				more, err := want.Parse(f.Name, string(f.Source))
				require.NoError(t, err)
				wants = append(wants, more...)
			}
			var gots []want.Got
			for _, f := range check(t, tree) {
				gots = append(gots, want.Got{File: f.Span.File, Line: f.Span.Start.Line, Rule: f.Rule.ID, Message: f.Message})
			}
			for _, fault := range want.Diff(wants, gots) {
				t.Error(fault)
			}
		})
	}
}

// fixtureRoots are the single files of the rules' folders, and nginx.conf of
// the folders inside them.
func fixtureRoots(t *testing.T) []string {
	var roots []string
	err := filepath.WalkDir(fixtures, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		depth := strings.Count(filepath.ToSlash(strings.TrimPrefix(path, fixtures)), "/")
		if !d.IsDir() && filepath.Ext(path) == ".conf" && (depth == 2 || d.Name() == "nginx.conf") {
			roots = append(roots, path)
		}
		return nil
	})
	require.NoError(t, err)
	require.NotEmpty(t, roots)
	return roots
}
