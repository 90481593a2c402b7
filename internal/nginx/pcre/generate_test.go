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
	kind   string
	perl   bool // constructs beyond RE2 too
	utf    bool // under (*UTF)
	loops  bool // little but nested repeats, many of them of nothing
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

var perlAtoms = []string{
	`\R`, `\1`, `\2`, `\g{-1}`, `(?=a)`, `(?!b)`, `(?<=a)`, `(?<!k)`, `(?>a|ab)`, `(*F)`, `\g1`, `[[:<:]]`, `[[:>:]]`,
	`(*pla:a)`, `(*nla:b)`, `(*plb:a)`, `(*negative_lookbehind:b)`, `(*atomic:a|ab)`, `(?P<p>a)`, `(?P=p)`, `(?(p)a|b)`, `(?(<p>)a)`, `(?(-1)a|b)`, `(?(+1)a)`,
}

var repeats = []string{"*", "+", "?", "*?", "+?", "??", "{2}", "{1,2}", "{0,2}", "{2,}", "{0}", "{,3}", "{1,2}?", "{1}"}

var perlRepeats = []string{"*+", "++", "?+", "{1,2}+"}

func (g *generator) pick(from []string) string { return from[g.IntN(len(from))] }

// pattern gives a whole pattern.
func (g *generator) pattern() string {
	g.groups = 0
	if g.utf {
		return "(*UTF)" + strings.ToValidUTF8(g.alternatives(2), "日")
	}
	if g.loops {
		return g.alternatives(2) // PCRE2 needs seconds for some that are deeper
	}
	return g.alternatives(3)
}

func (g *generator) alternatives(depth int) string {
	n := 1
	if g.IntN(4) == 0 || g.loops && g.IntN(2) == 0 {
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
	for range g.IntN(4) + 1 - g.empty() {
		if !g.loops && g.IntN(7) == 0 {
			b.WriteString(g.pick(anchors))
			continue
		}
		atom := g.atom(depth)
		b.WriteString(atom)
		if g.IntN(3) == 0 && (!g.loops || !strings.Contains("^$", atom) && len(atom) < 5) {
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

// empty is now and then 1 when nothing is a good thing to repeat.
func (g *generator) empty() int {
	if g.loops {
		return g.IntN(2)
	}
	return 0
}

func (g *generator) atom(depth int) string {
	switch {
	case g.loops && depth > 0 && g.IntN(2) == 0:
		return g.parenthesis(depth-1) + g.repeat()
	case g.loops:
		return g.pick([]string{"a", "b", ".", "[ab]", "$", "^"})
	case depth > 0 && g.IntN(4) == 0:
		return g.parenthesis(depth - 1)
	case g.perl && g.IntN(5) == 0:
		return g.pick(perlAtoms)
	}
	if g.utf && g.IntN(4) == 0 {
		return g.pick([]string{"µ", "ſ", "ÿ", "ς", "ǆ", "[à-ÿ]", "[^é]", "[α-ω]", `\x{212a}`, "[\u0130-\u0131]", "日", "[^日]", "𐐀", `[\x{100}-\x{10ffff}]`})
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

var abc = []string{"a", "a", "a", "b", "b", "k"}

var letters = []string{
	"a", "a", "a", "b", "b", "k", "K", "s", "S", "/", "-", "_", ".", "1", " ", "\n", "\n", "\v", "\t", "\r", "é", "\xff", "\x85", "\xe9", "\xa0", "\xb5", "A", "B", "\x00", "\u212a", "ſ",
}

// subject gives a short text, now and then with a newline at the end.
func (g *generator) subject() string {
	var b strings.Builder
	for range g.IntN(8) {
		switch {
		case g.loops:
			b.WriteString(g.pick(abc))
		case g.utf:
			b.WriteString(g.pick(characters))
		default:
			b.WriteString(g.pick(letters))
		}
	}
	if g.IntN(6) == 0 {
		b.WriteByte('\n')
	}
	if g.utf && g.IntN(20) == 0 {
		b.WriteString(g.pick([]string{"\xff", "\xc3", "\xed\xa0\x80", "\xf4\x90\x80\x80"}))
	}
	return b.String()
}

var characters = []string{
	"a", "a", "b", "k", "K", "s", "S", "/", "1", " ", "\n", "\v", "\u212a", "ſ", "é", "É", "ß", "ẞ", "µ", "μ", "Μ", "ÿ", "Ÿ",
	"ǅ", "Σ", "ς", "İ", "ı", "日", "𐐀", "𐐨", "\u0085", "\u00a0", "\u2028", "\u3000", "\u180e", "\U0010ffff",
}

// fragments are what syntax errors are made of.
var fragments = []string{
	"(", "(", ")", ")", "[", "]", "{", "}", "*", "+", "?", `\`, "|", "^", "$", ".", "-", ":", "=", "!", "<", ">", "'", "#", "&", "a", "b", "1", "2", "0", ",",
	"(?", "(?:", "(?<", "(?P<", "(?P=", "(?P>", "(?'", "(?<n>", "(?<=", "(?!", "(?|", "(?(", "(?(1)", "(?i", "(?x)", "(?xx)", "(?-", "(?^", "(?J)", "(?n)", "(?#", "(?>", "(*", "(*F)", "(*UTF)", "(*pla:",
	"[:alpha:]", "[:", ":]", "[.", "[=", "[^", "[]", "a-", "-]", "z-a",
	`\1`, `\2`, `\12`, `\8`, `\400`, `\0`, `\g`, `\g{`, `\g{-1}`, `\g{n}`, `\g<1>`, `\k`, `\k<n>`, `\k{n}`, `\k'n'`, `\x`, `\x{`, `\x{4}`, `\x{100}`, `\o`, `\o{`, `\o{7}`, `\c`, `\p`, `\p{`, `\p{L}`, `\pL`,
	`\N`, `\N{`, `\Q`, `\E`, `\K`, `\R`, `\X`, `\C`, `\G`, `\A`, `\b`, `\B`, `\z`, `\Z`, `\d`, `\w`, `\s`, `\h`, `\y`, `\i`, `\L`, `\u`, `\e`, `\_`, `\-`, `\é`,
	"{2}", "{2,}", "{,2}", "{3,2}", "{99999}", "n", "R", "P", "é", "\n", " ",
}

// text gives a pattern that is more likely wrong than not.
func (g *generator) text() string {
	var b strings.Builder
	for range g.IntN(7) + 1 {
		b.WriteString(g.pick(fragments))
	}
	return b.String()
}
