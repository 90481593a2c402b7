package oracle

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// limitedByTwo counts each stream of HTTP/2 as a connection
// (ngx_http_limit_conn_module.c:ngx_http_limit_conn_handler).
func limitedByTwo(t *testing.T, bin Nginx) *Server {
	t.Helper()
	return bin.Start(t, HTTP(`limit_conn_zone $binary_remote_addr zone=c:1m; limit_conn_status 429;
		server { `+bin.HTTP2(Addr)+` root html; limit_conn c 2; location = /none { return 204; } }`),
		Options{Clock: true, Files: Files{"html/page": "some text"}})
}

func TestStreamsStayOpenWithoutAWindow(t *testing.T) {
	each(t, func(t *testing.T, bin Nginx) {
		s := limitedByTwo(t, bin)
		c := s.Dial2(t, netip.Addr{}, NoWindow)
		defer c.Close()
		var ids [4]uint32
		for i := range ids {
			if i == 3 {
				require.NoError(t, c.Cancel(ids[0]))
			}
			var err error
			ids[i], err = c.Get("/page")
			require.NoError(t, err)
			s.Clock.Sync()
			require.NoError(t, c.Poll())
		}
		var got []int
		for _, id := range ids {
			got = append(got, c.Status(id))
		}
		assert.Equal(t, []int{200, 200, 429, 200}, got, "the fourth takes the place of the first")
		assert.False(t, c.Open(ids[0]))
		assert.True(t, c.Open(ids[1]))
		assert.False(t, c.Gone())
	})
}

func TestStreamsEndWithAWindow(t *testing.T) {
	each(t, func(t *testing.T, bin Nginx) {
		s := limitedByTwo(t, bin)
		c := s.Dial2(t, netip.MustParseAddr("127.1.2.3"), FullWindow)
		defer c.Close()
		for range 100 {
			id, err := c.Get("/page")
			require.NoError(t, err)
			require.NoError(t, c.Wait(id))
			require.Equal(t, 200, c.Status(id))
		}
		s.Clock.Sync()
		assert.Contains(t, s.AccessLog(), `127.1.2.3 - - [14/Nov/2023`)
	})
}

func TestAnAbandonedConnectionIsSeen(t *testing.T) {
	each(t, func(t *testing.T, bin Nginx) {
		s := limitedByTwo(t, bin)
		full := s.Dial2(t, netip.Addr{}, NoWindow)
		for range 2 {
			_, err := full.Get("/page")
			require.NoError(t, err)
		}
		c := s.Dial2(t, netip.Addr{}, FullWindow)
		defer c.Close()
		status := func() int {
			id, err := c.Get("/page")
			require.NoError(t, err)
			require.NoError(t, c.Wait(id))
			return c.Status(id)
		}
		assert.Equal(t, 429, status())
		full.Close()
		s.Clock.Sync()
		assert.Equal(t, 200, status())
	})
}
