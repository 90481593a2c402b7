package pcre

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestAMemoAnswersAsThePatternDoes(t *testing.T) {
	patterns := []string{`^(a+)(b)?`, `(?!a)(.)$`, `^/(\w)/\1$`, `(*UTF)a`}
	rapid.Check(t, func(t *rapid.T) {
		re, err := Compile(rapid.SampledFrom(patterns).Draw(t, "pattern"), false)
		require.NoError(t, err)
		memo := NewMemo(re, rapid.IntRange(0, 6).Draw(t, "entries"))
		for range 40 {
			subject := []byte(rapid.StringOfN(rapid.SampledFrom([]rune("ab/\n\u00e9")), 0, 3, -1).Draw(t, "subject"))
			want, caps := re.Match(subject, []int{})
			result, remembered := memo.Match(subject)
			assert.Equal(t, want, result)
			assert.Equal(t, append([]int(nil), caps...), append([]int(nil), remembered...))
			assert.LessOrEqual(t, len(memo.young)+len(memo.old), 6)
		}
	})
}

func TestAMemoKeepsWhatIsUsed(t *testing.T) {
	re, err := Compile(`^x(\d+)$`, false)
	require.NoError(t, err)
	memo := NewMemo(re, 10)
	for i := range 1000 {
		memo.Match(fmt.Append(nil, "x", i))
		memo.Match([]byte("x7"))
	}
	assert.LessOrEqual(t, len(memo.young)+len(memo.old), 10)
	_, young := memo.young["x7"]
	_, old := memo.old["x7"]
	assert.True(t, young || old)
	assert.Equal(t, re, memo.Regex())
}

func TestALongSubjectIsNotKept(t *testing.T) {
	re, err := Compile(`^a`, false)
	require.NoError(t, err)
	memo := NewMemo(re, 10)
	result, caps := memo.Match(append([]byte("a"), make([]byte, maxSubject)...))
	assert.Equal(t, Match, result)
	assert.Equal(t, []int{0, 1}, caps)
	assert.Empty(t, memo.young)
}

func TestARememberedAnswerAllocatesNothing(t *testing.T) {
	for _, pattern := range []string{`^/(a|b)/(.*)$`, `^/(?!x)(a|b)/`} {
		re, err := Compile(pattern, true)
		require.NoError(t, err)
		memo := NewMemo(re, 100)
		subject := []byte("/A/r\xc3\xa9sum\xc3\xa9")
		memo.Match(subject)
		assert.Zero(t, testing.AllocsPerRun(100, func() { memo.Match(subject) }))
	}
}
