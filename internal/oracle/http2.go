package oracle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"testing"
)

// Conn2 is one cleartext HTTP/2 connection to nginx, with prior knowledge. It
// can open streams with GET, cancel them, and tell their status: what a limit
// on connections needs. It is for one goroutine.
type Conn2 struct {
	sock    socket
	opened  uint32 // the id of the last stream
	read    []byte
	streams map[uint32]*stream
	gone    bool
}

type stream struct {
	status int
	ended  bool
	reset  bool
}

// Window is how much of each response body nginx may send before it is told
// more, which never happens here: with NoWindow a response with a body keeps
// its stream, and with it its connection in limit_conn, open.
type Window uint32

// The two ends of windows (RFC 9113, section 6.9.2).
const (
	NoWindow   Window = 0
	FullWindow Window = 1<<31 - 1
)

// Frame types and flags of RFC 9113, section 6.
const (
	frameData     = 0
	frameHeaders  = 1
	frameReset    = 3
	frameSettings = 4
	framePing     = 6
	frameGoAway   = 7
	frameWindow   = 8

	flagEndStream  = 1 // of data and headers
	flagAck        = 1 // of settings and pings
	flagEndHeaders = 4
)

// Dial2 connects as [Server.Dial] does, to a server that [Nginx.HTTP2] made.
func (s *Server) Dial2(t testing.TB, from netip.Addr, window Window) *Conn2 {
	t.Helper()
	c := &Conn2{sock: s.connect(t, from), streams: map[uint32]*stream{}}
	hello := []byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
	// No table of headers, so that a status can be read without one, and the
	// window of the streams; then all of a window for the connection.
	settings := []byte{0, 1, 0, 0, 0, 0, 0, 4}
	settings = binary.BigEndian.AppendUint32(settings, uint32(window))
	hello = appendFrame(hello, frameSettings, 0, 0, settings)
	hello = appendFrame(hello, frameWindow, 0, 0, binary.BigEndian.AppendUint32(nil, 1<<31-1-65535))
	if err := c.sock.send(hello); err != nil {
		t.Fatalf("begin HTTP/2: %v", err)
	}
	if s.Clock != nil {
		s.Clock.Sync()
	}
	return c
}

// Close ends the connection. It must be called once.
func (c *Conn2) Close() { _ = c.sock.close() }

// Get opens a stream with a GET for the target and returns its id.
func (c *Conn2) Get(target string) (id uint32, err error) {
	id, frame := c.AppendGet(nil, target)
	return id, c.Send(frame)
}

// AppendGet opens a stream whose frame is appended to b, for [Conn2.Send].
func (c *Conn2) AppendGet(b []byte, target string) (id uint32, frames []byte) {
	id = 1
	if c.opened != 0 {
		id = c.opened + 2
	}
	c.opened = id
	c.streams[id] = &stream{}
	// RFC 7541, appendix A: 2 is ":method: GET", 6 ":scheme: http", 4 the name
	// ":path", 1 ":authority".
	block := []byte{0x80 | 2, 0x80 | 6}
	block = appendLiteral(block, 4, target)
	block = appendLiteral(block, 1, "localhost")
	return id, appendFrame(b, frameHeaders, flagEndStream|flagEndHeaders, id, block)
}

// Send writes frames as they are.
func (c *Conn2) Send(frames []byte) error { return c.sock.send(frames) }

// Cancel resets a stream. It counts as reset from then on.
func (c *Conn2) Cancel(id uint32) error {
	const cancel = 8 // RFC 9113, section 7
	if s := c.streams[id]; s != nil {
		s.reset = true
	}
	return c.sock.send(appendFrame(nil, frameReset, 0, id, binary.BigEndian.AppendUint32(nil, cancel)))
}

// Status is the status of the response on a stream, 0 as long as none came.
func (c *Conn2) Status(id uint32) int {
	if s := c.streams[id]; s != nil {
		return s.status
	}
	return 0
}

