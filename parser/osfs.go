package parser

import (
	"io/fs"
	"os"
)

// OS is the file system of the machine.
type OS struct{}

// ReadFile reads a whole file.
func (OS) ReadFile(name string) ([]byte, error) { return os.ReadFile(name) }

// ReadDir lists a folder, sorted by name.
func (OS) ReadDir(name string) ([]fs.DirEntry, error) { return os.ReadDir(name) }

// Stat follows links.
func (OS) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }
