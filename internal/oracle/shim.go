package oracle

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The sources stand in a folder of their own because go build refuses C files
// beside Go files without cgo.
var (
	//go:embed shim/clock.c
	clockSource []byte
	//go:embed shim/check.c
	checkSource []byte
)

// compile makes a shared library of C source, once per source and machine, and
// returns its path.
func compile(t testing.TB, source []byte) string {
	t.Helper()
	cc := compiler()
	if cc == nil {
		missing(t, "there is no C compiler (CC, cc, gcc, clang) for the preloaded library")
	}
	sum := sha256.Sum256(source)
	dir := filepath.Join(os.TempDir(), "nglimit-oracle-shim-"+strconv.Itoa(os.Getuid()))
	lib := filepath.Join(dir, hex.EncodeToString(sum[:8])+".so")
	if _, err := os.Stat(lib); err == nil {
		return lib
	}
	if err := build(cc, source, dir, lib); err != nil {
		t.Fatalf("compile the preloaded library: %v", err)
	}
	return lib
}

// build compiles beside lib and renames, for tests of other packages may do
// the same at the same time.
func build(cc []string, source []byte, dir, lib string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(dir, "build-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	from, to := filepath.Join(tmp, "shim.c"), filepath.Join(tmp, "shim.so")
	if err = os.WriteFile(from, source, 0o600); err != nil {
		return err
	}
	args := append(cc[1:len(cc):len(cc)], "-O2", "-Wall", "-shared", "-fPIC", "-o", to, from)
	out, err := exec.Command(cc[0], args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", cc[0], err, out)
	}
	return os.Rename(to, lib)
}

// compiler is the command of a C compiler with its flags, as CC gives it; nil
// when there is none.
func compiler() []string {
	if cc := strings.Fields(os.Getenv("CC")); len(cc) > 0 {
		return cc
	}
	for _, name := range []string{"cc", "gcc", "clang"} {
		if path, err := exec.LookPath(name); err == nil {
			return []string{path}
		}
	}
	return nil
}
