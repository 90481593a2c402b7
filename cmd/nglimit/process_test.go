//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// nglimit is the real program: this test binary under its name.
func nglimit(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Args = append([]string{"nglimit"}, args...)
	return cmd
}

const oneRequest = `{"msec":"1780304400.000","request_time":"0.000","remote_addr":"203.0.113.7","host":"shop.example","request_method":"GET","request_uri":"/","status":"200","http_user_agent":"A"}` + "\n"

func TestInterruptEndsWithAPartialReport(t *testing.T) {
	cmd := nglimit(t, "replay", "-c", "demo/nginx.conf", "--events", t.TempDir()+"/events", "-")
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Start())
	// More than one block, so that some of it has been taken when the next read hangs.
	_, err = io.WriteString(stdin, strings.Repeat(oneRequest, 10_000))
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	err = cmd.Wait()
	require.Error(t, err)
	assert.Equal(t, exitUnread, cmd.ProcessState.ExitCode())
	assert.Contains(t, stdout.String(), "PARTIAL")
	assert.Contains(t, stderr.String(), "the report is partial")
}

func TestClosedStdoutEndsQuietly(t *testing.T) {
	for _, args := range [][]string{
		{"demo"},
		{"rules"},
		{"lint", "demo/nginx.conf"},
		{"replay", "-c", "demo/nginx.conf", "--events", "-", "demo/access.log.gz"},
	} {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		require.NoError(t, r.Close())
		cmd := nglimit(t, args...)
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = w, &stderr
		err = cmd.Run()
		require.NoError(t, w.Close())
		require.Error(t, err, "%v: its report was not taken", args)
		status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
		require.True(t, ok)
		assert.True(t, status.Signaled() && status.Signal() == syscall.SIGPIPE || status.ExitStatus() == exitUnread, "%v: %v", args, cmd.ProcessState)
		assert.Empty(t, stderr.String(), "%v", args)
	}
}
