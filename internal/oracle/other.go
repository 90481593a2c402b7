//go:build !linux

package oracle

import (
	"errors"
	"net/netip"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// Nothing here is reached: Bins skips on these systems. It lets packages whose
// tests use the oracle compile everywhere.

func dieWithParent(*exec.Cmd, syscall.Signal) {}

func hangUp(*exec.Cmd) error { return errors.ErrUnsupported }

func newClock(t testing.TB) *Clock {
	t.Helper()
	t.Fatal("virtual clocks are for linux")
	return nil
}

// Sync is for linux.
func (c *Clock) Sync() { c.t.Fatal("virtual clocks are for linux") }

func (c *Clock) close() {}

type socket int

func connect(netip.Addr, netip.AddrPort, time.Duration) (socket, error) {
	return 0, errors.ErrUnsupported
}

func (socket) send([]byte) error           { return errors.ErrUnsupported }
func (socket) receive([]byte) (int, error) { return 0, errors.ErrUnsupported }
func (socket) arrived([]byte) (int, error) { return 0, errors.ErrUnsupported }
func (socket) close() error                { return errors.ErrUnsupported }
