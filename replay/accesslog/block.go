package accesslog

import (
	"bytes"
	"io"
)

// BlockSize is how much is read at once, in bytes.
const BlockSize = 256 << 10

// MaxLine is the longest line that is read, in bytes. Request line and headers
// stay below 32 KiB unless nginx is configured otherwise; escaped as \x.. they
// grow fourfold.
const MaxLine = 1 << 20

// Block is a piece of an input that begins and ends with a line.
type Block struct {
	Text []byte // whole lines; the last of an input may lack its newline
	Last bool   // nothing follows
	// Notes tell of single lines, in order of the lines.
	Notes []Note
	buf   []byte
	inner []byte // the text without its wrapper
}

// Note is what is known of a line before it is read.
type Note struct {
	Line  int    // its number in the block, from 0
	Kind  Kind   // not Good: the line is none
	Stamp Millis // when the line was written, from what it is wrapped in; 0: not known
}

// Blocks cuts a stream into blocks.
type Blocks struct {
	r      io.Reader
	rest   []byte // the start of the line that the last block ended in
	err    error
	inLong bool // the last block was the start of a line that is too long
	looked bool
	wrap   *wrapper // nil: the lines are not wrapped
}

// NewBlocks cuts what r gives.
func NewBlocks(r io.Reader) *Blocks { return &Blocks{r: flatten(r)} }

// Next fills b, whose memory it uses again, with the next lines, taken out of
// what they are wrapped in. After the last block it returns io.EOF, or the
// error that ended the stream early.
func (s *Blocks) Next(b *Block) error {
	if err := s.cut(b); err != nil {
		return err
	}
	if !s.looked {
		s.looked, s.wrap = true, wrapperOf(b.Text)
	}
	if s.wrap != nil {
		s.wrap.open(b)
	}
	return nil
}

// cut fills b with lines as they stand in the stream.
func (s *Blocks) cut(b *Block) error {
	b.Text, b.Notes, b.Last = nil, b.Notes[:0], false
	for len(b.buf) <= len(s.rest) { // the block before may have been larger
		b.buf = make([]byte, max(BlockSize, 2*len(b.buf)))
	}
	n := copy(b.buf, s.rest)
	s.rest = s.rest[:0]
	for {
		n = s.fill(b, n)
		n = s.skipLong(b, n)
		if s.err != nil {
			return s.last(b, n)
		}
		if n < len(b.buf) {
			continue // a long line was dropped: there is room again
		}
		if end := bytes.LastIndexByte(b.buf[:n], '\n') + 1; end > 0 {
			s.rest = append(s.rest, b.buf[end:n]...)
			b.Text = b.buf[:end]
			return nil
		}
		if n >= MaxLine {
			return s.long(b)
		}
		b.buf = append(b.buf, make([]byte, len(b.buf))...)
	}
}

// fill reads until the block is full or the stream ends.
func (s *Blocks) fill(b *Block, n int) int {
	for idle := 0; n < len(b.buf) && s.err == nil; {
		got, err := s.r.Read(b.buf[n:])
		n += got
		s.err = err
		if idle++; got > 0 {
			idle = 0
		}
		if idle == 100 {
			s.err = io.ErrNoProgress
		}
	}
	return n
}

// long gives the start of a line that is too long as a block of its own.
func (s *Blocks) long(b *Block) error {
	s.inLong = true
	b.Text = b.buf[:BlockSize]
	b.Notes = append(b.Notes, Note{Kind: TooLong})
	b.buf = b.buf[:BlockSize:BlockSize]
	return nil
}

// skipLong drops the rest of a line whose start was given as too long.
func (s *Blocks) skipLong(b *Block, n int) int {
	if !s.inLong {
		return n
	}
	end := bytes.IndexByte(b.buf[:n], '\n')
	if end < 0 {
		return 0
	}
	s.inLong = false
	return copy(b.buf, b.buf[end+1:n])
}

// last gives what is left when the stream has ended.
func (s *Blocks) last(b *Block, n int) error {
	if n == 0 {
		return s.err
	}
	b.Text, b.Last = b.buf[:n], true
	if n >= MaxLine {
		return s.lastLines(b)
	}
	return nil
}

// lastLines marks a last line that is too long.
func (s *Blocks) lastLines(b *Block) error {
	start := bytes.LastIndexByte(b.Text, '\n') + 1
	if len(b.Text)-start >= MaxLine {
		b.Notes = append(b.Notes, Note{Line: bytes.Count(b.Text[:start], []byte("\n")), Kind: TooLong})
	}
	return nil
}
