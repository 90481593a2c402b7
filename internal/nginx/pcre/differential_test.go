package pcre

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// tally counts what a differential run found.
type tally struct {
	patterns, refused, invalid int
	fast, backed               int // rows
	offsets, messages          int // syntax errors that stand elsewhere or are worded otherwise than PCRE2's
	limits                     int // rows where one of the two gave up
	wrongFast, wrongBacked     []string
	wrongCompile               []string
	reasons                    map[string]int
}

func (c *tally) String() string {
	return fmt.Sprintf("%d patterns (%d refused, %d invalid, %d of them with another offset, %d with another message); %d fast rows, %d wrong; %d backtracked rows, %d wrong; %d differ in compiling; %d at the match limit",
		c.patterns, c.refused, c.invalid, c.offsets, c.messages, c.fast, len(c.wrongFast), c.backed, len(c.wrongBacked), len(c.wrongCompile), c.limits)
}

const subjectsPerPattern = 4

// run compares n rows.
func run(t *testing.T, g *generator, n int) *tally {
	t.Helper()
	o := newOracle(t)
	c := &tally{reasons: map[string]int{}}
	for c.fast+c.backed < n {
		pattern, caseless := g.pattern(), g.IntN(3) == 0
		subjects := make([]string, subjectsPerPattern)
		for i := range subjects {
			subjects[i] = g.subject()
		}
		c.compare(o.ask(t, pattern, caseless, subjects...), pattern, caseless, subjects)
	}
	return c
}

func (c *tally) compare(want verdictOf, pattern string, caseless bool, subjects []string) {
	c.patterns++
	re, err := Compile(pattern, caseless)
	var refused *UnsupportedError
	var invalid *SyntaxError
	switch {
	case errors.As(err, &refused):
		c.refused++
		c.reasons[refused.Construct]++
		return
	case errors.As(err, &invalid):
		c.invalid++
		if want.code != 0 && want.message != invalid.Message {
			c.messages++
			if os.Getenv("PCRE_OFFSETS") != "" {
				fmt.Printf("%q: here %s, PCRE2 %s\n", pattern, invalid.Message, want.message)
			}
		} else if want.code == 0 {
			c.wrongCompile = append(c.wrongCompile, fmt.Sprintf("%q: here %v, PCRE2 %d %s", pattern, err, want.code, want.message))
		} else if want.offset != invalid.Offset {
			c.offsets++
			if os.Getenv("PCRE_OFFSETS") != "" {
				fmt.Printf("%q: here %d, PCRE2 %d %s\n", pattern, invalid.Offset, want.offset, want.message)
			}
		}
		return
	case want.code != 0 || re.NumCaptures() != want.groups:
		c.wrongCompile = append(c.wrongCompile, fmt.Sprintf("%q: accepted here, PCRE2 %s (%d groups)", pattern, want.message, want.groups))
		return
	}
	for i, s := range subjects {
		c.compareRow(re, caseless, s, want.rows[i])
	}
}

func (c *tally) compareRow(re *Regex, caseless bool, subject string, want row) {
	got, caps := re.Match([]byte(subject), []int{})
	bare, _ := re.Match([]byte(subject), nil)
	same := got == want.result && bare == got && slices.Equal(visible(re, caps), visible(re, want.caps))
	line := fmt.Sprintf("%q caseless=%v on %q: here %v %v (bare %v), PCRE2 %v %v", re, caseless, subject, got, caps, bare, want.result, want.caps)
	if want.code == matchLimit || got == Failed && !re.utf {
		c.limits++ // other engines search in another order, or in linear time
		return
	}
	if re.pick([]byte(subject)) != nil {
		c.fast++
		if !same {
			c.wrongFast = append(c.wrongFast, line)
		}
		return
	}
	c.backed++
	if !same {
		c.wrongBacked = append(c.wrongBacked, line)
	}
}

// visible drops the start of the whole match where \K moves it: nginx has no
// variable for it.
func visible(re *Regex, caps []int) []int {
	if len(caps) > 0 && strings.Contains(re.String(), `\K`) {
		return caps[1:]
	}
	if len(caps) == 0 {
		return nil
	}
	return caps
}

// rows is how many rows to compare: PCRE_ROWS, or few enough for every run.
func rows(few int) int {
	if n, err := strconv.Atoi(os.Getenv("PCRE_ROWS")); err == nil {
		return n
	}
	return few
}

func seed() uint64 {
	if n, err := strconv.ParseUint(os.Getenv("PCRE_SEED"), 10, 64); err == nil {
		return n
	}
	return 20221
}

func TestRandomPatternsMatchAsInPCRE2(t *testing.T) {
	for stream, g := range []*generator{
		{kind: "that RE2 can express"},
		{kind: "of Perl", perl: true},
		{kind: "under UTF", utf: true, perl: true},
		{kind: "with nested repeats", loops: true},
		{kind: "of Perl with nested repeats", perl: true, loops: true},
	} {
		t.Run(g.kind, func(t *testing.T) {
			g.Rand = rand.New(rand.NewPCG(seed(), uint64(stream)))
			c := run(t, g, rows(10_000))
			t.Log(c)
			report(t, c)
		})
	}
}

func TestRandomTextCompilesAsInPCRE2(t *testing.T) {
	g := &generator{Rand: rand.New(rand.NewPCG(seed(), 4))}
	o := newOracle(t)
	c := &tally{reasons: map[string]int{}}
	for range rows(10_000) {
		pattern, caseless := g.text(), g.IntN(3) == 0
		c.compare(o.ask(t, pattern, caseless), pattern, caseless, nil)
	}
	t.Log(c)
	report(t, c)
}

func report(t *testing.T, c *tally) {
	t.Helper()
	for _, w := range c.wrongFast[:min(20, len(c.wrongFast))] {
		t.Error("fast path:", w)
	}
	for _, w := range c.wrongCompile[:min(20, len(c.wrongCompile))] {
		t.Error("compiling:", w)
	}
	assert.Less(t, 200*c.messages, c.invalid+200, "few errors are worded otherwise")
	for _, w := range c.wrongBacked[:min(30, len(c.wrongBacked))] {
		t.Error("backtracked:", w)
	}
	t.Log("refused:", c.reasons)
}
