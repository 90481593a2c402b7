package rules_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
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

	bad := checkText(t, r, r.Bad)
	require.Len(t, bad, 1, "the bad example has exactly one finding: %v", messages(bad))
	assert.Equal(t, r.ID, bad[0].Rule.ID)
	good := checkText(t, r, r.Good)
	assert.Empty(t, messages(good), "the good example has none")
}

// checkText judges an example of a rule. Examples are sound for nginx's
// parser, but for those of the rules about loading.
func checkText(t *testing.T, r *rules.Rule, text string) []rules.Finding {
	src := []byte("events {}\nhttp {\n" + text + "\n}\n")
	files := exampleFS{"nginx.conf": src}
	tree := parser.ParseBytes("nginx.conf", src, parser.Options{FS: files})
	if !strings.HasPrefix(r.ID, "NGL00") {
		require.Empty(t, tree.Errors)
	}
	return slices.DeleteFunc(check(t, tree), func(f rules.Finding) bool { return r.Profile != f.Rule.Profile && f.Rule.Profile != rules.Default })
}

// exampleFS holds the text of an example, and nothing else.
type exampleFS map[string][]byte

func (fsys exampleFS) ReadFile(name string) ([]byte, error) {
	if src, ok := fsys[filepath.Base(name)]; ok {
		return src, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.ENOENT}
}

func (exampleFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.ENOENT}
}

func (exampleFS) Stat(name string) (fs.FileInfo, error) {
	return nil, &fs.PathError{Op: "stat", Path: name, Err: syscall.ENOENT}
}

func check(t *testing.T, tree *parser.Tree) []rules.Finding {
	found, broken := rules.Check(nginx.Build(tree), rules.All, rules.DefaultOptions())
	require.Empty(t, broken)
	return found
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
				if f.Rule.Profile != rules.Default && !strings.Contains(root, f.Rule.ID) {
					continue // advice speaks in its own fixtures alone
				}
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
