package pcre

import (
	"errors"
	"fmt"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
)

// matchTime stands for PCRE2's match limit of 10,000,000 steps, which regexp2
// has no count for. It is many times what PCRE2 takes to reach its limit, so
// that only a pattern that nginx gives up on too should run into it; which
// subjects do is the one answer here that depends on the machine.
const matchTime = 2 * time.Second

// maxStack bounds the memory of one match, in integers; it stands for PCRE2's
// heap limit of 20,000 kB.
const maxStack = 4 << 20

// backtracker is a translation that regexp2 runs.
type backtracker struct {
	re    *regexp2.Regexp
	slots []int
}

func compileBacktracker(p *parsed) (*backtracker, error) {
	expr, slots, refused := translate(p, dialectBacktrack)
	if refused != "" {
		return nil, errors.New(refused)
	}
	re, err := regexp2.Compile(expr, regexp2.OptionMaintainCaptureOrder(),
		regexp2.OptionMaxBacktrackingStackSize(maxStack))
	if err != nil {
		return nil, fmt.Errorf("a construct that the backtracking engine refuses (%w)", err)
	}
	re.MatchTimeout = matchTime
	return &backtracker{re: re, slots: slots}, nil
}

// scratch is what one match needs, kept between matches.
type scratch struct {
	runes []rune
	loc   []int
	found bool
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// match appends the groups to caps unless it is nil. A panic of the engine is a
// failed match.
func (b *backtracker) match(re *Regex, subject []byte, caps []int) (result Result, out []int) {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	defer func() {
		if recover() != nil {
			result, out = Failed, caps
		}
	}()
	s.load(subject, re.utf)
	if caps == nil {
		ok, err := b.re.MatchRunes(s.runes)
		return verdict(ok, err), nil
	}
	s.found = false
	err := b.re.FindRunesMatches(s.runes, 0, func(v regexp2.MatchView) bool {
		s.take(v, len(b.slots))
		return false
	})
	if result = verdict(s.found, err); result != Match {
		return result, caps
	}
	if re.utf {
		s.toBytes()
	}
	return Match, place(caps, re.captures, b.slots, s.loc)
}

func verdict(ok bool, err error) Result {
	switch {
	case err != nil: // out of time or of stack
		return Failed
	case ok:
		return Match
	}
	return NoMatch
}

// load turns the subject into characters of the engine's alphabet.
func (s *scratch) load(subject []byte, utf bool) {
	s.runes = s.runes[:0]
	if utf {
		for _, r := range string(subject) {
			s.runes = append(s.runes, r)
		}
		return
	}
	for _, c := range subject {
		r := rune(c)
		if c >= utf8.RuneSelf {
			r += highBytes
		}
		s.runes = append(s.runes, r)
	}
}

// take copies the positions of the groups, counted in characters.
func (s *scratch) take(v regexp2.MatchView, groups int) {
	s.found = true
	s.loc = s.loc[:0]
	for g := range groups + 1 {
		index, length, ok := v.GroupRange(g)
		if !ok {
			s.loc = append(s.loc, -1, -1)
			continue
		}
		s.loc = append(s.loc, index, index+length)
	}
}

// toBytes turns positions in characters into positions in bytes.
func (s *scratch) toBytes() {
	for i, at := range s.loc {
		n := 0
		for _, r := range s.runes[:max(at, 0)] {
			n += utf8.RuneLen(r)
		}
		if at >= 0 {
			s.loc[i] = n
		}
	}
}
