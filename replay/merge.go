package replay

// merger joins several logs by the time of their lines.
type merger struct {
	inputs []*input
	total  *Result
	from   *input // whose turn it is
	until  Millis // while its lines are not later than this
	tie    bool   // or as late
}

// start looks at the first request of each log.
func (m *merger) start() {
	for _, in := range m.inputs {
		in.advance(m.total)
	}
	m.choose()
}

// next takes the request that was logged first, nil at the end.
func (m *merger) next() *item {
	if m.from == nil {
		return nil
	}
	it := m.from.head
	m.from.advance(m.total)
	if h := m.from.head; h == nil || h.end > m.until || h.end == m.until && !m.tie {
		m.choose()
	}
	return it
}

// choose finds the log with the earliest line, the first of equals.
func (m *merger) choose() {
	m.from = nil
	for _, in := range m.inputs {
		if in.head != nil && (m.from == nil || in.head.end < m.from.head.end) {
			m.from = in
		}
	}
	m.until, m.tie = forever, true
	for _, in := range m.inputs {
		if in == m.from || in.head == nil {
			continue
		}
		if in.head.end < m.until {
			m.until, m.tie = in.head.end, m.from.index < in.index
		} else if in.head.end == m.until {
			m.tie = m.tie && m.from.index < in.index
		}
	}
}

// forever is later than any line.
const forever Millis = 1<<63 - 1

// advance goes to the next request of the log.
func (in *input) advance(total *Result) {
	in.head = in.spread.next(func() *item { return in.raw(total) })
}
