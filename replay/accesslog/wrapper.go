package accesslog

import "bytes"

// wrapper takes lines out of what a container runtime or a log shipper put
// around them, and joins those that it cut.
type wrapper struct {
	peel    func(line []byte) (peeled, bool)
	pending map[string][]byte // by stream: the parts of a line so far
	last    int               // the line of the block with the last part; -1 none
}

// peeled is a line without its wrapper.
type peeled struct {
	text   []byte
	stream string // "stdout", "stderr" or empty
	stamp  Millis // when it was written; 0: not known
	part   bool   // more of the line follows
}

// wrapperOf tells what the lines are wrapped in by those that come first; nil
// when in nothing.
func wrapperOf(text []byte) *wrapper {
	docker := newDockerPeeler()
	for _, peel := range []func([]byte) (peeled, bool){peelCRI, docker.peel, peelSyslog} {
		good, bad := 0, 0
		rest := text
		for len(rest) > 0 && good+bad < 64 {
			var line []byte
			line, rest, _ = bytes.Cut(rest, []byte("\n"))
			if line = bytes.TrimSpace(line); len(line) == 0 {
				continue
			}
			if _, ok := peel(line); ok {
				good++
			} else {
				bad++
			}
		}
		if good > bad {
			return &wrapper{peel: peel, pending: map[string][]byte{}}
		}
	}
	return nil
}

// open rewrites the text of a block. It keeps the number of lines: a part is a
// blank line with a note, and the whole stands where its last part stood.
func (w *wrapper) open(b *Block) {
	out, notes := b.inner[:0], []Note(nil)
	rest, known := b.Text, b.Notes
	w.last = -1
	for number := 0; len(rest) > 0; number++ {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		rest = after
		if len(known) > 0 && known[0].Line == number {
			notes, known = append(notes, known[0]), known[1:]
			out = append(out, line...)
		} else {
			var note Note
			if out, note = w.line(out, line); note != (Note{}) {
				note.Line = number
				notes = append(notes, note)
			}
			if note.Kind == Joined {
				w.last = len(notes) - 1
			}
		}
		if whole {
			out = append(out, '\n')
		} else if len(notes) > 0 && notes[len(notes)-1].Kind == Joined {
			out = append(out, '\n') // so that there is a line
		}
	}
	if b.Last && w.last >= 0 && len(w.pending) > 0 {
		notes[w.last].Kind = Cut
	}
	b.inner, b.Text, b.Notes = out, out, append(b.Notes[:0], notes...)
}

// line appends what a line holds.
func (w *wrapper) line(out, line []byte) ([]byte, Note) {
	p, ok := w.peel(bytes.TrimRight(line, "\r"))
	if !ok {
		return append(out, line...), Note{}
	}
	before := w.pending[p.stream]
	if p.part {
		if len(before)+len(p.text) > MaxLine {
			return out, Note{Kind: TooLong}
		}
		w.pending[p.stream] = append(before, p.text...)
		return out, Note{Kind: Joined}
	}
	delete(w.pending, p.stream)
	start := len(out)
	out = append(append(out, before...), p.text...)
	for i, c := range out[start:] {
		if c == '\n' {
			out[start+i] = ' '
		}
	}
	if p.stream == "stderr" && !isErrorLog(out[start:]) {
		return out, Note{Kind: Foreign}
	}
	return out, Note{Stamp: p.stamp}
}

// peelCRI reads "2026-01-01T10:00:00.1Z stdout F text" of containerd and
// CRI-O.
func peelCRI(line []byte) (peeled, bool) {
	stamp, rest, found := bytes.Cut(line, []byte(" "))
	stream, rest, more := bytes.Cut(rest, []byte(" "))
	if !found || !more || string(stream) != "stdout" && string(stream) != "stderr" {
		return peeled{}, false
	}
	at, _, ok := parseTime(stamp)
	tag, text, _ := bytes.Cut(rest, []byte(" "))
	if !ok || len(tag) == 0 || tag[0] != 'P' && tag[0] != 'F' {
		return peeled{}, false
	}
	return peeled{text: text, stream: string(stream), stamp: at, part: tag[0] == 'P'}, true
}

// peelSyslog reads what nginx sends to syslog
// (src/core/ngx_syslog.c:ngx_syslog_add_header): "<190>Jan  1 10:00:00 host
// nginx: text", with or without the number.
func peelSyslog(line []byte) (peeled, bool) {
	head := line[:min(len(line), 160)]
	if len(head) > 0 && head[0] == '<' {
		_, head, _ = bytes.Cut(head, []byte(">"))
	}
	if len(head) < 16 || monthNumber(head[:3]) == 0 || head[3] != ' ' || head[9] != ':' || head[12] != ':' {
		return peeled{}, false
	}
	end := bytes.Index(line, []byte(": "))
	if end < 0 || end > 160 || bytes.ContainsAny(line[:end], `{"`) {
		return peeled{}, false
	}
	return peeled{text: line[end+2:]}, true
}

// dockerPeeler reads the objects of Docker's json-file driver and of shippers
// that keep the line in a field: {"log":"text\n","stream":"stdout","time":"…"}.
type dockerPeeler struct {
	scanner jsonScanner
	memory  []byte
}

// Fields of dockerPeeler.
const (
	dockerLog = iota
	dockerStream
	dockerTime
	dockerMessage
	dockerStamp
)

func newDockerPeeler() *dockerPeeler {
	d := &dockerPeeler{}
	keys := newKeyTree()
	for _, name := range []string{"log", "stream", "time", "message", "@timestamp"} {
		keys.number(keys.find(&keys.root, []byte(name)))
	}
	keys.grow = false
	d.scanner = jsonScanner{keys: keys, vals: make([][]byte, len(keys.paths)), text: &d.memory}
	return d
}

// peel takes objects whose text is a line of a log: JSON again, or anything of
// Docker itself.
func (d *dockerPeeler) peel(line []byte) (peeled, bool) {
	d.memory = d.memory[:0]
	if len(line) == 0 || line[0] != '{' || !d.scanner.scan(line, bytes.IndexByte(line, '\\') >= 0) {
		return peeled{}, false
	}
	v := d.scanner.vals
	at, _, _ := parseTime(v[dockerTime])
	if at == 0 {
		at, _, _ = parseTime(v[dockerStamp])
	}
	text := v[dockerLog]
	if text == nil {
		text = v[dockerMessage]
	}
	stream := string(v[dockerStream])
	docker := stream == "stdout" || stream == "stderr"
	if v[dockerLog] == nil || !docker {
		if inner := bytes.TrimSpace(text); len(inner) == 0 || inner[0] != '{' {
			return peeled{}, false
		}
		return peeled{text: bytes.TrimRight(text, "\n"), stream: stream, stamp: at}, true
	}
	whole, ended := bytes.CutSuffix(text, []byte("\n"))
	return peeled{text: whole, stream: stream, stamp: at, part: !ended}, true
}
