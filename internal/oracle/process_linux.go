package oracle

import (
	"os/exec"
	"syscall"
)

// dieWithParent lets no nginx outlive a test that is killed. A master must have
// the chance to end its workers.
func dieWithParent(cmd *exec.Cmd, how syscall.Signal) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: how}
}

func hangUp(cmd *exec.Cmd) error { return cmd.Process.Signal(syscall.SIGHUP) }
