package parser

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func names(tree *Tree) (out []string) {
	for _, f := range tree.Files {
		out = append(out, f.Name)
	}
	return out
}

func TestIncludesAreReadInTheOrderOfNginx(t *testing.T) {
	tree := Parse(fixtures+"/valid/includes/nginx.conf", Options{FS: OS{}})
	require.Empty(t, tree.Errors)
	var short []string
	for _, n := range names(tree) {
		short = append(short, strings.TrimPrefix(n, fixtures+"/valid/includes/"))
	}
	assert.Equal(t, []string{
		"nginx.conf", "mime.types", "conf.d/00-zones.conf", "conf.d/10-log.conf",
		"sites-enabled/alpha", "snippets/limits.conf", "snippets/proxy.conf",
		"sites-enabled/beta", "snippets/limits.conf",
		"snippets/agents.map", "snippets/offices.geo",
	}, short)
}

func TestAFileIncludedTwiceIsTwoFiles(t *testing.T) {
	tree := Parse(fixtures+"/valid/includes/nginx.conf", Options{FS: OS{}})
	var limits []*Directive
	for _, f := range tree.Files {
		if strings.HasSuffix(f.Name, "limits.conf") {
			limits = append(limits, f.Directives[0])
		}
	}
	require.Len(t, limits, 2)
	assert.NotSame(t, limits[0], limits[1])
	for i, name := range []string{"alpha.example.com", "beta.example.com"} {
		server := limits[i].Parent
		assert.Equal(t, "server", server.Name)
		assert.Equal(t, name, server.Children[1].Args[0].Value)
		assert.Equal(t, "http", server.Parent.Name, "the block around an include is the parent")
	}
}

func TestAllGivesWhatIncludesBring(t *testing.T) {
	tree := Parse(fixtures+"/valid/includes/nginx.conf", Options{FS: OS{}})
	var got []string
	for d := range tree.Root.Directives[2].All() {
		got = append(got, d.Name)
	}
	assert.Equal(t, []string{"types", "limit_req_zone", "log_format", "server", "server", "include", "map", "geo"}, got,
		"an include that brings nothing stays")
}

func TestIncludesInsideMapsGiveEntries(t *testing.T) {
	tree := Parse(fixtures+"/valid/includes/nginx.conf", Options{FS: OS{}})
	http := tree.Root.Directives[2]
	var got []string
	for d := range http.All() {
		if d.Name != "map" && d.Name != "geo" {
			continue
		}
		for e := range d.Entries() {
			got = append(got, e.Args[0].Value+"="+e.Args[1].Value+" "+filepath.Base(e.Span().String()))
		}
	}
	assert.Equal(t, []string{
		"default=0 nginx.conf:8:35", "~*curl=1 agents.map:1:1", "~*wget=1 agents.map:2:1", "~*python requests=2 agents.map:3:1",
		"default=0 nginx.conf:9:19", "192.0.2.0/25=1 offices.geo:1:1", "203.0.113.0/24=1 offices.geo:2:1",
	}, got)
}

// written makes files below a new folder.
func written(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte(text), 0o600))
	}
	return filepath.ToSlash(dir)
}

func faultsIn(tree *Tree, dir string) (out []string) {
	for _, e := range tree.Errors {
		out = append(out, strings.ReplaceAll(e.Error(), dir+"/", ""))
	}
	return out
}

func TestWhatCannotBeIncludedIsReported(t *testing.T) {
	dir := written(t, map[string]string{
		"nginx.conf":   "events {}\ninclude missing;\ninclude folder;\ninclude closed;\ninclude links/*;\ninclude empty/*;\n",
		"folder/x":     "",
		"closed":       "",
		"links/target": "env A;\n",
	})
	require.NoError(t, os.Symlink("nowhere", filepath.Join(dir, "links/dangling")))
	tree := Parse(dir+"/nginx.conf", Options{FS: shut{OS{}, dir + "/closed"}})
	assert.Equal(t, []string{
		`nginx.conf:2:9: open() "missing" failed (2: No such file or directory)`,
		`nginx.conf:3:9: pread() "folder" failed (21: Is a directory)`,
		`nginx.conf:4:9: open() "closed" failed (13: Permission denied)`,
		`nginx.conf:5:9: open() "links/dangling" failed (2: No such file or directory)`,
	}, faultsIn(tree, dir))
}

// shut is a file system in which one file may not be read, by root either.
type shut struct {
	FS
	name string
}

