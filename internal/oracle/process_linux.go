package oracle

import (
	"os/exec"
	"syscall"
)

// dieWithParent lets no nginx outlive a test that is killed.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}

func hangUp(cmd *exec.Cmd) error { return cmd.Process.Signal(syscall.SIGHUP) }
