package oracle

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestVersions(t *testing.T) {
	v, err := parseVersion("nginx version: nginx/1.22.1 (Ubuntu)\nbuilt with OpenSSL 3.0.22")
	require.NoError(t, err)
	assert.Equal(t, Version{1, 22, 1}, v)
	assert.Equal(t, "1.22.1", v.String())
	for _, older := range []Version{{0, 99, 99}, {1, 21, 99}, {1, 22, 0}, {1, 22, 1}} {
		assert.True(t, v.AtLeast(older.Major, older.Minor, older.Patch), older)
	}
	for _, newer := range []Version{{1, 22, 2}, {1, 23, 0}, {2, 0, 0}} {
		assert.False(t, v.AtLeast(newer.Major, newer.Minor, newer.Patch), newer)
	}
	for _, bad := range []string{"", "nginx/", "nginx/1.2", "nginx/1..2", "nginx/1.2.3.4", "Apache/2.4.1"} {
		_, err := parseVersion(bad)
		assert.Error(t, err, bad)
	}
}

// stub makes something that prints what nginx -V would.
func stub(t *testing.T, name, out string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\ncat >&2 <<'END'\n"+out+"\nEND\n"), 0o700))
	return path
}

func TestBinariesComeFromTheEnvironment(t *testing.T) {
	Need(t)
	one := stub(t, "nginx", "nginx version: nginx/1.9.5\nconfigure arguments: --with-http_v2_module --with-http_perl_module=dynamic --with-http_gunzip_module --modules-path=/m")
	two := stub(t, "nginx", "nginx version: nginx/1.25.1\nconfigure arguments: --with-debug")
	t.Setenv("NGINX_BINS", one+":"+two)
	bins := Bins(t)
	assert.Equal(t, []Nginx{
		{Path: one, Version: Version{1, 9, 5}, Modules: []string{"http_gunzip_module", "http_v2_module"}, modules: "/m"},
		{Path: two, Version: Version{1, 25, 1}, Debug: true},
	}, bins)
	assert.True(t, bins[0].Has("http_v2_module"))
	assert.False(t, bins[0].Has("http_perl_module"))
	assert.Equal(t, "listen a http2;", bins[0].HTTP2("a"))
	assert.Equal(t, "listen a; http2 on;", bins[1].HTTP2("a"))
	t.Setenv("NGINX_BINS", two+" "+one)
	assert.Equal(t, bins[1], Need(t))
}

// recorder is a test that notes how it ended first; it does not stop there, as
// a real one does.
type recorder struct {
	testing.TB
	ended string
}

func (r *recorder) Helper()               {}
func (r *recorder) Skipf(string, ...any)  { r.end("skipped") }
func (r *recorder) Fatalf(string, ...any) { r.end("failed") }

func (r *recorder) end(how string) {
	if r.ended == "" {
		r.ended = how
	}
}

func TestWithoutNginxATestIsSkippedUnlessItIsRequired(t *testing.T) {
	for require, want := range map[string]string{"": "skipped", "0": "skipped", "1": "failed"} {
		t.Setenv("REQUIRE_NGINX", require)
		r := &recorder{TB: t}
		missing(r, "there is none")
		assert.Equal(t, want, r.ended)
	}
}

func TestALibraryIsCompiledOnce(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	lib := compile(t, []byte("int one = 1;"))
	info, err := os.Stat(lib)
	require.NoError(t, err)
	assert.Equal(t, lib, compile(t, []byte("int one = 1;")))
	again, err := os.Stat(lib)
	require.NoError(t, err)
	assert.Equal(t, info.ModTime(), again.ModTime())
	assert.NotEqual(t, lib, compile(t, []byte("int one = 2;")))
}

func TestAFolderIsReadAsFiles(t *testing.T) {
	dir := t.TempDir()
	want := Files{"nginx.conf": "a", "sites/b.conf": "b"}
	require.NoError(t, want.write(dir))
	assert.Equal(t, want, Dir(t, dir))
	require.Error(t, Files{"../out": ""}.write(dir))
	require.Error(t, Files{"/out": ""}.write(dir))
}
