package glob

// component tells whether one name matches one component of a pattern, byte
// by byte as fnmatch(3) does in the C locale. A leading dot must be written.
func component(pattern, name string) bool {
	if name != "" && name[0] == '.' && !writesDot(pattern) {
		return false
	}
	return match(pattern, name)
}

func writesDot(pattern string) bool {
	if pattern != "" && pattern[0] == '\\' {
		pattern = pattern[1:]
	}
	return pattern != "" && pattern[0] == '.'
}

// match backs up to the last star only: that is enough for patterns without
// alternatives, and keeps the time quadratic at worst.
func match(pattern, name string) bool {
	p, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			star, mark = p, n
			p++
			continue
		}
		if used, ok := one(pattern[p:], name[n]); ok {
			p += used
			n++
			continue
		}
		if star < 0 {
			return false
		}
		mark++
		p, n = star+1, mark
	}
	for p < len(pattern) && pattern[p] == '*' {
		p++
	}
	return p == len(pattern)
}

// one matches one byte and tells how much of the pattern that took.
func one(pattern string, ch byte) (used int, ok bool) {
	if pattern == "" {
		return 0, false
	}
	switch pattern[0] {
	case '?':
		return 1, true
	case '[':
		if used, ok := set(pattern, ch); used > 0 {
			return used, ok
		}
	case '\\':
		if len(pattern) > 1 {
			return 2, pattern[1] == ch
		}
		return 0, false
	}
	return 1, pattern[0] == ch
}
