package main

import (
	"errors"
	"os/exec"
	"strconv"
)

func exitStatus(err error) string {
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return strconv.Itoa(failed.ExitCode())
	}
	return err.Error()
}
