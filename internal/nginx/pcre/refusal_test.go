package pcre

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// refusals are patterns that PCRE2 runs and this package does not.
var refusals = []struct{ sentence, pattern, construct string }{
	{"recursion", `\((?R)?\)`, "a recursion or a subroutine call"},
	{"a subroutine call", `(a)(?1)`, "a recursion or a subroutine call"},
	{"a call by name", `(?<n>a)\g<n>`, "a recursion or a subroutine call"},
	{"a verb", `a(*SKIP)b`, "a backtracking verb"},
	{"a callout", `a(?C1)b`, "a callout"},
	{"a grapheme", `\X`, `\X`},
	{"a script", `\p{Greek}`, `the property \p{Greek}`},
	{"case properties without case", `(?i)\p{Lu}`, `the property \p{Lu}`},
	{"properties of UTF", `(*UTF)\pL`, `the property \p{L}`},
	{"another newline", `(*CRLF)^a$`, "(*CRLF)"},
	{"a limit", `(*LIMIT_MATCH=10)a`, "(*LIMIT_MATCH)"},
	{"duplicate names", `(?J)(?<n>a)|(?<n>b)`, "duplicate group names"},
	{"a condition on recursion", `(?(R)a|b)`, "a condition of this kind"},
	{"definitions", `(?(DEFINE)(?<n>a))b`, "a condition of this kind"},
	{"branch reset in a repeat", `(?:(?|(a)|(b)))*`, "a group number that is used twice in a repeat"},
	{"a backreference to what was reset", `(?|(a)|(b))\1`, "a backreference to a group number that is used twice"},
	{"a lookahead that runs twice", `^(?=.((?(1)b|a))){2}`, "a condition on a group number that is used twice"},
	{"a backreference in a lookbehind", `(a)(?<=\1)`, "a backreference in a lookbehind"},
	{"an atomic group in a lookbehind", `(?<=(?>a))b`, "an atomic group in a lookbehind"},
	{"many rounds of nothing", `(a*){300}`, "a counted repeat of a group that may match nothing"},
	{"a condition that captures", `^(?(?=(a))a|b)`, "a condition that captures"},
}

func TestRefusedPatterns(t *testing.T) {
	for _, r := range refusals {
		t.Run(r.sentence, func(t *testing.T) {
			_, err := Compile(r.pattern, false)
			var refused *UnsupportedError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, UnsupportedError{Pattern: r.pattern, Construct: r.construct}, *refused)
			assert.Contains(t, err.Error(), r.construct)
		})
	}
}

func TestPCRE2RunsWhatIsRefused(t *testing.T) {
	o := newOracle(t)
	for _, r := range refusals {
		assert.Zero(t, o.ask(t, r.pattern, false).code, r.sentence)
	}
}

// quirks are patterns whose answer changes when PCRE2 may not optimise, which
// its documentation says it cannot.
var quirks = []struct{ sentence, pattern, subject, without, construct string }{
	{`\S and \h share 0xa0`, `^\S*\h`, "a\xa0", "(*NO_AUTO_POSSESS)", `\S beside \h or \v`},
	{`\N and \R share 0x85`, `^\N*\R`, "a\x85", "(*NO_AUTO_POSSESS)", `\R beside \s, \S or .`},
	{`\R and \s share newlines`, `^\R*\s`, "\n", "(*NO_AUTO_POSSESS)", `\R beside \s, \S or .`},
	{"an atomic group that is optional as a whole", `[^a]*(?>(?:ab)?)\n`, "\n", "(*NO_AUTO_POSSESS)", "an optional group at the end of an atomic one"},
	{"the same by a possessive quantifier", `[^a]*(?:ab)?+\n`, "\n", "(*NO_AUTO_POSSESS)", "an optional group at the end of an atomic one"},
	{"a reference to its own group", `a(b|\1?)`, "a", "(*NO_START_OPT)", "a backreference in the group it refers to"},
	{"a required character is looked for behind the first", `(?=a)b?a`, "a", "(*NO_START_OPT)", "a lookahead for a fixed character at the start"},
}

func TestPatternsThatPCRE2OptimisesWronglyAreRefused(t *testing.T) {
	o := newOracle(t)
	for _, q := range quirks {
		_, err := Compile(q.pattern, false)
		var refused *UnsupportedError
		require.ErrorAs(t, err, &refused, q.sentence)
		assert.Equal(t, q.construct, refused.Construct)
		assert.Equal(t, NoMatch, o.ask(t, q.pattern, false, q.subject).rows[0].result, q.sentence)
		assert.Equal(t, Match, o.ask(t, q.without+q.pattern, false, q.subject).rows[0].result, q.sentence)
	}
}

