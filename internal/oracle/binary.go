package oracle

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Nginx is one nginx binary.
type Nginx struct {
	Path    string
	Version Version
	Debug   bool     // built --with-debug: error_log can have the level debug
	Modules []string // optional modules built in, as "http_v2_module"; sorted
	modules string   // where load_module finds dynamic modules; "" unknown
}

// Bins returns every nginx there is to test with: those that NGINX_BINS names
// (separated by colons or spaces), else the one of the system. Without any the
// test is skipped, or fails with REQUIRE_NGINX=1.
func Bins(t testing.TB) []Nginx {
	t.Helper()
	if runtime.GOOS != "linux" {
		missing(t, "nginx is driven on linux only")
	}
	var bins []Nginx
	for _, path := range paths() {
		bin, err := inspect(path)
		if err != nil {
			t.Fatalf("inspect %s: %v", path, err)
		}
		bins = append(bins, bin)
	}
	if len(bins) == 0 {
		missing(t, "no nginx: neither NGINX_BINS nor nginx in PATH nor /usr/sbin/nginx")
	}
	return bins
}

// Need returns the first of [Bins].
func Need(t testing.TB) Nginx {
	t.Helper()
	return Bins(t)[0]
}

// Has reports whether a module is built in, by the name of its configure
// option: "http_v2_module" for --with-http_v2_module.
func (n Nginx) Has(module string) bool {
	_, found := slices.BinarySearch(n.Modules, module)
	return found
}

// HTTP2 gives the directives for a server that listens on addr with HTTP/2;
// the directive http2 came, and the parameter of listen went, with 1.25.1.
func (n Nginx) HTTP2(addr string) string {
	if n.Version.AtLeast(1, 25, 1) {
		return "listen " + addr + "; http2 on;"
	}
	return "listen " + addr + " http2;"
}

// missing ends the test for want of something outside this repository.
func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("REQUIRE_NGINX") == "1" {
		t.Fatalf("REQUIRE_NGINX=1, but %s", what)
	}
	t.Skipf("SKIPPED, NOT TESTED AGAINST NGINX: %s", what)
}

func paths() []string {
	if named := os.Getenv("NGINX_BINS"); named != "" {
		return strings.FieldsFunc(named, func(r rune) bool { return r == ':' || r == ' ' || r == '\n' })
	}
	if path, err := exec.LookPath("nginx"); err == nil {
		return []string{path}
	}
	// Debian keeps it where a user's PATH does not look.
	if path, err := exec.LookPath("/usr/sbin/nginx"); err == nil {
		return []string{path}
	}
	return nil
}

func inspect(path string) (Nginx, error) {
	out, err := exec.Command(path, "-V").CombinedOutput()
	if err != nil {
		return Nginx{}, fmt.Errorf("run nginx -V: %w", err)
	}
	version, err := parseVersion(string(out))
	if err != nil {
		return Nginx{}, fmt.Errorf("read nginx -V: %w", err)
	}
	n := Nginx{Path: path, Version: version}
	for arg := range strings.FieldsSeq(string(out)) {
		n.configured(arg)
	}
	slices.Sort(n.Modules)
	return n, nil
}

// configured takes in one argument of configure, as nginx -V prints them. A
// module "=dynamic" is not built in.
func (n *Nginx) configured(arg string) {
	option, dynamic := strings.CutSuffix(strings.TrimPrefix(arg, "--with-"), "=dynamic")
	switch {
	case arg == "--with-debug":
		n.Debug = true
	case strings.HasPrefix(arg, "--modules-path="):
		n.modules = strings.TrimPrefix(arg, "--modules-path=")
	case strings.HasPrefix(arg, "--with-") && strings.HasSuffix(option, "_module") && !dynamic:
		n.Modules = append(n.Modules, option)
	}
}
