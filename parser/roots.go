package parser

import (
	"io/fs"
	"path"
	"sort"
)

// Roots lists the files of a folder that are roots of a configuration: every
// nginx.conf, or else the *.conf files that no other one includes.
func Roots(fsys FS, dir string) ([]string, error) {
	var named, others []string
	err := walk(fsys, dir, 0, func(name string) {
		if path.Base(name) == "nginx.conf" {
			named = append(named, name)
		} else if path.Ext(name) == ".conf" {
			others = append(others, name)
		}
	})
	if err != nil {
		return nil, err
	}
	if len(named) == 0 {
		named = others
	}
	sort.Strings(named)
	return named, nil
}

// walk calls visit with every file below a folder.
func walk(fsys FS, dir string, depth int, visit func(name string)) error {
	entries, err := fsys.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir() && depth < maxFolderDepth:
			if err := walk(fsys, name, depth+1, visit); err != nil {
				return err
			}
		case e.Type()&fs.ModeType == 0 || e.Type()&fs.ModeSymlink != 0:
			visit(name)
		}
	}
	return nil
}

const maxFolderDepth = 32
