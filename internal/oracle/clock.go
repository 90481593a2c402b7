package oracle

import (
	"os"
	"os/exec"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

// Millis counts milliseconds. That of the monotonic clock decides limits and
// timers; that of the real clock, since 1970, is what logs show.
type Millis = int64

// Where a virtual clock starts: 2023-11-14 22:13:20 UTC, a day after boot.
const (
	StartMono Millis = 100_000_000
	StartReal Millis = 1_700_000_000_000
)

// Clock is the time that one nginx sees. Its methods fail the test it was made
// for when nginx does not go along.
type Clock struct {
	t      testing.TB
	page   *page
	memory []byte
	ask    *os.File // written to ask whether nginx is idle
	answer *os.File // read for the answer
	shared *os.File
	mono   Millis
	ahead  Millis // real less monotonic
}

// page is shared with nginx; its layout is that of shim/clock.c.
type page struct {
	mono, real int64 // nanoseconds
	asked      uint64
	answered   uint64
	timer      int64 // Millis, -1 none
	accepted   uint64
}

const pageSize = 4096

// Set moves both clocks to a monotonic time, forth or back. Nginx sees it with
// the next event: no timer fires for it until Sync, which makes the order of a
// test's steps the order in which they happen. A connection that is older than
// the clock, after it moved back, is closed with its next response: its age
// overflows (ngx_http_core_module.c:ngx_http_update_location_config).
func (c *Clock) Set(mono Millis) {
	c.mono = mono
	atomic.StoreInt64(&c.page.mono, mono*1e6)
	atomic.StoreInt64(&c.page.real, (mono+c.ahead)*1e6)
}

// Advance moves both clocks on and lets nginx do what is due by then, its
// timers included.
func (c *Clock) Advance(span Millis) {
	c.t.Helper()
	c.Set(c.mono + span)
	c.Sync()
}

// StepReal moves the real clock alone, as a correction of the time does.
func (c *Clock) StepReal(span Millis) {
	c.ahead += span
	c.Set(c.mono)
}

// Mono is the monotonic time.
func (c *Clock) Mono() Millis { return c.mono }

// Real is the real time.
func (c *Clock) Real() Millis { return c.mono + c.ahead }

// NextTimer is the monotonic time at which nginx's next timer is due; there
// may be none. Call it after Sync.
func (c *Clock) NextTimer() (due Millis, some bool) {
	due = atomic.LoadInt64(&c.page.timer)
	return due, due >= 0
}

// attach hands the clock to a process that is about to start.
func (c *Clock) attach(cmd *exec.Cmd) {
	first := 3 + len(cmd.ExtraFiles)
	cmd.ExtraFiles = append(cmd.ExtraFiles, c.shared, c.ask, c.answer)
	cmd.Env = append(cmd.Env, "ORACLE_CLOCK="+strconv.Itoa(first))
}

// awaitAccepted returns when nginx has accepted more connections than before.
func (c *Clock) awaitAccepted(before uint64) {
	c.t.Helper()
	for end := time.Now().Add(patience); c.accepted() == before; {
		c.Sync()
		if time.Now().After(end) {
			c.t.Fatal("nginx accepts no connection, or not on the virtual clock")
		}
	}
	c.Sync()
}

func (c *Clock) accepted() uint64 { return atomic.LoadUint64(&c.page.accepted) }

func (c *Clock) share(memory []byte) {
	c.memory = memory
	c.page = (*page)(unsafe.Pointer(&memory[0]))
}
