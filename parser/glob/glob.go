package glob

import (
	"io/fs"
	"sort"
	"strings"
)

// FS is the part of a file system that patterns are matched against.
type FS interface {
	ReadDir(name string) ([]fs.DirEntry, error)
	Stat(name string) (fs.FileInfo, error)
}

// HasMeta tells whether nginx takes a name for a pattern
// (ngx_conf_file.c:ngx_conf_include).
func HasMeta(name string) bool { return strings.ContainsAny(name, "*?[") }

// Match lists the paths that match a pattern, sorted by byte as whole paths.
// What cannot be read matches nothing.
func Match(fsys FS, pattern string) []string {
	found := []string{""}
	rest := pattern
	for rest != "" {
		slashes := len(rest) - len(strings.TrimLeft(rest, "/"))
		lead := rest[:slashes]
		rest = rest[slashes:]
		part := rest
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			part = rest[:i]
		}
		rest = rest[len(part):]
		found = expand(fsys, found, lead, part, rest == "")
	}
	sort.Strings(found)
	return found
}

// expand adds one component to each of the paths; last tells that nothing
// follows it.
func expand(fsys FS, dirs []string, lead, part string, last bool) []string {
	var out []string
	if part == "" && len(dirs) > 0 && dirs[0] != "" {
		lead = "/" // glibc shortens slashes at the end
	}
	for _, dir := range dirs {
		dir += lead
		if !HasMeta(part) && !strings.Contains(part, `\`) {
			if name := dir + part; !last || exists(fsys, name, dir, part) {
				out = append(out, name)
			}
			continue
		}
		out = append(out, matching(fsys, dir, part, last)...)
	}
	return out
}

// matching lists the paths in a folder whose names match a component. The
// folder itself and the one above are among the names, as readdir(3) has them.
func matching(fsys FS, dir, part string, last bool) (out []string) {
	entries := list(fsys, dir)
	if entries == nil {
		return nil
	}
	for _, dots := range []string{".", ".."} {
		if component(part, dots) {
			out = append(out, dir+dots)
		}
	}
	for _, e := range entries {
		if component(part, e.Name()) && (last || isFolder(fsys, dir, e)) {
			out = append(out, dir+e.Name())
		}
	}
	return out
}

// exists tells whether a name without wildcards is there; a dangling link is.
func exists(fsys FS, name, dir, part string) bool {
	if _, err := fsys.Stat(name); err == nil {
		return true
	}
	for _, e := range list(fsys, dir) {
		if e.Name() == part {
			return true
		}
	}
	return false
}

func isFolder(fsys FS, dir string, e fs.DirEntry) bool {
	if e.IsDir() {
		return true
	}
	if e.Type()&fs.ModeSymlink == 0 {
		return false
	}
	info, err := fsys.Stat(dir + e.Name())
	return err == nil && info.IsDir()
}

func list(fsys FS, dir string) []fs.DirEntry {
	if dir == "" {
		dir = "."
	}
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return nil
	}
	if entries == nil {
		entries = []fs.DirEntry{}
	}
	return entries
}
