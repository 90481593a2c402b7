package oracle

import (
	"errors"
	"io"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestResponsesAreTakenApart(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nX-A: 1\r\nx-aa:2 \r\nEmpty:\r\n"
	tests := []struct {
		name, in string
		bodies   []string // nil: an error
	}{
		{"one of a length", head + "Content-Length: 3\r\n\r\nabc", []string{"abc"}},
		{"two in a row", head + "Content-Length: 3\r\n\r\nabc" + head + "Content-Length: 0\r\n\r\n", []string{"abc", ""}},
		{"chunks", head + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n", []string{"abc0123456789"}},
		{"no body", "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", []string{"", ""}},
		{"until the end", head + "\r\nall of it", []string{"all of it"}},
		{"a body cut short", head + "Content-Length: 3\r\n\r\nab", nil},
		{"a head cut short", head, nil},
		{"something else", "SSH-2.0-OpenSSH\r\n\r\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := &Conn{read: []byte(tt.in), eof: true}
			var bodies []string
			for {
				r, there, err := c.Arrived()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					bodies = nil
					break
				}
				require.True(t, there)
				bodies = append(bodies, string(r.Body))
				if strings.HasPrefix(tt.in, head) {
					assert.Equal(t, []string{"1", "2", "", ""}, []string{r.Header("x-a"), r.Header("X-AA"), r.Header("empty"), r.Header("none")})
				}
			}
			assert.Equal(t, tt.bodies, bodies)
		})
	}
}

func TestRequestsGoAsTheyAreWritten(t *testing.T) {
	assert.Equal(t, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", string(AppendGet(nil, "/")))
	assert.Equal(t, "GET /a HTTP/1.1\r\nhost: b\r\nX: y\r\n\r\n", string(AppendGet(nil, "/a", "host: b", "X: y")))
	each(t, func(t *testing.T, bin Nginx) {
		s := bin.Start(t, Serve("", `location / { return 200 "$request $host"; }`), Options{Clock: true})
		c := s.Dial(t, netip.Addr{})
		defer c.Close()
		require.NoError(t, c.Send([]byte("GET /a%20b HT")))
		s.Clock.Sync()
		_, there, err := c.Arrived()
		require.NoError(t, err)
		assert.False(t, there, "half a request has no response")
		require.NoError(t, c.Send([]byte("TP/1.1\r\nHost: h\r\n\r\nBREW /pot HTTP/1.0\r\n\r\n")))
		r, err := c.Receive()
		require.NoError(t, err)
		assert.Equal(t, "GET /a%20b HTTP/1.1 h", string(r.Body))
		r, err = c.Receive()
		require.NoError(t, err)
		assert.Equal(t, "BREW /pot HTTP/1.0 ", string(r.Body))
		_, err = c.Receive()
		assert.Equal(t, io.EOF, err)
	})
}

func TestPipelinedRequestsAreAllAnswered(t *testing.T) {
	each(t, func(t *testing.T, bin Nginx) {
		s := bin.Start(t, Serve("", `location / { return 200 "$arg_n and something to fill the buffers"; }`), Options{})
		c := s.Dial(t, netip.Addr{})
		defer c.Close()
		var batch []byte
		for n := range strings.SplitSeq(strings.Repeat("abcdefghij", 100), "") {
			batch = AppendGet(batch, "/?n="+n)
		}
		require.NoError(t, c.Send(batch))
		var got strings.Builder
		for range 1000 {
			r, err := c.Receive()
			require.NoError(t, err)
			got.WriteByte(r.Body[0])
		}
		assert.Equal(t, strings.Repeat("abcdefghij", 100), got.String())
	})
}
