package pcre

import (
	"testing"
	"time"

	"github.com/dlclark/regexp2/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unset stands for a group that did not take part.
const unset = "<unset>"

// fact is one pattern on one subject. want holds the text of the groups from the
// whole match on; nil for no match.
type fact struct {
	sentence string
	pattern  string
	caseless bool
	subject  string
	want     []string
}

func got(texts ...string) []string { return texts }

// facts are what is surprising or common in nginx configurations. Each is put to
// PCRE2 too.
var facts = []fact{
	{"a suffix", `\.php$`, false, "/index.php", got(".php")},
	{"$ matches before a newline at the end", `\.php$`, false, "/a.php\n", got(".php")},
	{"but only before one", `\.php$`, false, "/a.php\n\n", nil},
	{`\Z is $`, `a\Z`, false, "a\n", got("a")},
	{`\z is the very end`, `a\z`, false, "a\n", nil},
	{"$ consumes nothing", `^(.*)$`, false, "abc\n", got("abc", "abc")},
	{"a newline before $ may be matched too", `^a\n$`, false, "a\n", got("a\n")},
	{"$ in the middle", `a$\nb`, false, "a\nb", nil},
	{"$ under (?m)", `(?m)^b$`, false, "a\nb\nc", got("b")},
	{"(?m) has no line after the last newline", `(?m)\n^`, false, "a\n", nil},
	{"(?m)$ before each newline", `(?m)a$`, false, "a\n\n", got("a")},
	{". is a byte", `^/dot/.{3}$`, false, "/dot/日", got("/dot/日")},
	{". is not a character", `^/dot/.$`, false, "/dot/日", nil},
	{". is not a newline", `^a.b$`, false, "a\nb", nil},
	{". is a carriage return", `^a.b$`, false, "a\rb", got("a\rb")},
	{"(?s). is a newline", `(?s)^a.b$`, false, "a\nb", got("a\nb")},
	{`\N is not, even under (?s)`, `(?s)^a\Nb$`, false, "a\nb", nil},
	{"invalid UTF-8 is bytes like others", `^/(.+)$`, false, "/\xff\xfe", got("/\xff\xfe", "\xff\xfe")},
	{"a class of bytes counts bytes", `^/[^/]{2}$`, false, "/é", got("/é")},
	{"a character in a class is two bytes", `^[é]$`, false, "\xc3", got("\xc3")},
	{"bytes by number", `[\x80-\xff]`, false, "aé", got("\xc3")},
	{"a zero byte", `a\x00b`, false, "a\x00b", got("a\x00b")},
	{`\w is ASCII`, `^\w+$`, false, "é", nil},
	{`\W is every other byte`, `^\W\W$`, false, "é", got("é")},
	{`\d is ASCII`, `^\d$`, false, "٣", nil},
	{`\s has the vertical tab`, `^a\sb$`, false, "a\vb", got("a\vb")},
	{`\s has no no-break space`, `^a\sb$`, false, "a\xa0b", nil},
	{`\h has it`, `^a\hb$`, false, "a\xa0b", got("a\xa0b")},
	{`\v is vertical space`, `^a\vb$`, false, "a\x85b", got("a\x85b")},
	{`\H`, `^\H+$`, false, "a\nb", got("a\nb")},
	{`\V`, `^\V+$`, false, "a b", got("a b")},
	{`\b is of ASCII letters`, `\bt`, false, "ét", got("t")},
	{`\B likewise`, `\Bt`, false, "ét", nil},
	{"posix classes", `^[[:alpha:]_]+[[:digit:]]$`, false, "ab_1", got("ab_1")},
	{"negated posix classes", `^[[:^space:]]+$`, false, "a\vb", nil},
	{"[[:punct:]]", `^[[:punct:]]+$`, false, "!-/:@[`{~", got("!-/:@[`{~")},
	{"[[:<:]] begins a word", `[[:<:]]b`, false, "ab b", got("b")},
	{"[[:>:]] ends one", `b[[:>:]]`, false, "ba b", got("b")},
	{"caseless is ASCII: no KELVIN SIGN", `^/ks/k+s$`, true, "/ks/\u212as", nil},
	{"nor LONG S", `^s$`, true, "ſ", nil},
	{"nor E ACUTE", `^é$`, true, "É", nil},
	{"caseless letters", `^/Static/(JPG)$`, true, "/STATIC/jpg", got("/STATIC/jpg", "jpg")},
	{"caseless classes", `^[a-c]+$`, true, "aBC", got("aBC")},
	{"caseless negated classes", `^[^a-c]+$`, true, "B", nil},
	{"caseless [[:upper:]] is any letter", `^[[:upper:]]+$`, true, "ab", got("ab")},
	{"caseless off in the middle", `a(?-i)b`, true, "AB", nil},
	{"(?i) from here on", `a(?i)b|c`, false, "C", got("C")},
	{"(?i: for a group", `^(?i:a)b$`, false, "Ab", got("Ab")},
	{"(?i) ends with its group", `^(a(?i)b)c$`, false, "aBC", nil},
	{"(?^) turns it off", `(?^)a`, true, "A", nil},
	{"(?x) ignores space and comments", "(?x) ^ a b # c\n c $", false, "abc", got("abc")},
	{"(?x) even the byte of NEL", "(?x)^a\x85b$", false, "ab", got("ab")},
	{"(?xx) in classes", `(?xx)^[a b]+$`, false, "a b", nil},
	{"(?U) swaps greed", `(?U)a+`, false, "aaa", got("a")},
	{"(?U) with ?", `(?U)a+?`, false, "aaa", got("aaa")},
	{"(?n) captures names only", `(?n)(a)(?<n>b)`, false, "ab", got("ab", "b")},
	{"a comment", `a(?#comment)+b`, false, "aab", got("aab")},
	{`\Q and \E`, `^\Qa.b*\E$`, false, "a.b*", got("a.b*")},
	{`\Q without \E`, `a\Q.`, false, "a.", got("a.")},
	{`a quantifier after \E is for the last character`, `^\Qab\E+$`, false, "abb", got("abb")},
	{"octal", `^\101\0$`, false, "A\x00", got("A\x00")},
	{"octal in braces", `^\o{101}$`, false, "A", got("A")},
	{"hexadecimal", `^\x41\x{42}\x4$`, false, "AB\x04", got("AB\x04")},
	{"control characters", `^\cA\e\a\f$`, false, "\x01\x1b\a\f", got("\x01\x1b\a\f")},
	{`\18 is octal and a digit`, `^(a)\18$`, false, "a\x018", got("a\x018", "a")},
	{"{,3} is text up to PCRE2 10.42", `^a{,3}$`, false, "a{,3}", got("a{,3}")},
	{"{ that counts nothing is text", `^a{x}{$`, false, "a{x}{", got("a{x}{")},
	{"] first in a class", `^[]a]+$`, false, "]a", got("]a")},
	{"[ in a class", `^[[]$`, false, "[", got("[")},
	{"a hyphen at the edge", `^[a-]+$`, false, "a-", got("a-")},
	{`\b in a class is backspace`, `^[\b]$`, false, "\b", got("\b")},
	{"leftmost, not longest", `a|ab`, false, "ab", got("a")},
	{"a lazy quantifier", `^(.*?)/(.*)$`, false, "a/b/c", got("a/b/c", "a", "b/c")},
	{"an optional group unset", `^(a)?b$`, false, "b", got("b", unset)},
	{"a group that matched nothing", `^(a?)b$`, false, "b", got("b", "")},
	{"a group keeps what an earlier round set", `^(?:(a)|b)*$`, false, "ab", got("ab", "a")},
	{"a repeat of what may be empty", `^(a*)*$`, false, "aa", got("aa", "")},
	{"a counted repeat of what may be empty", `^(a?){2}$`, false, "a", got("a", "")},
	{"a repeat of a repeat", `^(?:(a|[ab]{2}|.{1,2}.)+){2,}(?!x)`, false, "babka", got("babka", "a")},
	{"an optional possessive repeat", `^(?:a*+)?[ab]`, false, "aa", got("a")},
	{"a thousand and one", `^a{1001}$`, false, "a", nil},
	{"a named group", `^(?<sub>[^.]+)\.example\.com$`, false, "www.example.com", got("www.example.com", "www")},
	{"named as in Python", `^(?P<sub>a)(?'b'b)$`, false, "ab", got("ab", "a", "b")},
	{"names do not change numbers", `^(a)(?<n>b)(c)$`, false, "abc", got("abc", "a", "b", "c")},
	{"branch reset", `^(?|a(.)|b(.))(c)$`, false, "bxc", got("bxc", "x", "c")},
	{`\K`, `^/a\K/b`, false, "/a/b", got("/a/b")},
	{`\G is the start`, `\Gb`, false, "ab", nil},
	{`\A under (?m)`, `(?m)\Ab`, false, "a\nb", nil},
	{"negative lookahead", `^/(?!api|admin).*$`, false, "/shop", got("/shop")},
	{"negative lookahead against", `^/(?!api|admin).*$`, false, "/admin/x", nil},
	{"positive lookahead", `^(?=.*\d)(?=.*[a-z]).{3}$`, false, "ab1", got("ab1")},
	{"negative lookbehind", `(?<!www\.)example`, false, "www.example", nil},
	{"lookbehind with branches of several lengths", `(?<=a|bc)d`, false, "bcd", got("d")},
	{"a backreference", `^/(\w+)/\1$`, false, "/a/a", got("/a/a", "a")},
	{"a caseless backreference is ASCII", `^(\xe9)\1$`, true, "\xe9\xc9", nil},
	{"a caseless backreference", `^(k)\1$`, true, "kK", got("kK", "k")},
	{"a backreference to an unset group fails", `^(a)?\1$`, false, "", nil},
	{"a named backreference", `^(?<q>['"]).*\k<q>$`, false, `'a'`, got(`'a'`, `'`)},
	{"a relative backreference", `^(a)(b)\g{-1}$`, false, "abb", got("abb", "a", "b")},
	{"an atomic group", `^(?>a+)ab$`, false, "aab", nil},
	{"a possessive quantifier", `^a++b$`, false, "aab", got("aab")},
	{"a possessive quantifier gives nothing back", `^a*+a$`, false, "aa", nil},
	{"a condition on a group", `^(<)?a(?(1)>|!)$`, false, "<a>", got("<a>", "<")},
	{"a condition on a lookahead", `^(?(?=\d)\d{2}|[a-z])$`, false, "a", got("a")},
	{`\R takes CRLF whole`, `^a\Rb$`, false, "a\r\nb", got("a\r\nb")},
	{"(*FAIL)", `a(*FAIL)|b`, false, "ab", got("b")},
	{"(*UTF8) reads characters", `(*UTF8)^.$`, false, "日", got("日")},
	{"(*UTF8) folds as Unicode does", `(*UTF8)^k$`, true, "\u212a", got("\u212a")},
	{"(*UTF) keeps offsets in bytes", `(*UTF)^(é)(b)$`, false, "éb", got("éb", "é", "b")},
	{`\pL without UTF reads Latin-1`, `^\pL$`, false, "\xe9", got("\xe9")},
	{"nested quantifiers in a list", `^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+com$`, false, "a-b.c.com", got("a-b.c.com")},
}

func TestNotablePatterns(t *testing.T) {
	for _, f := range facts {
		t.Run(f.sentence, func(t *testing.T) {
			re, err := Compile(f.pattern, f.caseless)
			require.NoError(t, err)
			result, caps := re.Match([]byte(f.subject), []int{})
			bare, none := re.Match([]byte(f.subject), nil)
			assert.Equal(t, result, bare)
			assert.Nil(t, none)
			if f.want == nil {
				assert.Equal(t, NoMatch, result)
				return
			}
			require.Equal(t, Match, result)
			assert.Equal(t, f.want, texts(f.subject, caps))
			assert.Len(t, caps, 2*re.NumCaptures()+2)
		})
	}
}

func texts(subject string, caps []int) []string {
	var out []string
	for i := 0; i < len(caps); i += 2 {
		if caps[i] < 0 {
			out = append(out, unset)
			continue
		}
		out = append(out, subject[caps[i]:caps[i+1]])
	}
	return out
}

func TestNotablePatternsAreSoInPCRE2(t *testing.T) {
	o := newOracle(t)
	for _, f := range facts {
		v := o.ask(t, f.pattern, f.caseless, f.subject)
		if !assert.Zero(t, v.code, "%s: %s", f.sentence, v.message) {
			continue
		}
		if f.pattern == `^/a\K/b` {
			v.rows[0].caps[0] = 0 // the start that \K moves has no name in nginx
		}
		assert.Equal(t, f.want, texts(f.subject, v.rows[0].caps), f.sentence)
		assert.NotEqual(t, Failed, v.rows[0].result)
	}
}

func TestInvalidUTF8UnderUTFFails(t *testing.T) {
	re, err := Compile(`(*UTF8)a`, false)
	require.NoError(t, err)
	result, caps := re.Match([]byte("a\xff"), []int{})
	assert.Equal(t, Failed, result)
	assert.Empty(t, caps)
	assert.Equal(t, Failed, newOracle(t).ask(t, `(*UTF8)a`, false, "a\xff").rows[0].result)
}

func TestCaptureOffsetsAreAppended(t *testing.T) {
	for _, pattern := range []string{`b(.)`, `(?=b)b(.)|(?!b)x`, `(?!x)b(.)`} {
		re, err := Compile(pattern, false)
		if err != nil {
			continue
		}
		_, caps := re.Match([]byte("abc"), []int{7})
		assert.Equal(t, []int{7, 1, 3, 2, 3}, caps)
		_, caps = re.Match([]byte("xyz"), []int{7})
		assert.Equal(t, []int{7}, caps)
	}
}

func TestNamesAreListedByNumber(t *testing.T) {
	re, err := Compile(`(?<b>x)(y)(?<a>z)(?|(?<c>1)|(?<c>2))`, false)
	require.NoError(t, err)
	assert.Equal(t, []Name{{"b", 1}, {"a", 3}, {"c", 4}}, re.Names())
	assert.Equal(t, 4, re.NumCaptures())
	assert.Equal(t, `(?<b>x)(y)(?<a>z)(?|(?<c>1)|(?<c>2))`, re.String())
}

func TestAMatchThatDoesNotEndFails(t *testing.T) {
	re, err := Compile(`^(?:(a)\1*)+(?!.)$`, false)
	require.NoError(t, err)
	re.backing.re.MatchTimeout = 50 * time.Millisecond
	t.Cleanup(regexp2.StopTimeoutClock)
	result, _ := re.Match([]byte("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"), []int{})
	assert.Equal(t, Failed, result)
}
