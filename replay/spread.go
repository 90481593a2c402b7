package replay

// spreader gives the requests of a coarse clock their places within its step:
// evenly, in the order of the log. All at the start of a second, a log of whole
// seconds shows bursts that never were.
type spreader struct {
	group []*item // requests with one stamp
	given int     // of group
	ahead *item   // the first request of the next group
}

// next takes the next request, in the order of the log.
func (s *spreader) next(read func() *item) *item {
	if s.given < len(s.group) {
		s.given++
		return s.group[s.given-1]
	}
	first := s.ahead
	s.ahead = nil
	if first == nil {
		if first = read(); first == nil {
			return nil
		}
	}
	if first.resolution <= 1 {
		return first
	}
	s.collect(first, read)
	s.given = 1
	return first
}

// collect reads the requests with the same stamp and spreads them.
func (s *spreader) collect(first *item, read func() *item) {
	s.group = append(s.group[:0], first)
	for {
		it := read()
		if it == nil || it.end != first.end || it.resolution != first.resolution {
			s.ahead = it
			break
		}
		s.group = append(s.group, it)
	}
	n := Millis(len(s.group))
	for i, it := range s.group {
		shift := Millis(i) * it.resolution / n
		it.at += shift
		it.end += shift
	}
}
