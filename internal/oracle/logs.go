package oracle

import (
	"errors"
	"io/fs"
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

// ErrorLog returns the error log of [Preamble], or what came before it.
func (s *Server) ErrorLog() string {
	return s.Log("logs/boot.log") + s.Log("logs/error.log")
}

// AccessLog returns the access log of [HTTP].
func (s *Server) AccessLog() string { return s.Log("logs/access.log") }

// Output returns what nginx printed.
func (s *Server) Output() string { return s.Log("output") }
