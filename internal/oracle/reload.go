package oracle

import (
	"fmt"
	"strings"
	"time"
)

// Reload gives the running nginx another configuration. It returns when the
// new one serves, or with the message of nginx when it refused and kept the
// old one. The error log must be at the level notice, as in [Preamble].
func (s *Server) Reload(conf string) error {
	s.t.Helper()
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

// reloaded judges what the error log says since the signal. The last word of
// ngx_cycle.c:ngx_init_cycle is that of ngx_event.c:ngx_event_module_init. A
// master then starts workers and lets the old ones go
// (ngx_process_cycle.c:ngx_master_process_cycle).
func reloaded(news string) (done bool, err error) {
	if _, emerg, refused := strings.Cut(news, "[emerg] "); refused {
		if message, _, whole := strings.Cut(emerg, "\n"); whole {
			_, message, _ = strings.Cut(message, ": ")
			return true, fmt.Errorf("nginx refused: %s", message)
		}
	}
	if !strings.Contains(news, `using the "epoll" event method`) {
		return false, nil
	}
	// A master says so before it opens the shared zones; with workers wait for
	// the old one to leave.
	if strings.Contains(news, "start worker process") {
		return strings.Contains(news, "exited with code"), nil
	}
	return !strings.Contains(news, "reconfiguring, master"), nil
}
