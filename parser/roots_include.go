package parser

import (
	"path"
	"strings"

	"github.com/nglimit/nglimit/parser/glob"
)

// follow marks the files that the includes of a file name. Where the main
// file is not known, a relative path is tried from every folder that it could
// be relative to.
func (s *rootSearch) follow(f rootFile) {
	b := newBuilder(f.name, s.opts)
	for _, value := range f.includes {
		if strings.HasPrefix(value, "/") {
			// A path of another machine that is not mapped marks nothing: what
			// it means stays a root of its own, so that it is read at all.
			s.mark(b.located(value), f.name)
			continue
		}
		s.mark(b.fullName(value), f.name)
		if !f.main && s.opts.Prefix == "" {
			folder := path.Dir(f.name)
			for up := 0; up < maxUp && folder != path.Dir(folder); up++ {
				folder = path.Dir(folder)
				s.mark(path.Join(folder, value), f.name)
			}
		}
	}
}

// mark marks what a name or pattern stands for, but not the file by itself.
func (s *rootSearch) mark(name, by string) {
	if !glob.HasMeta(name) {
		if clean := path.Clean(name); clean != path.Clean(by) {
			s.included[clean] = true
		}
		return
	}
	for _, match := range glob.Match(s.opts.FS, name) {
		if clean := path.Clean(match); clean != path.Clean(by) {
			s.included[clean] = true
		}
	}
}

// spare tells the fragments that are kept in store: those of sites-available
// where there is a sites-enabled.
func (s *rootSearch) spare(name string) bool {
	folder := path.Dir(name)
	stem, ok := strings.CutSuffix(path.Base(folder), "-available")
	if !ok {
		return false
	}
	_, err := s.opts.FS.Stat(path.Join(path.Dir(folder), stem+"-enabled"))
	return err == nil
}
