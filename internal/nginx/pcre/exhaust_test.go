package pcre

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var exhausting = []struct {
	pattern, near string
	exhausts      bool
}{
	{`^/cat/(a+)+$`, "/cat/" + strings.Repeat("a", 40) + "!", true},
	{`^(?:[a-z]+)*$`, strings.Repeat("a", 40) + "!", true},
	{`^(?:a+b?)+$`, strings.Repeat("a", 40) + "!", true},
	{`^(?:b|a+)+$`, strings.Repeat("a", 40) + "!", true},
	{`^(?:(?:a{2,}){2})+$`, strings.Repeat("a", 81) + "!", true},
	{`^(?:a+/)+$`, strings.Repeat("a", 40) + "!", false},
	{`^(?:/[^/]+)*$`, strings.Repeat("/a", 40) + "//", false},
	{`^(?:a++)+$`, strings.Repeat("a", 40) + "!", false},
	{`^(?>a+)+$`, strings.Repeat("a", 40) + "!", false},
	{`^(?:(?=a*)b)+$`, strings.Repeat("b", 40) + "!", false},
	{`^(.*)/(.*)/(.*)$`, strings.Repeat("/", 40) + "\n\n", false},
}

func TestPatternsThatMayExhaustTheMatchLimit(t *testing.T) {
	for _, c := range exhausting {
		re, err := Compile(c.pattern, false)
		require.NoError(t, err)
		assert.Equal(t, c.exhausts, re.MayExhaust(), c.pattern)
	}
}

func TestPCRE2ReachesItsLimitOnThem(t *testing.T) {
	o := newOracle(t)
	for _, c := range exhausting {
		result := o.ask(t, c.pattern, false, c.near).rows[0].result
		assert.Equal(t, c.exhausts, result == Failed, "%s: %v", c.pattern, result)
	}
}
