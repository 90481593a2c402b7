package oracle

import (
	"maps"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Options are what a server may have beyond one configuration file.
type Options struct {
	Clock bool  // run on a virtual clock; needs a single process, as Preamble has it
	Files Files // further files, as for include; [Addr] is replaced in them too
}

// Server is one running nginx.
type Server struct {
	Nginx Nginx
	Addr  netip.AddrPort // what [Addr] stands for in the configuration
	Dir   string         // the prefix
	Clock *Clock         // nil on real time

	t      testing.TB
	cmd    *exec.Cmd
	output *os.File // what it printed before it had logs
	exited chan struct{}
	seen   map[string]int64 // by name of a log, how much News has returned
}

// patience is how long nginx may take for what it does in milliseconds; a
// machine may be busy, but a test must end.
const patience = 20 * time.Second

// Start runs nginx with a configuration, as [Serve] makes one, until the test
// ends. It returns when nginx accepts connections at Addr, and fails the test
// when nginx does not come up.
func (n Nginx) Start(t testing.TB, conf string, opts Options) *Server {
	t.Helper()
	s := &Server{Nginx: n, t: t, Addr: freeAddr(t), Dir: scratch(t), exited: make(chan struct{})}
	files := Files{"nginx.conf": conf}
	maps.Copy(files, opts.Files)
	s.write(files)
	s.launch(conf, opts)
	t.Cleanup(s.stop)
	s.await()
	if s.Clock != nil {
		s.Clock.awaitAccepted(0)
	}
	return s
}

func (s *Server) write(files Files) {
	s.t.Helper()
	if err := located(files, s.Addr.String()).write(s.Dir); err != nil {
		s.t.Fatalf("write the configuration: %v", err)
	}
}

func (s *Server) launch(conf string, opts Options) {
	s.t.Helper()
	output, err := os.Create(filepath.Join(s.Dir, "output"))
	if err != nil {
		s.t.Fatalf("make a file for the output of nginx: %v", err)
	}
	s.output = output
	s.cmd = exec.Command(s.Nginx.Path, "-p", s.Dir, "-c", filepath.Join(s.Dir, "nginx.conf"), "-e", "logs/boot.log")
	s.cmd.Stdout, s.cmd.Stderr = output, output
	s.cmd.Env = os.Environ()
	if opts.Clock {
		s.Clock = newClock(s.t)
		s.Clock.attach(s.cmd)
		s.cmd.Env = append(s.cmd.Env, "LD_PRELOAD="+compile(s.t, clockSource))
	}
	dieWithParent(s.cmd, syscall.SIGTERM)
	if strings.Contains(conf, "master_process off;") {
		dieWithParent(s.cmd, syscall.SIGKILL)
	}
	if err := s.cmd.Start(); err != nil {
		s.t.Fatalf("start %s: %v", s.Nginx.Path, err)
	}
	go func() {
		_ = s.cmd.Wait()
		close(s.exited)
	}()
}

// await returns when nginx accepts. The attempts before it listens are
// refused, so that it always sees exactly one connection from here.
func (s *Server) await() {
	s.t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); {
		conn, err := net.DialTimeout("tcp4", s.Addr.String(), time.Second)
		if err == nil {
			_ = conn.Close()
			return
		}
		select {
		case <-s.exited:
			s.t.Fatalf("nginx did not start:\n%s%s", s.Output(), s.ErrorLog())
		case <-time.After(2 * time.Millisecond):
		}
	}
	s.t.Fatalf("nginx does not listen on %s:\n%s%s", s.Addr, s.Output(), s.ErrorLog())
}

// stop asks nginx to go, and insists after a while. It asks again and again,
// for a signal between nginx's look at its flags and its wait goes unnoticed.
func (s *Server) stop() {
	for range 40 {
		_ = s.cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-s.exited:
			s.closed()
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
	_ = s.cmd.Process.Kill()
	<-s.exited
	s.closed()
}

func (s *Server) closed() {
	if s.t.Failed() {
		s.t.Logf("end of nginx's error log:\n%s", tail(s.Output()+s.ErrorLog(), 4000))
	}
	_ = s.output.Close()
	if s.Clock != nil {
		s.Clock.close()
	}
}

func tail(text string, size int) string {
	return text[max(0, len(text)-size):]
}
