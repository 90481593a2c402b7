package nginx

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNormalize(t *testing.T) {
	for _, c := range []struct{ name, raw, want string }{
		{"escapes are decoded once", "/a%2525", "/a%25"},
		{"a decoded slash is a slash", "/a%2Fb", "/a/b"},
		{"a decoded dot is a dot", "/a/%2e%2e/b", "/b"},
		{"slashes are merged", "/a//b", "/a/b"},
		{"a dot segment goes", "/%61/./b", "/a/b"},
		{"a last dot goes", "/a/.", "/a/"},
		{"two last dots go up", "/a/b/..", "/a/"},
		{"three dots are a name", "/.../..b", "/.../..b"},
		{"a decoded question mark belongs to the path", "/a%3Fb", "/a?b"},
		{"plus and semicolon are ordinary", "/a+b;c", "/a+b;c"},
		{"nothing is the root", "", "/"},
		{"above the root", "/..", ""},
		{"far above the root", "/a/../../b", ""},
		{"a zero byte", "/a%00", ""},
		{"no hex digits", "/a%zz", ""},
		{"a cut escape", "/a%2", ""},
		{"a control character", "/a\x01", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := normalize(nil, []byte(c.raw), true)
			assert.Equal(t, c.want != "", got.ok)
			assert.Equal(t, c.want, string(got.path))
		})
	}
	assert.Equal(t, "/a//b/", string(normalize(nil, []byte("/a//b//../"), false).path), "without merge_slashes an empty segment is one")
}

func TestCleanHost(t *testing.T) {
	for _, c := range []struct {
		name, host, want string
		ok               bool
	}{
		{"lower case", "Example.COM", "example.com", true},
		{"without port", "example.com:8080", "example.com", true},
		{"without the last dot", "example.com.", "example.com", true},
		{"with both", "example.com.:80", "example.com", true},
		{"brackets stay", "[::1]:80", "[::1]", true},
		{"two dots", "a..b", "", false},
		{"a slash", "a/b", "", false},
		{"a space", "a b", "", false},
		{"only a port", ":80", "", false},
		{"only a dot", ".", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, ok := cleanHost(nil, []byte(c.host))
			assert.Equal(t, c.ok, ok)
			assert.Equal(t, c.want, string(got))
		})
	}
}
