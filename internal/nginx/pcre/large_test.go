package pcre

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhatMayBeTooLargeIsRefused(t *testing.T) {
	for _, pattern := range []string{`(?:ab){6600}`, `(?:a{1000}b){6000}`, `(?:(?:ab){300}){300}`, `(a|[bc]){2000}`} {
		_, err := Compile(pattern, false)
		var refused *UnsupportedError
		require.ErrorAs(t, err, &refused, pattern)
		assert.Equal(t, "a size that may be beyond PCRE2's limit", refused.Construct)
		assert.Equal(t, "regular expression is too large", newOracle(t).ask(t, pattern, false).message, pattern)
	}
}

func TestTheLongestListsOfNamesAreNotTooLarge(t *testing.T) {
	pattern := "(" + strings.Repeat("examplebot|", 360) + "zebra)"
	require.Less(t, len(pattern), 4096, "nginx reads no longer argument")
	re, err := Compile(pattern, true)
	require.NoError(t, err)
	result, _ := re.Match([]byte("ZEBRA"), nil)
	assert.Equal(t, Match, result)
	assert.Zero(t, newOracle(t).ask(t, pattern, true).code)
}
