package accesslog

import "time"

// parseTime reads a point in time in any of the forms that logs have: seconds
// since the epoch with or without a fraction, milli-, micro- and nanoseconds
// told by their size, ISO 8601 and the time of the common log format. A time
// without a zone is none: it could be off by hours. resolution is its step.
func parseTime(b []byte) (at, resolution Millis, ok bool) {
	switch {
	case len(b) < 10 || len(b) > 40:
		return 0, 0, false
	case b[4] == '-':
		return parseISO(b)
	case b[2] == '/' || b[3] == '/' && b[0] == '[':
		return parseCLF(b)
	}
	return parseEpoch(b)
}

// parseEpoch tells the unit by the number of digits: 10 for seconds of the
// years 2001 to 2286.
func parseEpoch(b []byte) (at, resolution Millis, ok bool) {
	if n := len(b); b[0] == '"' && b[n-1] == '"' {
		b = b[1 : n-1]
	}
	n, rest, ok := digits(b)
	if !ok {
		return 0, 0, false
	}
	switch len(b) - len(rest) {
	case 10:
		return epochSeconds(n, rest)
	case 13:
		return Millis(n), 1, len(rest) == 0 || rest[0] == '.'
	case 16:
		return Millis(n / 1e3), 1, len(rest) == 0
	case 19:
		return Millis(n / 1e6), 1, len(rest) == 0
	}
	return 0, 0, false
}

func epochSeconds(n int64, rest []byte) (at, resolution Millis, ok bool) {
	if len(rest) == 0 {
		return Millis(n * 1000), 1000, true
	}
	if rest[0] != '.' {
		return 0, 0, false
	}
	micros, after := fraction(rest[1:])
	return Millis(n*1000 + micros/1000), step(len(rest) - 1), len(after) == 0
}

// step is the resolution of that many digits of a fraction of a second.
func step(digits int) Millis {
	switch digits {
	case 0:
		return 1000
	case 1:
		return 100
	case 2:
		return 10
	}
	return 1
}

// parseISO reads "2026-01-01T10:00:00.123+01:00".
func parseISO(b []byte) (at, resolution Millis, ok bool) {
	if len(b) < 20 || b[7] != '-' || b[10] != 'T' && b[10] != ' ' || b[13] != ':' || b[16] != ':' {
		return 0, 0, false
	}
	century, ok1 := two(b[0:])
	year, ok2 := two(b[2:])
	month, ok3 := two(b[5:])
	day, ok4 := two(b[8:])
	clock, ok5 := clockOf(b[11:])
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return 0, 0, false
	}
	rest := b[19:]
	micros, resolution := int64(0), Millis(1000)
	if rest[0] == '.' || rest[0] == ',' {
		var after []byte
		micros, after = fraction(rest[1:])
		resolution = step(len(rest) - 1 - len(after))
		rest = after
	}
	if len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	offset, ok := zone(rest)
	at, valid := civil(century*100+year, month, day, clock-offset)
	return at + Millis(micros/1000), resolution, ok && valid
}

// parseCLF reads "01/Jan/2026:10:00:00 +0100", in brackets or not.
func parseCLF(b []byte) (at, resolution Millis, ok bool) {
	if b[0] == '[' {
		b = b[1:]
	}
	if n := len(b); b[n-1] == ']' {
		b = b[:n-1]
	}
	if len(b) < 26 || b[6] != '/' || b[11] != ':' || b[14] != ':' || b[17] != ':' || b[20] != ' ' {
		return 0, 0, false
	}
	day, ok1 := two(b[0:])
	month := monthNumber(b[3:6])
	century, ok2 := two(b[7:])
	year, ok3 := two(b[9:])
	clock, ok4 := clockOf(b[12:])
	offset, ok5 := zone(b[21:])
	at, valid := civil(century*100+year, month, day, clock-offset)
	return at, 1000, ok1 && ok2 && ok3 && ok4 && ok5 && valid
}

// two reads two digits.
func two(b []byte) (int, bool) {
	hi, lo := b[0]-'0', b[1]-'0'
	return int(hi)*10 + int(lo), hi <= 9 && lo <= 9
}

// clockOf reads "10:00:00" as seconds of the day.
func clockOf(b []byte) (int, bool) {
	h, ok1 := two(b[0:])
	m, ok2 := two(b[3:])
	s, ok3 := two(b[6:])
	return h*3600 + m*60 + s, ok1 && ok2 && ok3 && h < 24 && m < 60 && s <= 60
}

// zone reads "Z", "+01:00" or "+0100" as seconds east of Greenwich.
func zone(b []byte) (int, bool) {
	if len(b) == 1 && (b[0] == 'Z' || b[0] == 'z') {
		return 0, true
	}
	if len(b) != 5 && (len(b) != 6 || b[3] != ':') || b[0] != '+' && b[0] != '-' {
		return 0, false
	}
	h, ok1 := two(b[1:])
	m, ok2 := two(b[len(b)-2:])
	offset := h*3600 + m*60
	if b[0] == '-' {
		offset = -offset
	}
	return offset, ok1 && ok2
}

func monthNumber(b []byte) int {
	const names = "JanFebMarAprMayJunJulAugSepOctNovDec"
	for i := 0; i < len(names); i += 3 {
		if names[i:i+3] == string(b) {
			return i/3 + 1
		}
	}
	return 0
}

// civil counts the seconds of a date since the epoch, and adds those given.
func civil(year, month, day, seconds int) (Millis, bool) {
	if month < 1 || month > 12 || day < 1 || day > 31 {
		return 0, false
	}
	y, m := year, month
	if m <= 2 {
		y, m = y-1, m+12
	}
	days := 365*y + y/4 - y/100 + y/400 + (153*(m-3)+2)/5 + day - 1 - 719_468
	return Millis(days)*86_400_000 + Millis(seconds)*1000, true
}

// Time is the point as Go's time, for those who print it.
func (m Millis) Time() time.Time { return time.UnixMilli(int64(m)).UTC() }
