package pcre

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// oracle is PCRE2 itself behind a pipe.
type oracle struct {
	in  *bufio.Writer
	out *bufio.Reader
}

// verdictOf is what PCRE2 says about a pattern and its subjects.
type verdictOf struct {
	code    int32 // 0 if it compiled
	offset  int
	message string
	groups  int
	rows    []row
}

type row struct {
	code   int32 // of pcre2_match
	result Result
	caps   []int
}

// newOracle builds the program in testdata, once per test that asks for it.
// Without a C compiler or PCRE2's header the test is skipped, unless REQUIRE_PCRE2
// or REQUIRE_NGINX is set.
func newOracle(t testing.TB) *oracle {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "oracle")
	out, err := exec.Command("cc", "-O2", "-o", bin, filepath.Join("testdata", "oracle.c"), "-lpcre2-8").CombinedOutput()
	if err != nil {
		if os.Getenv("REQUIRE_PCRE2") != "" || os.Getenv("REQUIRE_NGINX") != "" {
			t.Fatalf("the PCRE2 oracle does not build (Debian: libpcre2-dev and a C compiler): %v\n%s", err, out)
		}
		t.Skipf("SKIPPED: NOT COMPARED WITH PCRE2, which needs cc and libpcre2-dev: %v", err)
	}
	cmd := exec.Command(bin)
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	return &oracle{in: bufio.NewWriterSize(stdin, 1<<16), out: bufio.NewReaderSize(stdout, 1<<16)}
}

// ask puts one pattern with its subjects to PCRE2.
func (o *oracle) ask(t testing.TB, pattern string, caseless bool, subjects ...string) verdictOf {
	t.Helper()
	o.send(pattern, caseless, subjects)
	require.NoError(t, o.in.Flush())
	v, err := o.receive(len(subjects))
	require.NoError(t, err, "oracle died on %q", pattern)
	return v
}

func (o *oracle) send(pattern string, caseless bool, subjects []string) {
	flag := byte(0)
	if caseless {
		flag = 1
	}
	_ = o.in.WriteByte(flag)
	o.text(pattern)
	o.number(len(subjects))
	for _, s := range subjects {
		o.text(s)
	}
}

func (o *oracle) number(n int) {
	_, _ = o.in.Write(binary.NativeEndian.AppendUint32(nil, uint32(n)))
}

func (o *oracle) text(s string) {
	o.number(len(s))
	_, _ = o.in.WriteString(s)
}

// errShort is set by reads that fail.
var errShort = errors.New("short answer")

func (o *oracle) receive(subjects int) (v verdictOf, err error) {
	get := func() int32 {
		var b [4]byte
		if _, e := io.ReadFull(o.out, b[:]); e != nil {
			err = errors.Join(errShort, e)
		}
		return int32(binary.NativeEndian.Uint32(b[:]))
	}
	v.code, v.offset = get(), int(get())
	message := make([]byte, get())
	if _, e := io.ReadFull(o.out, message); e != nil || err != nil {
		return v, errors.Join(errShort, e)
	}
	v.message = string(message)
	if v.code != 0 {
		return v, nil
	}
	v.groups = int(get())
	for range subjects {
		r := row{code: get()}
		r.result = resultOf(r.code)
		for i := 0; r.result == Match && i < 2*(v.groups+1); i++ {
			r.caps = append(r.caps, int(get()))
		}
		v.rows = append(v.rows, r)
	}
	return v, err
}

// matchLimit is PCRE2_ERROR_MATCHLIMIT.
const matchLimit = -47

// resultOf reads a return code as nginx does: -1 is no match, anything below an
// error.
func resultOf(rc int32) Result {
	switch {
	case rc > 0:
		return Match
	case rc == -1:
		return NoMatch
	}
	return Failed
}
