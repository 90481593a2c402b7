package parser

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// words lists the decoded words of every statement and what ended it.
func words(src string) (out []string, faults []string) {
	l := newLexer([]byte(src))
	l.fail = func(_, _ int, msg string) { faults = append(faults, msg) }
	for {
		end := l.next()
		if end == endEOF {
			return out, faults
		}
		for _, a := range l.args {
			out = append(out, a.Value)
		}
		out = append(out, map[ending]string{endSemi: ";", endOpen: "{", endClose: "}"}[end])
	}
}

func TestWordsAreThoseOfNginx(t *testing.T) {
	tests := []struct {
		name, src string
		want      []string
	}{
		{"words end at white space", "a b\tc\r\nd;", []string{"a", "b", "c", "d", ";"}},
		{"an escaped space stays in the word, backslash and all", `a b\ c;`, []string{"a", `b\ c`, ";"}},
		{"an escaped brace does not open a block", `a b\{2\}$ {`, []string{"a", `b\{2\}$`, "{"}},
		{"a closing brace inside a word is an ordinary byte", "a x}y;", []string{"a", "x}y", ";"}},
		{"a brace after a dollar is part of the word", "a ${b}c;", []string{"a", "${b}c", ";"}},
		{"white space ends a word inside ${}", "a ${b c};", []string{"a", "${b", "c}", ";"}},
		{"an escaped dollar does not keep the brace", `a b\${`, []string{"a", `b\$`, "{"}},
		{"two braces after a dollar are part of the word", "a ${{b;", []string{"a", "${{b", ";"}},
		{"known escapes are decoded in quotes", `a "x\ty\\z\"" 'it\'s';`, []string{"a", "x\ty\\z\"", "it's", ";"}},
		{"unknown escapes keep their backslash", `a "\d\.";`, []string{"a", `\d\.`, ";"}},
		{"quotes inside a word are ordinary", `a b"c d'e;`, []string{"a", `b"c`, "d'e", ";"}},
		{"empty strings are words", `a "" '';`, []string{"a", "", "", ";"}},
		{"a closing parenthesis may follow a quote", `if ($a = "b"){`, []string{"if", "($a", "=", "b", ")", "{"}},
		{"a number sign inside a word is ordinary", "a b#c;", []string{"a", "b#c", ";"}},
		{"a comment may stand between words", "a # b;\nc;", []string{"a", "c", ";"}},
		{"a carriage return inside quotes stays", "a \"b\r\nc\";", []string{"a", "b\r\nc", ";"}},
		{"a no-break space is an ordinary byte", "a\u00a0b;", []string{"a\u00a0b", ";"}},
		{"bytes that are not UTF-8 stay as they are", "a M\xfcn;", []string{"a", "M\xfcn", ";"}},
		{"nothing needs white space", "a{b c{d e;}}", []string{"a", "{", "b", "c", "{", "d", "e", ";", "}", "}"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, faults := words(tt.src)
			require.Empty(t, faults)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestSpansCoverTheirText(t *testing.T) {
	src := "http {\n  limit_req_zone \"$a\" zone=z:1m; # c\n}\n"
	tree := ParseBytes("x/nginx.conf", []byte(src), Options{FS: OS{}})
	http := tree.Root.Directives[0]
	zone := http.Children[0]
	cut := func(s Span) string { return src[s.Start.Offset:s.End.Offset] }
	assert.Equal(t, src[:len(src)-1], cut(http.Span()))
	assert.Equal(t, "http", cut(http.NameSpan()))
	assert.Equal(t, "{", cut(http.TermSpan()))
	assert.Equal(t, `"$a"`, cut(zone.ArgSpan(0)))
	assert.Equal(t, `limit_req_zone "$a" zone=z:1m`, cut(zone.HeadSpan()))
	assert.Equal(t, "x/nginx.conf:2:3", zone.Span().String())
	assert.Equal(t, "# c", tree.Root.Comments[0].Text)
	assert.Equal(t, "x/nginx.conf:2:34", tree.Root.Comments[0].Span.String())
	assert.Same(t, http, zone.Parent)
}

func TestACommentInTextThatIsReadTwiceIsOne(t *testing.T) {
	src := "events {}\nhttp {\n sendfile on # a\n gzip on # b\n tcp_nopush on; # c\n}\n"
	tree := ParseBytes("nginx.conf", []byte(src), Options{FS: newTextFiles(nil)})
	require.Len(t, tree.Errors, 2)
	assert.Len(t, tree.Root.Comments, 3)
	assert.Len(t, tree.Root.Directives[1].Children, 3)
}
