package accesslog

// parseSeconds reads seconds with a fraction ("0.005", "0.005 s", "12 ms",
// "5e-3") as milliseconds, cut as nginx does. A pair of quotes around the
// number is a slip of quoting and dropped.
func parseSeconds(b []byte) (Millis, bool) {
	if n := len(b); n >= 2 && b[0] == '"' && b[n-1] == '"' {
		b = b[1 : n-1]
	}
	whole, rest, ok := digits(b)
	if !ok || whole > 1<<40 {
		return 0, false
	}
	ms := whole * 1000
	micros := int64(0)
	if len(rest) > 0 && rest[0] == '.' {
		micros, rest = fraction(rest[1:])
	}
	if len(rest) == 0 {
		return Millis(ms + micros/1000), true
	}
	return scaled(ms*1000+micros, rest)
}

// digits reads a run of at least one digit.
func digits(b []byte) (n int64, rest []byte, ok bool) {
	i := 0
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		if n > 1<<58 {
			return 0, nil, false
		}
		n = n*10 + int64(b[i]-'0')
		i++
	}
	return n, b[i:], i > 0
}

// fraction reads the digits behind a point as millionths.
func fraction(b []byte) (micros int64, rest []byte) {
	i, unit := 0, int64(100_000)
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		micros += int64(b[i]-'0') * unit
		unit /= 10
		i++
	}
	return micros, b[i:]
}

// scaled applies what follows a number of microseconds: an exponent or a unit.
func scaled(micros int64, rest []byte) (Millis, bool) {
	switch string(rest) {
	case "s", " s":
		return Millis(micros / 1000), true
	case "ms", " ms":
		return Millis(micros / 1_000_000), true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return 0, false
	}
	rest = rest[1:]
	down := len(rest) > 0 && rest[0] == '-'
	if len(rest) > 0 && (rest[0] == '-' || rest[0] == '+') {
		rest = rest[1:]
	}
	exp, rest, ok := digits(rest)
	if !ok || len(rest) > 0 || exp > 18 {
		return 0, false
	}
	for range exp {
		if down {
			micros /= 10
		} else if micros *= 10; micros > 1<<52 {
			return 0, false
		}
	}
	return Millis(micros / 1000), true
}
