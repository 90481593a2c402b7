// Command nglimit reviews the rate and connection limits of an nginx
// configuration and replays access logs through them. It knows flags, files
// and exit codes; everything else is below it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/nglimit/nglimit/cmd/nglimit/report"
)

// The exit codes of every command.
const (
	exitClean    = 0
	exitFindings = 1 // findings, or a gate, at or above --fail-on
	exitUsage    = 2 // wrong flags or arguments
	exitUnread   = 3 // something could not be read or judged
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root := newRootCmd(&streams{in: stdin, out: stdout, err: stderr})
	root.SetArgs(args)
	return exitCode(root.ExecuteContext(ctx), stderr)
}

// streams are the three standard streams.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// exit is an outcome that is no fault: its report is already written.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// usageError is a fault of the command line.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

func exitCode(err error, stderr io.Writer) int {
	var outcome exit
	var usage usageError
	switch {
	case err == nil:
		return exitClean
	case errors.As(err, &outcome):
		return int(outcome)
	case errors.Is(err, syscall.EPIPE), errors.Is(err, io.ErrClosedPipe):
		return exitUnread // the reader of the report went away; it needs no message
	case errors.As(err, &usage):
		_, _ = fmt.Fprintf(stderr, "nglimit: %s\n", report.Safe(err.Error()))
		return exitUsage
	default:
		_, _ = fmt.Fprintf(stderr, "nglimit: %s\n", report.Safe(err.Error()))
		return exitUnread
	}
}
