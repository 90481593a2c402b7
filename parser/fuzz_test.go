package parser

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// seed adds every fixture and every pinned case to a fuzz target.
func seed(f *testing.F, add func(src string)) {
	f.Helper()
	err := filepath.WalkDir("../fixtures", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil || info.Size() > 64<<10 {
			return err
		}
		text, err := os.ReadFile(name)
		add(string(text))
		return err
	})
	require.NoError(f, err)
	for _, tt := range refused {
		add(tt.src)
	}
	for _, tt := range gonginxDiffers {
		add(tt.src)
	}
	add(dumped)
	add("a {{ b }} {% c %};\n{# d #}\n<% e %> <%= f %>;")
	add("content_by_lua_block { --[==[ } ]==] local s = '}' \"}\" [[}]] -- }\n}")
}

func FuzzWords(f *testing.F) {
	seed(f, func(src string) { f.Add(src) })
	f.Fuzz(func(t *testing.T, src string) {
		l := newLexer([]byte(src))
		last := -1
		for l.next() != endEOF {
			require.Greater(t, l.pos, last, "the reader goes on")
			last = l.pos
			require.LessOrEqual(t, l.pos, len(src))
			for _, a := range l.args {
				require.Equal(t, src[a.start:a.end], a.Raw)
			}
		}
	})
}

// inBounds requires that every span lies in its file, in order.
func inBounds(t *testing.T, ds []*Directive, from, to int32) {
	for _, d := range ds {
		require.LessOrEqual(t, from, d.start)
		require.LessOrEqual(t, d.start, d.nameEnd)
		require.LessOrEqual(t, d.nameEnd, d.term)
		require.LessOrEqual(t, d.end, to)
		at := d.nameEnd
		for i, a := range d.Args {
			require.LessOrEqual(t, at, a.start)
			require.LessOrEqual(t, a.end, d.term)
			require.Equal(t, a.Raw, string(d.File.Source[a.start:a.end]))
			require.Positive(t, d.ArgSpan(i).Start.Line)
			at = a.end
		}
		if len(d.Children) > 0 {
			inBounds(t, d.Children, d.nameEnd, d.end)
		}
		require.Len(t, d.Parameters, len(d.Args))
		for e := range d.Entries() {
			require.LessOrEqual(t, e.start, e.end)
			require.LessOrEqual(t, int(e.end), len(e.File.Source)+1)
		}
		_ = d.Span().String()
		from = d.start
	}
}

func FuzzTree(f *testing.F) {
	seed(f, func(src string) { f.Add(src, "") })
	f.Add("server { limit_req zone=a; }", "http")
	f.Fuzz(func(t *testing.T, src, context string) {
		opts := Options{FS: newTextFiles(nil)}
		if context != "" {
			opts.Context = strings.Split(context, ",")
		}
		tree := ParseBytes("nginx.conf", []byte(src), opts)
		for _, file := range tree.Files {
			inBounds(t, file.Directives, 0, int32(len(file.Source)))
			for _, c := range file.Comments {
				require.Equal(t, c.Text, string(file.Source[c.Span.Start.Offset:c.Span.End.Offset]))
			}
			file.Gonginx()
		}
		for _, e := range append(tree.Errors, tree.Notes...) {
			require.NotEmpty(t, e.Msg)
			require.Positive(t, e.Line)
			require.LessOrEqual(t, e.Span.Start.Offset, e.Span.End.Offset)
		}
	})
}

func FuzzIncludes(f *testing.F) {
	seed(f, func(src string) { f.Add(src, "include a/*;\ngzip on;", "a/b*") })
	f.Add("include x*;", "include nginx.conf;", "x[!a]")
	f.Fuzz(func(t *testing.T, root, included, pattern string) {
		files := newTextFiles(map[string][]byte{
			"nginx.conf": []byte(root + "\ninclude \"" + pattern + "\";\nmap $a $b { include " + pattern + "; }\n"),
			"a/b":        []byte(included), "a/.c": []byte(included), "xb": []byte(included), "x/y/z": []byte(root),
		})
		tree := Parse("nginx.conf", Options{FS: files})
		require.LessOrEqual(t, len(tree.Files), maxFiles)
		for _, file := range tree.Files {
			inBounds(t, file.Directives, 0, int32(len(file.Source)))
		}
		_, err := Roots(files, ".")
		require.NoError(t, err)
	})
}
