package pcre

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator makes patterns and subjects that have a fair chance to match each
// other and to meet every difference between engines that is known.
type generator struct {
	*rand.Rand
	perl   bool // constructs beyond RE2 too
	groups int
}

// atoms are pieces of patterns that both engines write alike or nearly so.
var atoms = []string{
	"a", "b", "k", "s", "S", "K", "/", "-", "_", "1", `\.`, "é", "\xff", " ", "\n", "\x85",
	".", ".", `\w`, `\W`, `\d`, `\D`, `\s`, `\S`, `\h`, `\H`, `\v`, `\V`, `\N`,
	`\n`, `\t`, `\x0b`, `\x{e9}`, `\xff`, `\013`, `\o{12}`, `\cK`, `\e`, `\Qa.\E`, `\Q\E`,
	"[ab]", "[^ab]", "[^/]", "[a-k]", "[^a-k]", `[\w.]`, `[^\w]`, `[\s/]`, `[^\S]`, `[\x80-\xff]`, `[^\x80-\xff]`,
	"[[:alpha:]]", "[[:^alpha:]_]", "[[:upper:]]", "[[:space:]]", "[[:punct:]]", "[k-s]", "[K]", `[\n\v]`, "[^\n]", "[]a]", "[^]a]", "[a\\]b]",
	`[\h]`, `[\v]`, `[^\H]`, `[\b-]`, "[é]", "[^é]", "[a-]", `[\d-]`, `\C`, `\pL`, `\PL`, `\p{Lu}`, `[\p{Nd}a]`, "(?#x)",
}

var anchors = []string{"^", "$", `\A`, `\z`, `\Z`, `\b`, `\B`, `\G`, `\K`, "(?i)", "(?-i)", "(?s)", "(?m)", "(?x)", "(?U)", "(?^)", "(?-s)"}

var perlAtoms = []string{`\R`, `\1`, `\2`, `\g{-1}`, `(?=a)`, `(?!b)`, `(?<=a)`, `(?<!k)`, `(?>a|ab)`, `(*F)`, `\g1`, `[[:<:]]`, `[[:>:]]`}

var repeats = []string{"*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}", "{2,}", "{0}", "{,3}", "{1,2}?", "{1}"}

var perlRepeats = []string{"*+", "++", "?+", "{1,2}+"}

func (g *generator) pick(from []string) string { return from[g.IntN(len(from))] }

// pattern gives a whole pattern.
func (g *generator) pattern() string {
	g.groups = 0
	return g.alternatives(3)
}

func (g *generator) alternatives(depth int) string {
	n := 1
	if g.IntN(4) == 0 {
		n += 1 + g.IntN(2)
	}
	parts := make([]string, n)
	for i := range parts {
		parts[i] = g.sequence(depth)
	}
	return strings.Join(parts, "|")
}

func (g *generator) sequence(depth int) string {
	var b strings.Builder
	for range g.IntN(4) + 1 {
		if g.IntN(7) == 0 {
			b.WriteString(g.pick(anchors))
			continue
		}
		b.WriteString(g.atom(depth))
		if g.IntN(3) == 0 {
			b.WriteString(g.repeat())
		}
	}
	return b.String()
}

func (g *generator) repeat() string {
	if g.perl && g.IntN(5) == 0 {
		return g.pick(perlRepeats)
	}
	return g.pick(repeats)
}

func (g *generator) atom(depth int) string {
	switch {
	case depth > 0 && g.IntN(4) == 0:
		return g.parenthesis(depth - 1)
	case g.perl && g.IntN(5) == 0:
		return g.pick(perlAtoms)
	}
	return g.pick(atoms)
}

func (g *generator) parenthesis(depth int) string {
	inner := g.alternatives(depth)
	if g.perl {
		if open := g.pick([]string{"", "", "(?>", "(?=", "(?!", "(?<=", "(?<!", "(?|", "(?(1)", "(?(?=a)"}); open != "" {
			return open + inner + ")"
		}
	}
	switch g.IntN(5) {
	case 0:
		return "(?:" + inner + ")"
	case 1:
		return "(?i:" + inner + ")"
	case 2:
		g.groups++
		return fmt.Sprintf("(?<n%d>%s)", g.groups, inner)
	}
	return "(" + inner + ")"
}

var letters = []string{
	"a", "a", "a", "b", "b", "k", "K", "s", "S", "/", "-", "_", ".", "1", " ", "\n", "\n", "\v", "\t", "\r", "é", "\xff", "\x85", "\xe9", "\xa0", "\xb5", "A", "B", "\x00", "K", "ſ",
}

// subject gives a short text, now and then with a newline at the end.
func (g *generator) subject() string {
	var b strings.Builder
	for range g.IntN(8) {
		b.WriteString(g.pick(letters))
	}
	if g.IntN(6) == 0 {
		b.WriteByte('\n')
	}
	return b.String()
}
