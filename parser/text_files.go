package parser

import (
	"io/fs"
	"path"
	"sort"
	"strings"
	"syscall"
	"time"
)

// textFiles is a file system of texts by clean name, as a dump holds them.
type textFiles struct {
	texts map[string][]byte
	names []string // sorted
}

func newTextFiles(texts map[string][]byte) *textFiles {
	t := &textFiles{texts: map[string][]byte{}}
	for name, text := range texts {
		t.texts[path.Clean(name)] = text
	}
	for name := range t.texts {
		t.names = append(t.names, name)
	}
	sort.Strings(t.names)
	return t
}

// ReadFile returns the text of that name.
func (t *textFiles) ReadFile(name string) ([]byte, error) {
	if text, ok := t.texts[path.Clean(name)]; ok {
		return text, nil
	}
	if len(t.below(name)) > 0 {
		return nil, &fs.PathError{Op: "read", Path: name, Err: syscall.EISDIR}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// below lists the names in a folder and under it, without its own name.
func (t *textFiles) below(dir string) (rest []string) {
	dir = path.Clean(dir)
	prefix := dir + "/"
	switch dir {
	case ".":
		prefix = ""
	case "/":
		prefix = "/"
	}
	for i := sort.SearchStrings(t.names, prefix); i < len(t.names); i++ {
		name, ok := strings.CutPrefix(t.names[i], prefix)
		if !ok {
			break
		}
		if prefix != "" || !strings.HasPrefix(name, "/") {
			rest = append(rest, name)
		}
	}
	return rest
}

// ReadDir lists what the names imply to be in a folder, sorted.
func (t *textFiles) ReadDir(dir string) ([]fs.DirEntry, error) {
	var out []fs.DirEntry
	for _, rest := range t.below(dir) {
		name, _, isDir := strings.Cut(rest, "/")
		if n := len(out); n > 0 && out[n-1].Name() == name {
			continue
		}
		out = append(out, textEntry{name, isDir})
	}
	if out == nil {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrNotExist}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name() < out[j].Name() })
	return out, nil
}

// Stat tells files from folders.
func (t *textFiles) Stat(name string) (fs.FileInfo, error) {
	if _, ok := t.texts[path.Clean(name)]; ok {
		return textEntry{path.Base(name), false}, nil
	}
	if len(t.below(name)) > 0 {
		return textEntry{path.Base(name), true}, nil
	}
	return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrNotExist}
}

// textEntry is a name in a textFiles.
type textEntry struct {
	name  string
	isDir bool
}

func (e textEntry) Name() string               { return e.name }
func (e textEntry) IsDir() bool                { return e.isDir }
func (e textEntry) Type() fs.FileMode          { return e.Mode().Type() }
func (e textEntry) Info() (fs.FileInfo, error) { return e, nil }
func (e textEntry) Size() int64                { return 0 }
func (e textEntry) ModTime() time.Time         { return time.Time{} }
func (e textEntry) Sys() any                   { return nil }

func (e textEntry) Mode() fs.FileMode {
	if e.isDir {
		return fs.ModeDir | 0o755
	}
	return 0o644
}
