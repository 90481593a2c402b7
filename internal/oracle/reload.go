package oracle

import (
	"fmt"
	"strings"
	"time"
)

// Reload gives the running nginx another configuration. It returns when the
// new one serves and the old worker is gone, or with the message of nginx when
// it refused and kept the old one. Connections should be closed before, for an
// old worker stays with its requests. It needs a configuration [WithMaster].
func (s *Server) Reload(conf string) error {
	s.t.Helper()
	if !strings.Contains(s.ErrorLog(), "start worker process") {
		// Each reload of a single process takes its connections anew and loses
		// the old ones, until "worker_connections are not enough".
		s.t.Fatal("a reload needs a master process, and an error log at the level notice")
	}
	s.write(Conf(conf))
	before := len(s.ErrorLog())
	end, again := time.Now().Add(patience), time.Now()
	for ; time.Now().Before(end); time.Sleep(time.Millisecond) {
		news := s.ErrorLog()[before:]
		if done, err := reloaded(news); done {
			if s.Clock != nil {
				s.Clock.Sync()
			}
			return err
		}
		// A signal that comes between nginx's look at its flags and its wait is
		// not noticed until the next event.
		if !time.Now().Before(again) && !strings.Contains(news, "reconfiguring") {
			if err := hangUp(s.cmd); err != nil {
				return fmt.Errorf("signal nginx: %w", err)
			}
			again = time.Now().Add(time.Second)
		}
	}
	return fmt.Errorf("nginx did not reload: %s", s.ErrorLog()[before:])
}

// reloaded judges what the error log says since the signal. The master starts
// workers and then lets the old ones go
// (ngx_process_cycle.c:ngx_master_process_cycle).
func reloaded(news string) (done bool, err error) {
	if _, emerg, refused := strings.Cut(news, "[emerg] "); refused {
		if message, _, whole := strings.Cut(emerg, "\n"); whole {
			_, message, _ = strings.Cut(message, ": ")
			return true, fmt.Errorf("nginx refused: %s", message)
		}
	}
	return strings.Contains(news, "start worker process") && strings.Contains(news, "exited with code"), nil
}