func (s shut) ReadFile(name string) ([]byte, error) {
	if name == s.name {
		return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrPermission}
	}
	return s.FS.ReadFile(name)
}

func TestAnIncludeOfItselfIsReportedWithItsChain(t *testing.T) {
	tree := parseFiles(map[string]string{
		"nginx.conf": "events {}\nhttp {\n include a;\n gzip on;\n}\n",
		"a":          "include b;\n",
		"b":          "\ninclude ./a;\n",
	}, "")
	require.Len(t, tree.Errors, 1)
	e := tree.Errors[0]
	assert.Equal(t, Cycle, e.Kind)
	assert.Equal(t, `b:2:1: "./a" includes itself`, e.Error())
	require.Len(t, e.Chain, 2)
	assert.Equal(t, "a:1:1", e.Chain[0].String())
	assert.Equal(t, "nginx.conf:3:2", e.Chain[1].String())
	assert.Len(t, tree.Root.Directives[1].Children, 2, "the rest is read")
}

func TestIncludesThatMultiplyComeToAnEnd(t *testing.T) {
	files := map[string]string{"nginx.conf": "events {}\ninclude 0;\n"}
	for i := range 40 {
		name, next := string(rune('0'+i)), string(rune('0'+i+1))
		files[name] = strings.Repeat("include "+next+";\n", 10)
	}
	files[string(rune('0'+40))] = ""
	tree := parseFiles(files, "")
	assert.LessOrEqual(t, len(tree.Files), maxFiles)
	assert.NotEmpty(t, tree.Errors)
	assert.LessOrEqual(t, len(tree.Errors), maxErrors)
}

func TestDeepIncludesComeToAnEnd(t *testing.T) {
	files := map[string]string{"nginx.conf": "include 1;\nevents {}\n"}
	for i := 1; i < 400; i++ {
		files[strings.Repeat("1", i)] = "include " + strings.Repeat("1", i+1) + ";\n"
	}
	tree := parseFiles(files, "")
	require.Len(t, tree.Errors, 1)
	assert.Equal(t, "includes are nested too deep", tree.Errors[0].Msg)
	assert.Len(t, tree.Errors[0].Chain, maxDepth)
}

func TestPathsOfAnotherMachineAreMapped(t *testing.T) {
	dir := written(t, map[string]string{
		"deploy/nginx/nginx.conf":      "events {}\nhttp {\n include /opt/far/nginx/conf.d/*.conf;\n include /opt/far/nginx-extra/x;\n}\n",
		"deploy/nginx/conf.d/one.conf": "gzip on;\n",
	})
	root := dir + "/deploy/nginx/nginx.conf"

	tree := Parse(root, Options{FS: OS{}, PathMap: []PathMapping{{"/opt/far/nginx", dir + "/deploy/nginx/"}}})
	assert.Equal(t, []string{root, dir + "/deploy/nginx/conf.d/one.conf"}, names(tree))
	assert.Equal(t, []string{`deploy/nginx/nginx.conf:4:10: open() "/opt/far/nginx-extra/x" failed (2: No such file or directory)`}, faultsIn(tree, dir))

	tree = Parse(root, Options{FS: OS{}, PathMap: []PathMapping{{"/opt/far/nginx-extra", "/nowhere"}}})
	require.NotEmpty(t, tree.Notes, "a pattern whose folder is not there is worth a note")
	assert.Equal(t, "map the path /opt/far/nginx to "+dir+"/deploy/nginx", tree.Notes[0].Hint)
}

func TestThePrefixIsTheBaseOfRelativeIncludes(t *testing.T) {
	dir := written(t, map[string]string{"conf/a.inc": "env A;\n", "sub/nginx.conf": "events {}\ninclude a.inc;\n"})
	tree := Parse(dir+"/sub/nginx.conf", Options{FS: OS{}, Prefix: dir + "/conf"})
	assert.Empty(t, tree.Errors)
	assert.Len(t, tree.Files, 2)
}

func TestTheErrorOfAnIncludedFileNamesIt(t *testing.T) {
	tree := parseFiles(map[string]string{
		"nginx.conf": "events {}\nhttp {\n include a;\n server { }\n}\n",
		"a":          "gzip on;\nserver {\n",
	}, "")
	require.Len(t, tree.Errors, 1)
	assert.Equal(t, `a:3:1: unexpected end of file, expecting "}"`, tree.Errors[0].Error())
	assert.Equal(t, tree.Errors, slices.Clone(tree.Files[1].Errors))
	assert.Empty(t, tree.Root.Errors)
}
