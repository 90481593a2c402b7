package want

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	wants, err := Parse("a.conf", "limit_req zone=a; # want NGL401 \"drops \\\"b\\\"\" NGL101 \"undefined\"\n# want +1 NGL402 \"never\"\n\nx;\n")
	require.NoError(t, err)
	require.Len(t, wants, 3)
	assert.Equal(t, 1, wants[0].Line)
	assert.Equal(t, `drops "b"`, wants[0].Message.String())
	assert.Equal(t, "NGL101", wants[1].Rule)
	assert.Equal(t, 3, wants[2].Line)
}

func TestParseRefusesWhatItWouldOtherwiseIgnore(t *testing.T) {
	for _, text := range []string{`# want NGL4 "x"`, `# want NGL401 x`, `# want NGL401 "("`, `# want NGL401 "a" b`, `# want`} {
		_, err := Parse("a.conf", text)
		assert.Error(t, err, text)
	}
}

func TestDiff(t *testing.T) {
	wants, err := Parse("a.conf", `x; # want NGL401 "drops"`)
	require.NoError(t, err)
	hit := Got{File: "a.conf", Line: 1, Rule: "NGL401", Message: "this drops zone b"}
	assert.Empty(t, Diff(wants, []Got{hit}))
	assert.Len(t, Diff(wants, nil), 1, "a missing finding is a fault")
	assert.Len(t, Diff(wants, []Got{hit, hit}), 1, "a second finding needs a second expectation")
	hit.Line = 2
	assert.Len(t, Diff(wants, []Got{hit}), 2, "a finding on another line is both unexpected and missing")
}
