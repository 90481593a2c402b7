package oracle

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"testing"
)

// Conn is one HTTP/1 connection to nginx. What goes over it is up to the test,
// byte by byte; it is for one goroutine.
type Conn struct {
	sock socket
	read []byte // received, not taken yet
	done int    // how much of read belongs to responses that were returned
	out  []byte
	eof  bool
}

// Dial connects to the server; from is the client's address, any in
// 127.0.0.0/8, or the zero Addr for the usual one. On a virtual clock nginx has
// accepted on return: one accepted after the clock moved would have another
// age.
func (s *Server) Dial(t testing.TB, from netip.Addr) *Conn {
	t.Helper()
	return &Conn{sock: s.connect(t, from)}
}

func (s *Server) connect(t testing.TB, from netip.Addr) socket {
	t.Helper()
	var before uint64
	if s.Clock != nil {
		before = s.Clock.accepted()
	}
	sock, err := connect(from, s.Addr, patience)
	if err != nil {
		t.Fatalf("connect to nginx: %v", err)
	}
	if s.Clock != nil {
		s.Clock.awaitAccepted(before)
	}
	return sock
}

// Get asks for a target over a connection of its own.
func (s *Server) Get(t testing.TB, target string, header ...string) Response {
	t.Helper()
	c := s.Dial(t, netip.Addr{})
	defer c.Close()
	r, err := c.Get(target, header...)
	if err != nil {
		t.Fatalf("get %s: %v", target, err)
	}
	return r
}

// Close ends the connection. It must be called once, also after an error.
func (c *Conn) Close() { _ = c.sock.close() }

// Send writes bytes as they are: requests, many or a part of one.
func (c *Conn) Send(raw []byte) error { return c.sock.send(raw) }

// Get sends a request for a target with the given header lines
// ("X-Key: a"), and waits for its response.
func (c *Conn) Get(target string, header ...string) (Response, error) {
	c.out = AppendGet(c.out[:0], target, header...)
	if err := c.Send(c.out); err != nil {
		return Response{}, err
	}
	return c.Receive()
}

// AppendGet appends a GET request with the given header lines to b. Host is
// "localhost" unless a line names another.
func AppendGet(b []byte, target string, header ...string) []byte {
	b = append(append(append(b, "GET "...), target...), " HTTP/1.1\r\n"...)
	host := "Host: localhost\r\n"
	for _, line := range header {
		if len(line) > 5 && bytes.EqualFold([]byte(line[:5]), []byte("Host:")) {
			host = ""
		}
		b = append(append(b, line...), "\r\n"...)
	}
	return append(append(b, host...), "\r\n"...)
}

// Receive waits for the next response.
func (c *Conn) Receive() (Response, error) {
	for {
		r, whole, err := c.next(false)
		if whole || err != nil {
			return r, err
		}
		if err := c.more(c.sock.receive); err != nil {
			return Response{}, err
		}
		if c.eof {
			return c.last()
		}
	}
}

// Arrived returns the next response if it is there already. On a virtual clock
// after Sync, one that is not there is one that nginx delays. At the end of the
// connection the error is io.EOF.
func (c *Conn) Arrived() (r Response, there bool, err error) {
	for {
		r, whole, err := c.next(false)
		if whole || err != nil {
			return r, whole, err
		}
		if c.eof {
			r, err = c.last()
			return r, err == nil, err
		}
		before := len(c.read)
		if err := c.more(c.sock.arrived); err != nil {
			return Response{}, false, err
		}
		if len(c.read) == before && !c.eof {
			return Response{}, false, nil
		}
	}
}

// more adds to c.read, and notes the end of the connection.
func (c *Conn) more(read func([]byte) (int, error)) error {
	if c.done == len(c.read) {
		c.read, c.done = c.read[:0], 0
	}
	if cap(c.read)-len(c.read) < 4096 {
		grown := make([]byte, len(c.read)-c.done, 2*(len(c.read)-c.done)+16384)
		copy(grown, c.read[c.done:])
		c.read, c.done = grown, 0
	}
	n, err := read(c.read[len(c.read):cap(c.read)])
	c.read = c.read[:len(c.read)+n]
	if errors.Is(err, io.EOF) {
		c.eof = true
		return nil
	}
	return err
}

// last is the response that the end of the connection ends.
func (c *Conn) last() (Response, error) {
	if c.done == len(c.read) {
		return Response{}, io.EOF
	}
	r, whole, err := c.next(true)
	if err == nil && !whole {
		err = io.ErrUnexpectedEOF
	}
	return r, err
}

// next takes a whole response out of what was received.
func (c *Conn) next(eof bool) (r Response, whole bool, err error) {
	rest := c.read[c.done:]
	end := bytes.Index(rest, []byte("\r\n\r\n"))
	if end < 0 {
		return Response{}, false, nil
	}
	r.head = rest[:end+2]
	if r.Status, err = statusOf(r.head); err != nil {
		return Response{}, false, err
	}
	body, size, whole := r.cut(rest[end+4:], eof)
	if !whole {
		return Response{}, false, nil
	}
	r.Body = body
	c.done += end + 4 + size
	return r, true, nil
}

func statusOf(head []byte) (int, error) {
	if len(head) < 12 || !bytes.HasPrefix(head, []byte("HTTP/1.")) {
		return 0, fmt.Errorf("no status line in %q", head)
	}
	status, err := strconv.Atoi(string(head[9:12]))
	if err != nil {
		return 0, fmt.Errorf("no status in %q: %w", head, err)
	}
	return status, nil
}
