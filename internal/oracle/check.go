package oracle

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Result is what nginx -t says of a configuration.
type Result struct {
	OK       bool
	Output   string // all that it printed
	Messages []Message
}

// Test judges one configuration as nginx -t does. See [Checker] for what does
// not matter.
func (n Nginx) Test(t testing.TB, files Files) Result {
	t.Helper()
	return n.Checker(t).Test(files)
}

// Checker judges configurations, one after the other, as nginx -t does with
// them, but independent of the machine: addresses need not exist nor ports be
// free, users exist, names of hosts resolve unless they end in ".invalid",
// nothing is created and no right is missing. What is read must be there:
// includes, certificates.
//
// It is nginx itself, forked from a process that stands before the opening of
// its configuration; it is for one goroutine.
type Checker struct {
	t        testing.TB
	dir      string
	written  Files
	output   *os.File
	orders   *os.File
	statuses *os.File
}

// Checker starts a checker, which ends with the test.
func (n Nginx) Checker(t testing.TB) *Checker {
	t.Helper()
	c := &Checker{t: t, dir: scratch(t)}
	if n.modules != "" {
		// load_module looks below the prefix, where Debian has such a link.
		_ = os.Symlink(n.modules, filepath.Join(c.dir, "modules"))
	}
	conf := filepath.Join(c.dir, "nginx.conf")
	cmd := exec.Command(n.Path, "-t", "-q", "-p", c.dir, "-c", conf, "-e", "logs/boot.log")
	cmd.Env = append(os.Environ(), "LD_PRELOAD="+compile(t, checkSource), "ORACLE_FORK=3", "ORACLE_CONF="+conf)
	if err := c.start(cmd); err != nil {
		t.Fatalf("start a checker with %s: %v", n.Path, err)
	}
	t.Cleanup(func() {
		_ = c.orders.Close()
		_ = cmd.Wait()
		_ = c.statuses.Close()
		_ = c.output.Close()
	})
	return c
}

func (c *Checker) start(cmd *exec.Cmd) error {
	output, err := os.OpenFile(filepath.Join(c.dir, "output"), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	theirOrders, orders, err := os.Pipe()
	if err != nil {
		return err
	}
	statuses, theirStatuses, err := os.Pipe()
	if err != nil {
		return err
	}
	c.output, c.orders, c.statuses = output, orders, statuses
	cmd.Stdout, cmd.Stderr = output, output
	cmd.ExtraFiles = []*os.File{theirOrders, theirStatuses}
	dieWithParent(cmd, syscall.SIGKILL)
	err = cmd.Start()
	_ = theirOrders.Close()
	_ = theirStatuses.Close()
	return err
}

// Test judges a configuration, in which [Addr] stands for some address.
func (c *Checker) Test(files Files) Result {
	c.t.Helper()
	if err := c.replace(files); err != nil {
		c.t.Fatalf("give nginx the configuration: %v", err)
	}
	ended, err := c.run()
	if err != nil {
		out, _ := c.printed()
		c.t.Fatalf("nginx -t: %v\n%s", err, out)
	}
	out, err := c.printed()
	if err != nil {
		c.t.Fatalf("read what nginx -t printed: %v", err)
	}
	if signal := ended.signal(); signal != 0 {
		out += fmt.Sprintf("nginx: ended by signal %d\n", signal)
	}
	return Result{OK: ended == 0, Output: out, Messages: parseMessages(out, c.dir)}
}

// replace puts files in the place of those of the configuration before.
func (c *Checker) replace(files Files) error {
	for name := range c.written {
		if _, again := files[name]; !again {
			if err := os.Remove(filepath.Join(c.dir, filepath.FromSlash(name))); err != nil {
				return err
			}
		}
	}
	c.written = located(files, "127.77.0.1:8080")
	if err := c.written.write(c.dir); err != nil {
		return err
	}
	return c.output.Truncate(0)
}

func (c *Checker) run() (status, error) {
	if _, err := c.orders.Write([]byte{'t'}); err != nil {
		return 0, err
	}
	if err := c.statuses.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return 0, err
	}
	var word [4]byte
	if _, err := io.ReadFull(c.statuses, word[:]); err != nil {
		return 0, err
	}
	return status(binary.NativeEndian.Uint32(word[:])), nil
}

func (c *Checker) printed() (string, error) {
	info, err := c.output.Stat()
	if err != nil {
		return "", err
	}
	text := make([]byte, info.Size())
	n, err := c.output.ReadAt(text, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return string(text[:n]), nil
}

// status is that of wait(2).
type status uint32

func (s status) signal() int { return int(s & 0x7f) }
