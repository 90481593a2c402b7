package oracle

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func each(t *testing.T, test func(t *testing.T, bin Nginx)) {
	t.Helper()
	for _, bin := range Bins(t) {
		t.Run(bin.Version.String(), func(t *testing.T) { test(t, bin) })
	}
}

func TestAServerAnswersOnRealTime(t *testing.T) {
	each(t, func(t *testing.T, bin Nginx) {
		s := bin.Start(t, Serve("", `location / { return 200 "$remote_addr $http_x_a"; }`), Options{})
		c := s.Dial(t, netip.MustParseAddr("127.9.8.7"))
		defer c.Close()
		r, err := c.Get("/", "X-A: b")
		require.NoError(t, err)
		assert.Equal(t, 200, r.Status)
		assert.Equal(t, "127.9.8.7 b", string(r.Body))
		assert.Equal(t, "nginx/"+bin.Version.String(), r.Header("server"))
		assert.Empty(t, r.Header("Serve"))
	})
}

func TestTheClockIsTheOneThatIsSet(t *testing.T) {
	each(t, func(t *testing.T, bin Nginx) {
		s := bin.Start(t, Serve("", `location / { return 200 $msec; }`), Options{Clock: true})
		c := s.Dial(t, netip.Addr{})
		defer c.Close()
		for _, ms := range []Millis{StartMono, StartMono + 1, StartMono + 86_400_123, StartMono + 5_000} {
			s.Clock.Set(ms)
			r, err := c.Get("/")
			require.NoError(t, err)
			at := s.Clock.Real()
			assert.Equal(t, fmt.Sprintf("%d.%03d", at/1000, at%1000), string(r.Body))
		}
		s.Clock.Set(StartMono)
		s.Clock.StepReal(-1_700_000_000_000 + 1_000_000_000_000)
		r, err := c.Get("/")
		require.NoError(t, err)
		assert.Equal(t, "Sun, 09 Sep 2001 01:46:40 GMT", r.Header("Date"))
		assert.Equal(t, StartMono, s.Clock.Mono())
	})
}

// At 7 r/s an excess of 1000 thousandths takes 142 ms to drain and one of 2000
// takes 285, cut to whole ms (ngx_http_limit_req_module.c:ngx_http_limit_req_account).
func TestADelayIsMeasuredToTheMillisecond(t *testing.T) {
	each(t, func(t *testing.T, bin Nginx) {
		s := bin.Start(t, Serve(`limit_req_zone $http_x_key zone=z:1m rate=7r/s; limit_req_status 429;`,
			`location / { limit_req zone=z burst=2; add_header X-Status $limit_req_status always; try_files /none =204; }`), Options{Clock: true})
		var conns [4]*Conn
		for i := range conns {
			conns[i] = s.Dial(t, netip.Addr{})
			defer conns[i].Close()
			require.NoError(t, conns[i].Send(AppendGet(nil, "/", "X-Key: k")))
			s.Clock.Sync()
		}
		due, some := s.Clock.NextTimer()
		require.True(t, some)
		assert.Equal(t, StartMono+142, due)

		var after []string // ms and status, in the order of the answers
		for _, at := range []Millis{0, 141, 142, 284, 285} {
			s.Clock.Set(StartMono + at)
			s.Clock.Sync()
			for i, c := range conns {
				r, there, err := c.Arrived()
				require.NoError(t, err)
				if there {
					after = append(after, fmt.Sprint(i, " ", at, " ", r.Header("X-Status"), " ", r.Status))
				}
			}
		}
		assert.Equal(t, []string{"0 0 PASSED 204", "3 0 REJECTED 429", "1 142 DELAYED 204", "2 285 DELAYED 204"}, after)
	})
}

func TestAConnectionIsAcceptedAtTheTimeOfDial(t *testing.T) {
	each(t, func(t *testing.T, bin Nginx) {
		s := bin.Start(t, Serve("", "keepalive_time 10s; location / { return 204; }"), Options{Clock: true})
		young := s.Dial(t, netip.Addr{})
		defer young.Close()
		s.Clock.Set(StartMono + 10_000)
		r, err := young.Get("/")
		require.NoError(t, err)
		assert.Equal(t, "keep-alive", r.Header("Connection"))
		s.Clock.Set(StartMono + 10_001)
		r, err = young.Get("/")
		require.NoError(t, err)
		assert.Equal(t, "close", r.Header("Connection"), "a ms too old")
	})
}

func TestAConnectionFromTheFutureIsClosed(t *testing.T) {
	each(t, func(t *testing.T, bin Nginx) {
		s := bin.Start(t, Serve("", "location / { return 204; }"), Options{Clock: true})
		c := s.Dial(t, netip.Addr{})
		defer c.Close()
		s.Clock.Set(StartMono - 1)
		r, err := c.Get("/")
		require.NoError(t, err)
		assert.Equal(t, "close", r.Header("Connection"))
		r = s.Get(t, "/")
		assert.Equal(t, "keep-alive", r.Header("Connection"))
	})
}

func BenchmarkDecisions(b *testing.B) {
	bin := Need(b)
	s := bin.Start(b, Serve(`limit_req_zone $arg_k zone=z:1m rate=7r/s; limit_req_dry_run on; limit_req_log_level info; access_log off;`,
		`location / { limit_req zone=z burst=2; add_header X-Status $limit_req_status always; try_files /none =204; }`), Options{Clock: true})
	c := s.Dial(b, netip.Addr{})
	defer c.Close()
	at := StartMono
	for b.Loop() {
		at += 3
		s.Clock.Set(at)
		if _, err := c.Get("/?k=a"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPipelinedDecisions(b *testing.B) {
	bin := Need(b)
	s := bin.Start(b, Serve(`limit_req_zone $arg_k zone=z:1m rate=7r/s; limit_req_dry_run on; limit_req_log_level info; access_log off;`,
		`location / { limit_req zone=z burst=2; add_header X-Status $limit_req_status always; try_files /none =204; }`), Options{Clock: true})
	c := s.Dial(b, netip.Addr{})
	defer c.Close()
	batch := AppendGet(nil, "/?k=a")
	one := len(batch)
	for len(batch)/one < 16 {
		batch = AppendGet(batch, "/?k=a")
	}
	at := StartMono
	for i := 0; b.Loop(); i++ {
		if i%16 == 0 {
			at += 3
			s.Clock.Set(at)
			if err := c.Send(batch); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := c.Receive(); err != nil {
			b.Fatal(err)
		}
	}
}
