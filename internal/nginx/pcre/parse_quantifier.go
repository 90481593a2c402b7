package pcre

import "strings"

// maxCount is PCRE2's MAX_REPEAT_COUNT.
const maxCount = 65535

type quantifier struct {
	min, max int
	mode     mode
	end      int // offset after the quantifier proper, before ? or +
}

// quantifier reads one if the pattern goes on with one. A "{" that starts none
// is a literal; so is {,3} up to PCRE2 10.42.
func (p *parser) quantifier() (quantifier, bool, error) {
	var q quantifier
	switch c := p.src[p.pos]; {
	case c == '*':
		q = quantifier{min: 0, max: unbounded}
	case c == '+':
		q = quantifier{min: 1, max: unbounded}
	case c == '?':
		q = quantifier{min: 0, max: 1}
	case c == '{' && countedLength(p.src[p.pos:]) > 0:
		return p.counted()
	default:
		return q, false, nil
	}
	p.pos++
	return p.suffix(q), true, nil
}

// countedLength is the length of {n}, {n,} or {n,m} at the start of s, or 0.
func countedLength(s string) int {
	i := 1 + digits(s[1:])
	if i == 1 {
		return 0
	}
	if i < len(s) && s[i] == ',' {
		i++
		i += digits(s[i:])
	}
	if i < len(s) && s[i] == '}' {
		return i + 1
	}
	return 0
}

// digits counts the decimal digits that s starts with.
func digits(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}

func (p *parser) counted() (quantifier, bool, error) {
	var q quantifier
	var err error
	p.pos++
	if q.min, err = p.count(); err != nil {
		return q, false, err
	}
	q.max = q.min
	if p.eat(",") {
		q.max = unbounded
		if !p.peek("}") {
			if q.max, err = p.count(); err != nil {
				return q, false, err
			}
			if q.max < q.min {
				return q, false, p.fail(p.pos, "numbers out of order in {} quantifier")
			}
		}
	}
	p.pos++
	return p.suffix(q), true, nil
}

func (p *parser) count() (int, error) {
	n := 0
	for ; p.more() && isDigit(p.src[p.pos]); p.pos++ {
		if n = n*10 + int(p.src[p.pos]-'0'); n > maxCount {
			p.pos++
			return 0, p.fail(p.pos, "number too big in {} quantifier")
		}
	}
	return n, nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// suffix reads the ? or + after a quantifier, which need not follow at once.
func (p *parser) suffix(q quantifier) quantifier {
	q.end = p.pos
	for p.skipExtended() || p.eat(`\E`) || p.eat(`\Q\E`) || p.skipComment() {
	}
	switch {
	case p.eat("+"):
		q.mode = possessive
	case p.eat("?") != p.flags.ungreedy:
		q.mode = lazy
	}
	return q
}

// repeat applies q.
func repeat(n *node, q quantifier) *node {
	if n.edge {
		return &node{kind: kindCat, subs: []*node{n.subs[0], repeat(n.subs[1], q)}}
	}
	if n.kind == kindLook {
		n.varies = n.behind && q.min != q.max
		q = lookQuantifier(n, q)
	}
	if q.min == 1 && q.max == 1 && q.mode != possessive {
		return n
	}
	return &node{kind: kindRepeat, subs: []*node{n}, min: q.min, max: q.max, mode: q.mode}
}

// lookQuantifier reduces the rounds of a lookaround to one where the others
// cannot differ; without a bound PCRE2 makes one more than it must.
func lookQuantifier(n *node, q quantifier) quantifier {
	if q.max == unbounded {
		q.max = q.min + 1
	}
	if n.has(isCapture) && n.has(isReference) {
		return q // a round may see what the one before has captured
	}
	q.min, q.max = min(q.min, 1), min(q.max, 1)
	if q.min == 1 {
		q.max = 1
	}
	return q
}
