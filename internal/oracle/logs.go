package oracle

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// Log returns what stands in a log so far, by its name below the prefix; a log
// that is not there is empty. Nginx writes the line of a request after it sent
// the answer: on a virtual clock, Sync first.
func (s *Server) Log(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(s.Dir, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		s.t.Fatalf("read %s: %v", name, err)
	}
	return string(text)
}

// News returns what was added to a log since the last call for it; reading all
// of a log again and again takes long where it grows by the thousand lines.
func (s *Server) News(name string) string {
	s.t.Helper()
	file, err := os.Open(filepath.Join(s.Dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	if err != nil {
		s.t.Fatalf("read %s: %v", name, err)
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(io.NewSectionReader(file, s.seen[name], math.MaxInt64-s.seen[name]))
	if err != nil {
		s.t.Fatalf("read %s: %v", name, err)
	}
	if s.seen == nil {
		s.seen = map[string]int64{}
	}
	s.seen[name] += int64(len(text))
	return string(text)
}

// ErrorLog returns the error log of [Preamble], or what came before it.
func (s *Server) ErrorLog() string {
	return s.Log("logs/boot.log") + s.Log("logs/error.log")
}

// AccessLog returns the access log of [HTTP].
func (s *Server) AccessLog() string { return s.Log("logs/access.log") }

// Output returns what nginx printed.
func (s *Server) Output() string { return s.Log("output") }
