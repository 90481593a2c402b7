package oracle

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files is a tree of configuration files by slash-separated relative name. The
// one nginx reads is "nginx.conf"; includes are relative to it.
type Files map[string]string

// Conf is a tree of one file.
func Conf(text string) Files { return Files{"nginx.conf": text} }

// Dir reads a folder, as of fixtures, with everything below it.
func Dir(t testing.TB, dir string) Files {
	t.Helper()
	files := Files{}
	tree := os.DirFS(dir)
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		files[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatalf("read %s: %v", dir, err)
	}
	return files
}

// scratch makes a prefix for nginx that goes with the test. It is not
// t.TempDir, which other users, as those of nginx's workers, cannot enter.
func scratch(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "nglimit-oracle-") //nolint:usetesting // t.TempDir is closed to nginx's workers
	if err != nil {
		t.Fatalf("make a scratch folder: %v", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for _, sub := range []string{"", "logs", "tmp", "html"} {
		path := filepath.Join(dir, sub)
		if err := os.MkdirAll(path, 0o777); err != nil {
			t.Fatalf("make a scratch folder: %v", err)
		}
		// The umask may have taken bits that a worker of another user needs.
		if err := os.Chmod(path, 0o777); err != nil {
			t.Fatalf("open the scratch folder: %v", err)
		}
	}
	return dir
}

// located gives Addr a meaning.
func located(files Files, addr string) Files {
	placed := make(Files, len(files))
	for name, text := range files {
		placed[name] = strings.ReplaceAll(text, Addr, addr)
	}
	return placed
}

// write puts the files below dir, where names cannot lead out of it.
func (f Files) write(dir string) error {
	for name, text := range f {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("write %q: not a local name", name)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.WriteFile(path, []byte(text), 0o666); err == nil {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return fmt.Errorf("write %q: %w", name, err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return fmt.Errorf("write %q: %w", name, err)
		}
	}
	return nil
}
