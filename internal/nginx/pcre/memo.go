package pcre

// Memo remembers what a pattern gave for each subject. Logs have few distinct
// user agents and paths, and a list of robots costs tens of microseconds a
// match. It is not safe for concurrent use: one per worker.
type Memo struct {
	re       *Regex
	max      int
	young    map[string]remembered
	old      map[string]remembered
	captures []int // all that young and old refer to is theirs; this is scratch
}

type remembered struct {
	result Result
	caps   []int
}

// maxSubject is the length in bytes above which a subject is not kept.
const maxSubject = 4096

// NewMemo keeps up to maxEntries results, the more recently used ones first; with
// none it matches every time.
func NewMemo(re *Regex, maxEntries int) *Memo {
	return &Memo{re: re, max: maxEntries / 2, young: map[string]remembered{}, captures: []int{}}
}

// Regex is what the memo matches with.
func (m *Memo) Regex() *Regex { return m.re }

// Match is Regex.Match with captures. The slice belongs to the memo and is valid
// until the next call; nil unless there is a match.
func (m *Memo) Match(subject []byte) (Result, []int) {
	if r, ok := m.young[string(subject)]; ok {
		return r.result, r.caps
	}
	if r, ok := m.old[string(subject)]; ok {
		m.keep(subject, r)
		return r.result, r.caps
	}
	result, caps := m.match(subject)
	if m.max < 1 || len(subject) > maxSubject {
		return result, caps
	}
	r := remembered{result: result, caps: append([]int(nil), caps...)}
	m.keep(subject, r)
	return r.result, r.caps
}

// match asks for a bare answer first: most subjects do not match, and positions
// cost more than twice as much.
func (m *Memo) match(subject []byte) (Result, []int) {
	if result, _ := m.re.Match(subject, nil); result != Match {
		return result, nil
	}
	result, caps := m.re.Match(subject, m.captures[:0])
	m.captures = caps[:0]
	return result, caps
}

// keep adds to the young; when they are full they become the old and the old are
// forgotten.
func (m *Memo) keep(subject []byte, r remembered) {
	if len(m.young) >= m.max {
		m.old, m.young = m.young, make(map[string]remembered, m.max)
	}
	m.young[string(subject)] = r
}
