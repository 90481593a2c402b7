package parser

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// What is looked at in a folder: no deeper, and no larger files.
const (
	maxFolderDepth = 32
	maxRootSize    = 16 << 20
)

// Roots lists the files below a folder that a review starts from: first the
// main files of configurations, then the fragments that none of them includes.
func Roots(fsys FS, dir string) ([]string, error) {
	return FindRoots(dir, Options{FS: fsys})
}

// FindRoots is Roots with the options that the files will be parsed with, by
// which it knows what includes name.
func FindRoots(dir string, opts Options) ([]string, error) {
	s := &rootSearch{opts: opts, dir: dir, included: map[string]bool{}}
	if err := s.walk(dir, 0); err != nil {
		return nil, err
	}
	for _, f := range s.files {
		s.follow(f)
	}
	var mains, fragments []string
	for _, f := range s.files {
		switch {
		case s.included[f.name]:
		case f.main:
			mains = append(mains, f.name)
		case !s.spare(f.name):
			fragments = append(fragments, f.name)
		}
	}
	slices.Sort(mains)
	slices.Sort(fragments)
	return append(mains, fragments...), nil
}

// rootSearch collects the configuration files of a folder.
type rootSearch struct {
	opts     Options
	dir      string
	files    []rootFile
	included map[string]bool // by clean name
}

// rootFile is a file that may be a root.
type rootFile struct {
	name     string
	main     bool // it has what only a main file has
	includes []string
}

func (s *rootSearch) walk(dir string, depth int) error {
	entries, err := s.opts.FS.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			if depth < maxFolderDepth && !uninteresting(e.Name()) {
				_ = s.walk(name, depth+1) // a folder that cannot be read holds no root
			}
		case e.Type()&fs.ModeType == 0 || e.Type()&fs.ModeSymlink != 0:
			if promising(name) {
				s.consider(name)
			}
		}
	}
	return nil
}

// uninteresting tells the folders in which no configuration is kept.
func uninteresting(name string) bool {
	return strings.HasPrefix(name, ".") && name != "." && name != ".." || name == "node_modules" || name == "vendor"
}

// promising tells by its name whether a file may be a configuration.
func promising(name string) bool {
	base := path.Base(name)
	if strings.HasPrefix(base, ".") || strings.HasSuffix(base, "~") {
		return false
	}
	switch path.Ext(base) {
	case ".conf", ".nginx", ".vhost", ".template", ".tmpl", ".tpl", ".j2", ".erb":
		return true
	case "":
		folder := path.Base(path.Dir(name))
		return base == "nginx" || strings.HasSuffix(folder, ".d") || strings.HasPrefix(folder, "sites") ||
			folder == "vhosts" || folder == "snippets"
	}
	return false
}

// consider reads a file and keeps it if it looks like nginx's.
func (s *rootSearch) consider(name string) {
	info, err := s.opts.FS.Stat(name)
	if err == nil && (info.IsDir() || info.Size() > maxRootSize) {
		return
	}
	src, err := s.opts.FS.ReadFile(name)
	if err != nil {
		// What is there and cannot be read must not be passed over.
		if path.Base(name) == "nginx.conf" || !errors.Is(err, fs.ErrNotExist) {
			s.files = append(s.files, rootFile{name: name, main: true})
		}
		return
	}
	if _, texts := splitDump(src); texts != nil {
		s.files = append(s.files, rootFile{name: name, main: true})
		return
	}
	f := &File{Source: src, mask: placeholderMask(src)}
	if kept, ok := scanRoot(f); ok {
		kept.name = name
		s.files = append(s.files, kept)
	}
}

// scanRoot reads the statements of a file without keeping them; ok if most of
// the names are nginx's.
func scanRoot(f *File) (r rootFile, ok bool) {
	l := f.lexer()
	depth, known, names := 0, 0, 0
	for {
		end := l.next()
		switch {
		case end == endEOF:
			return r, known*2 > names
		case end == endClose:
			depth = max(depth-1, 0)
			continue
		case len(l.args) == 0:
		case l.args[0].Value == "include" && len(l.args) == 2 && !l.args[1].Template:
			r.includes = append(r.includes, strings.Clone(l.args[1].Value))
		default:
			names++
			if entries := lookup(l.args[0].Value); len(entries) > 0 || thirdParty(l.args[0].Value) != "" {
				known++
				r.main = r.main || depth == 0 && end == endOpen && mainBlock(l.args[0].Value)
			}
		}
		if end != endOpen || l.skippedLua() {
			continue
		}
		if len(l.args) > 0 && bodyKind(l.args[0].Value, inUnknown) != directives {
			skipEntries(l, &r)
			continue
		}
		depth++
	}
}

func mainBlock(name string) bool {
	return name == "http" || name == "events" || name == "stream" || name == "mail"
}

// skipEntries goes past a map-like body, keeping its includes.
func skipEntries(l *lexer, r *rootFile) {
	for {
		switch l.next() {
		case endEOF, endClose:
			return
		case endOpen, endSemi:
			if len(l.args) == 2 && l.args[0].Value == "include" {
				r.includes = append(r.includes, strings.Clone(l.args[1].Value))
			}
		}
	}
}