func TestAlternativesUnderZeroAreRefused(t *testing.T) {
	_, err := Compile(`(?:b|^){0}a`, false)
	var refused *UnsupportedError
	require.ErrorAs(t, err, &refused)
	o := newOracle(t)
	assert.Equal(t, NoMatch, o.ask(t, `(?:b|^){0}a`, false, "ba").rows[0].result, "as if it were anchored")
	assert.Equal(t, Match, o.ask(t, `(?:^|b){0}a`, false, "ba").rows[0].result)
}

// invalid are patterns with which nginx does not start.
var invalid = []struct {
	sentence, pattern string
	offset            int
	message           string
}{
	{"a class as the end of a range", `[\w-.]`, 3, "invalid range in character class"},
	{"a range backwards", `[z-a]`, 3, "range out of order in character class"},
	{"an unclosed class", `[a`, 2, "missing terminating ] for character class"},
	{"an empty class", `[]`, 2, "missing terminating ] for character class"},
	{"a posix class outside", `[:alpha:]`, 0, "POSIX named classes are supported only within a class"},
	{"an unknown posix class", `[[:foo:]]`, 3, "unknown POSIX class name"},
	{"an unknown escape", `\y`, 1, `unrecognized character follows \`},
	{"a Perl escape", `\u0041`, 2, noPerlEscape},
	{"a backslash at the end", `a\`, 2, `\ at end of pattern`},
	{"an unclosed group", `^/(a`, 4, "missing closing parenthesis"},
	{"a group closed twice", `^/a)`, 3, "unmatched closing parenthesis"},
	{"nothing to repeat", `*.php`, 0, "quantifier does not follow a repeatable item"},
	{"a quantifier twice", `a**`, 2, "quantifier does not follow a repeatable item"},
	{"an anchor repeated", `^*`, 1, "quantifier does not follow a repeatable item"},
	{"numbers backwards", `a{3,2}`, 5, "numbers out of order in {} quantifier"},
	{"a number too big", `a{65536}`, 7, "number too big in {} quantifier"},
	{"a name that starts with a digit", `(?<1a>b)`, 3, "subpattern name must start with a non-digit"},
	{"a name with a hyphen", `(?<a-b>c)`, 4, "syntax error in subpattern name (missing terminator?)"},
	{"a name twice", `(?<a>b)(?<a>c)`, 12, "two named subpatterns have the same name (PCRE2_DUPNAMES not set)"},
	{"an unknown option", `(?q)`, 2, "unrecognized character after (? or (?-"},
	{"a group that is not there", `(a)\2`, 4, "reference to non-existent subpattern"},
	{"a lookbehind of any length", `(?<=a+)b`, 0, "lookbehind assertion is not fixed length"},
	{"three ways of a condition", `(a)?(?(1)b|c|d)`, 4, "conditional subpattern contains more than two branches"},
	{"a byte above 255", `\x{100}`, 6, `character code point value in \x{} or \o{} is too large`},
	{"an unknown verb", `(*FOO)`, 5, "(*VERB) not recognized or malformed"},
	{`\K in a lookaround`, `(?=a\K)`, 7, `\K is not allowed in lookarounds (but see PCRE2_EXTRA_ALLOW_LOOKAROUND_BSK)`},
	{"a comment without end", `a(?#b`, 5, "missing ) after (?# comment"},
}

func TestInvalidPatterns(t *testing.T) {
	for _, i := range invalid {
		t.Run(i.sentence, func(t *testing.T) {
			_, err := Compile(i.pattern, false)
			var refused *SyntaxError
			require.ErrorAs(t, err, &refused)
			assert.Equal(t, SyntaxError{Pattern: i.pattern, Offset: i.offset, Message: i.message}, *refused)
		})
	}
}

func TestInvalidPatternsAreSoInPCRE2(t *testing.T) {
	o := newOracle(t)
	for _, i := range invalid {
		v := o.ask(t, i.pattern, false)
		assert.Equal(t, i.message, v.message, i.sentence)
		assert.Equal(t, i.offset, v.offset, i.sentence)
	}
}
