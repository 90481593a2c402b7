package glob

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

type osFS struct{}

func (osFS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }
func (osFS) Stat(name string) (fs.FileInfo, error)      { return os.Stat(name) }

// TestMatchesAreThoseOfTheCLibrary has what glob(3) of glibc 2.36 gave in the
// C locale for these names.
func TestMatchesAreThoseOfTheCLibrary(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"a/x.conf", "a/..x", "a-b/x.conf", "b/c/x.conf", "b/.h/x.conf", "x y/z", ".hid/x", ".dot.conf",
		"a.conf", "b.conf", "A.conf", "1.conf", "[x", "]", "!a", "-", "é", "d[1]/q",
	} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, nil, 0o600))
	}
	require.NoError(t, os.Symlink("nowhere", filepath.Join(dir, "dangling.conf")))
	require.NoError(t, os.Symlink("a", filepath.Join(dir, "link")))
	tests := []struct {
		name, pattern string
		want          []string
	}{
		{"hidden names are left out", "*.conf", []string{"1.conf", "A.conf", "a.conf", "b.conf", "dangling.conf"}},
		{"unless the dot is written", ".*.conf", []string{".dot.conf"}},
		{"a question mark is no leading dot", "?dot.conf", nil},
		{"nor is a bracket", "[.]dot.conf", nil},
		{"whole paths are sorted by byte", "*/x.conf", []string{"a-b/x.conf", "a/x.conf", "link/x.conf"}},
		{"an exclamation mark negates", "[!a].conf", []string{"1.conf", "A.conf", "b.conf"}},
		{"so does a caret", "[^a-z].conf", []string{"1.conf", "A.conf"}},
		{"a bracket that comes first is a member", "[]]", []string{"]"}},
		{"named classes", "[[:digit:]].conf", []string{"1.conf"}},
		{"upper case", "[[:upper:]].conf", []string{"A.conf"}},
		{"an equivalent letter", "[[=a=]].conf", []string{"a.conf"}},
		{"an open bracket is itself", "[x", []string{"[x"}},
		{"ranges are of bytes", "[9-A].conf", []string{"A.conf"}},
		{"a range that is turned around is empty", "[z-a].conf", nil},
		{"a backslash escapes", `d\[1]/*`, []string{"d[1]/q"}},
		{"a question mark is one byte", "?", []string{"-", "]", "a", "b"}},
		{"two bytes are two", "??", []string{"!a", "[x", "é"}},
		{"a slash at the end wants folders", "*/", []string{"a-b/", "a/", "b/", "d[1]/", "link/", "x y/"}},
		{"a folder in the middle", "b/*/x.conf", []string{"b/c/x.conf"}},
		{"a hidden folder in the middle", "b/.h*/x.conf", []string{"b/.h/x.conf"}},
		{"a name behind a pattern must be there", "*/c/nothing", nil},
		{"a point and two points are names", "b/.*", []string{"b/.", "b/..", "b/.h"}},
		{"slashes in the middle stay", "./*.con[f]", []string{"./1.conf", "./A.conf", "./a.conf", "./b.conf", "./dangling.conf"}},
		{"what is not there", "nothing/*", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, m := range Match(osFS{}, dir+"/"+tt.pattern) {
				got = append(got, strings.TrimPrefix(m, dir+"/"))
			}
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestALongPatternTakesNoLongTime(t *testing.T) {
	pattern := strings.Repeat("*a", 2000) + "b"
	assert.False(t, component(pattern, strings.Repeat("a", 10_000)))
}

func FuzzComponent(f *testing.F) {
	f.Add("[!a]*.conf", "b.conf")
	f.Add("[[:alpha:]-]?", "a-")
	f.Add(`\*[`, "*[")
	f.Fuzz(func(t *testing.T, pattern, name string) {
		component(pattern, name)
		if !strings.ContainsAny(pattern, `*?[\`) && !strings.HasPrefix(name, ".") {
			assert.Equal(t, pattern == name, component(pattern, name))
		}
	})
}
