package glob

import "strings"

// set matches a byte against a bracket expression; used is 0 if the bracket
// is not closed and so stands for itself.
func set(pattern string, ch byte) (used int, ok bool) {
	i := 1
	negated := i < len(pattern) && (pattern[i] == '!' || pattern[i] == '^')
	if negated {
		i++
	}
	found := false
	for first := true; i < len(pattern); first = false {
		if pattern[i] == ']' && !first {
			return i + 1, found != negated
		}
		n, in := item(pattern[i:], ch)
		switch {
		case n == 0:
			return 0, false
		case n < 0:
			return 1, false // glibc matches nothing then
		}
		found = found || in
		i += n
	}
	return 0, false
}

// item matches one class, range or byte of a bracket expression; used is 0 if
// it is cut short, negative if it is a collating element of no single byte.
func item(s string, ch byte) (used int, ok bool) {
	if n, in := element(s, ch); n != 0 {
		return n, in
	}
	if n, in := class(s, ch); n > 0 {
		return n, in
	}
	lo, used := member(s)
	if used == 0 || used+1 >= len(s) || s[used] != '-' || s[used+1] == ']' {
		return used, lo == ch
	}
	hi, n := member(s[used+1:])
	if n == 0 {
		return 0, false
	}
	return used + 1 + n, lo <= ch && ch <= hi
}

// member reads one byte of a bracket expression.
func member(s string) (ch byte, used int) {
	switch {
	case s == "", s == `\`:
		return 0, 0
	case s[0] == '\\':
		return s[1], 2
	default:
		return s[0], 1
	}
}

// element matches a byte written as [.x.] or [=x=].
func element(s string, ch byte) (used int, ok bool) {
	if !strings.HasPrefix(s, "[.") && !strings.HasPrefix(s, "[=") {
		return 0, false
	}
	if len(s) < 5 || s[3] != s[1] || s[4] != ']' {
		return -1, false
	}
	return 5, s[2] == ch
}

// class matches a named class such as [:digit:]; used is 0 if s starts with none.
func class(s string, ch byte) (used int, ok bool) {
	if !strings.HasPrefix(s, "[:") {
		return 0, false
	}
	end := strings.Index(s, ":]")
	if end < 2 {
		return 0, false
	}
	in, known := inClass(s[2:end], ch)
	if !known {
		return 0, false
	}
	return end + 2, in
}

func inClass(name string, c byte) (in, known bool) {
	graph := '!' <= c && c <= '~'
	upper, lower, digit := 'A' <= c && c <= 'Z', 'a' <= c && c <= 'z', '0' <= c && c <= '9'
	switch name {
	case "alpha":
		return upper || lower, true
	case "digit":
		return digit, true
	case "alnum":
		return upper || lower || digit, true
	case "upper":
		return upper, true
	case "lower":
		return lower, true
	case "xdigit":
		return digit || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F', true
	case "space":
		return c == ' ' || '\t' <= c && c <= '\r', true
	case "blank":
		return c == ' ' || c == '\t', true
	case "punct":
		return graph && !upper && !lower && !digit, true
	case "graph":
		return graph, true
	case "print":
		return c == ' ' || graph, true
	case "cntrl":
		return c < ' ' || c == 0x7f, true
	}
	return false, false
}
