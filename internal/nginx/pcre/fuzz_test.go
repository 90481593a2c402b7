package pcre

import (
	"errors"
	"testing"

	"github.com/dlclark/regexp2/v2"
	"github.com/stretchr/testify/assert"
)

// FuzzCompile looks for panics, hangs and answers out of bounds.
func FuzzCompile(f *testing.F) {
	for _, c := range facts {
		f.Add(c.pattern, c.caseless, c.subject)
	}
	for _, c := range invalid {
		f.Add(c.pattern, false, "")
	}
	for _, c := range refusals {
		f.Add(c.pattern, true, "ab")
	}
	f.Cleanup(regexp2.StopTimeoutClock)
	f.Fuzz(func(t *testing.T, pattern string, caseless bool, subject string) {
		if len(pattern) > 200 || len(subject) > 40 {
			return // what is slow here is slow in PCRE2 too
		}
		re, err := Compile(pattern, caseless)
		if err != nil {
			var invalid *SyntaxError
			var refused *UnsupportedError
			assert.True(t, errors.As(err, &invalid) || errors.As(err, &refused), "%T", err)
			if invalid != nil {
				assert.LessOrEqual(t, invalid.Offset, len(pattern))
				assert.GreaterOrEqual(t, invalid.Offset, 0)
			}
			return
		}
		result, caps := re.Match([]byte(subject), []int{})
		if result != Match {
			assert.Empty(t, caps)
			return
		}
		assert.Len(t, caps, 2*re.NumCaptures()+2)
		for _, at := range caps {
			assert.True(t, at >= -1 && at <= len(subject), "offset %d", at)
		}
	})
}