// Open reports whether a stream has neither ended nor been reset. After the
// end of the connection none is open.
func (c *Conn2) Open(id uint32) bool {
	s := c.streams[id]
	return s != nil && !s.ended && !s.reset && !c.gone
}

// Gone reports whether nginx ended the connection or said it will.
func (c *Conn2) Gone() bool { return c.gone }

// Poll takes in what has arrived, without waiting.
func (c *Conn2) Poll() error {
	for {
		more, err := c.take(c.sock.arrived)
		if err != nil || !more {
			return err
		}
	}
}

// Wait takes in what arrives until the stream is no longer open.
func (c *Conn2) Wait(id uint32) error {
	for c.Open(id) {
		if _, err := c.take(c.sock.receive); err != nil {
			return err
		}
	}
	return nil
}

// take reads once and handles the frames that are whole.
func (c *Conn2) take(read func([]byte) (int, error)) (more bool, err error) {
	var buf [16384]byte
	n, err := read(buf[:])
	if errors.Is(err, io.EOF) {
		c.gone = true
		return false, nil
	}
	if err != nil {
		return false, err
	}
	c.read = append(c.read, buf[:n]...)
	for len(c.read) >= 9 {
		size := int(c.read[0])<<16 | int(c.read[1])<<8 | int(c.read[2])
		if len(c.read) < 9+size {
			break
		}
		id := binary.BigEndian.Uint32(c.read[5:9]) &^ (1 << 31)
		if err := c.handle(c.read[3], c.read[4], id, c.read[9:9+size]); err != nil {
			return false, err
		}
		c.read = c.read[9+size:]
	}
	return n > 0, nil
}

func (c *Conn2) handle(kind, flags byte, id uint32, payload []byte) error {
	s := c.streams[id]
	if s == nil {
		s = &stream{} // of the connection, or unknown
	}
	var err error
	switch kind {
	case frameHeaders:
		s.status, err = headerStatus(payload)
		s.ended = flags&flagEndStream != 0
	case frameData:
		s.ended = flags&flagEndStream != 0
	case frameReset:
		s.reset = true
	case frameGoAway:
		c.gone = true
	case frameSettings, framePing:
		if flags&flagAck == 0 {
			err = c.acknowledge(kind, payload)
		}
	}
	return err
}

func (c *Conn2) acknowledge(kind byte, payload []byte) error {
	if kind == frameSettings {
		payload = nil
	}
	return c.sock.send(appendFrame(nil, kind, flagAck, 0, payload))
}

func appendFrame(b []byte, kind, flags byte, id uint32, payload []byte) []byte {
	size := len(payload)
	b = append(b, byte(size>>16), byte(size>>8), byte(size), kind, flags)
	b = binary.BigEndian.AppendUint32(b, id)
	return append(b, payload...)
}

// appendLiteral appends a header without indexing, its name by index, its
// value as it is (RFC 7541, sections 5.1 and 6.2.2).
func appendLiteral(b []byte, name byte, value string) []byte {
	b = append(b, name)
	size := len(value)
	if size < 127 {
		return append(append(b, byte(size)), value...)
	}
	b = append(b, 127)
	for size -= 127; size >= 128; size >>= 7 {
		b = append(b, byte(size)|128)
	}
	return append(append(b, byte(size)), value...)
}

// headerStatus reads ":status", which nginx puts first: by index, or as three
// plain digits (ngx_http_v2_filter_module.c:ngx_http_v2_header_filter).
func headerStatus(block []byte) (int, error) {
	for len(block) > 0 && block[0]&0xe0 == 0x20 { // an update of the table's size
		block = block[1:]
	}
	static := [...]int{200, 204, 206, 304, 400, 404, 500} // RFC 7541, appendix A, from 8
	if len(block) > 0 && block[0] >= 0x88 && block[0] <= 0x8e {
		return static[block[0]-0x88], nil
	}
	if len(block) < 5 || block[1] != 3 {
		return 0, fmt.Errorf("no status in the header block %x", block)
	}
	return strconv.Atoi(string(block[2:5]))
}
