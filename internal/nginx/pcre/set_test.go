package pcre

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestEveryClassHasTheBytesOfPCRE2 asks for each of the 256 bytes.
func TestEveryClassHasTheBytesOfPCRE2(t *testing.T) {
	o := newOracle(t)
	var patterns []string
	for name := range strings.FieldsSeq("alpha lower upper alnum ascii blank cntrl digit graph print punct space word xdigit") {
		patterns = append(patterns, "^[[:"+name+":]]", "^[[:^"+name+":]]", "^[^[:"+name+":]x]")
	}
	for escape := range strings.SplitSeq("dDwWsShHvV", "") {
		patterns = append(patterns, `^\`+escape, `^[\`+escape+`]`, `^[^\`+escape+`\x80]`)
	}
	for name := range strings.FieldsSeq(categories) {
		patterns = append(patterns, `^\p{`+name+`}`, `^\P{`+name+`}`, `^[\p{^`+name+`}x]`)
	}
	for _, c := range ".kKsSz@[`{\xe9\xff\x00" {
		patterns = append(patterns, "^"+string(c))
	}
	patterns = append(patterns, `^\N`, `^\C`, `(?s)^.`, `^[A-z]`, `^[^A-z]`, `^[\x00-\x7f]`, `^[\x00-\xff]`, `^[^\x00-\xff]`, `^[W-c]`)
	subjects := make([]string, 256)
	for i := range subjects {
		subjects[i] = string([]byte{byte(i)})
	}
	for _, pattern := range patterns {
		for _, caseless := range []bool{false, true} {
			compareBytes(t, o, pattern, caseless, subjects)
		}
	}
}

func compareBytes(t *testing.T, o *oracle, pattern string, caseless bool, subjects []string) {
	t.Helper()
	want := o.ask(t, pattern, caseless, subjects...)
	re, err := Compile(pattern, caseless)
	var refused *SyntaxError
	invalid := errors.As(err, &refused)
	if invalid || caseless && err != nil {
		assert.Equal(t, invalid, want.code != 0, "%q: %v", pattern, err)
		return // of the properties, those of case
	}
	require.NoError(t, err)
	require.Zero(t, want.code, "%q: %s", pattern, want.message)
	p, err := parse(pattern, caseless)
	require.NoError(t, err)
	b, err := compileBacktracker(p)
	require.NoError(t, err)
	for i, s := range subjects {
		result, _ := re.Match([]byte(s), nil)
		assert.Equal(t, want.rows[i].result, result, "%q caseless=%v on %q", pattern, caseless, s)
		result, _ = b.match(re, []byte(s), nil)
		assert.Equal(t, want.rows[i].result, result, "%q caseless=%v on %q, backtracked", pattern, caseless, s)
	}
}

func TestComplementsAndUnions(t *testing.T) {
	assert.Equal(t, set{{0, 'a' - 1}, {'c', maxByte}}, set{{'a', 'b'}}.not(maxByte))
	assert.Nil(t, set{{0, maxByte}}.not(maxByte))
	assert.Equal(t, set{{0, maxByte}}, set(nil).not(maxByte))
	assert.Equal(t, set{{'a', 'e'}, {'g', 'g'}}, set{{'g', 'g'}, {'c', 'e'}, {'a', 'b'}}.normal(), "adjacent ones join")
	assert.Equal(t, set{{'K', 'K'}, {'k', 'k'}}, single('k').fold(false))
	assert.Equal(t, set{{'K', 'K'}, {'k', 'k'}, {'\u212a', '\u212a'}}, single('k').fold(true))
}
