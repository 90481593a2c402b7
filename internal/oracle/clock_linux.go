package oracle

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func newClock(t testing.TB) *Clock {
	t.Helper()
	c := &Clock{t: t, ahead: StartReal - StartMono}
	shared, err := os.Create(filepath.Join(t.TempDir(), "clock"))
	if err != nil {
		t.Fatalf("make the clock: %v", err)
	}
	c.shared = shared
	if err = shared.Truncate(pageSize); err != nil {
		t.Fatalf("make the clock: %v", err)
	}
	memory, err := syscall.Mmap(int(shared.Fd()), 0, pageSize, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		t.Fatalf("share the clock: %v", err)
	}
	c.share(memory)
	c.ask, c.answer = eventfd(t, "ask"), eventfd(t, "answer")
	c.Set(StartMono)
	return c
}

func eventfd(t testing.TB, name string) *os.File {
	t.Helper()
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC)
	if err != nil {
		t.Fatalf("make the eventfd %s: %v", name, err)
	}
	return os.NewFile(uintptr(fd), name)
}

// Sync returns when nginx has nothing left to do: it waits, nothing is ready,
// and no timer is due at the time that is set.
func (c *Clock) Sync() {
	c.t.Helper()
	asked := atomic.AddUint64(&c.page.asked, 1)
	var one [8]byte
	binary.NativeEndian.PutUint64(one[:], 1)
	if _, err := unix.Write(int(c.ask.Fd()), one[:]); err != nil {
		c.t.Fatalf("ask nginx whether it is idle: %v", err)
	}
	for atomic.LoadUint64(&c.page.answered) < asked {
		if !c.heard() {
			c.t.Fatalf("nginx is not idle after %s", patience)
		}
	}
}

// heard waits for one answer, which may be that to an earlier question.
func (c *Clock) heard() bool {
	fd := int(c.answer.Fd())
	fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
	for {
		n, err := unix.Poll(fds, int(patience.Milliseconds()))
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || n == 0 {
			return false
		}
		var count [8]byte
		_, err = unix.Read(fd, count[:])
		return err == nil
	}
}

func (c *Clock) close() {
	_ = syscall.Munmap(c.memory)
	_ = c.shared.Close()
	_ = c.ask.Close()
	_ = c.answer.Close()
}
