package main

import (
	"errors"
	"os/exec"
	"strconv"
)

func exitStatus(err error) string {
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		return strconv.Itoa(failed.ExitCode())
	}
	return err.Error()
}
