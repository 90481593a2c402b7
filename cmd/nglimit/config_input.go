package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/nglimit/nglimit/parser"
)

// configInput is how commands take configurations: a file, a folder, or
// standard input.
type configInput struct {
	prefix    string
	pathMaps  []string
	context   string
	stdinName string
}

// maxConfig bounds what is read from standard input: no configuration is as
// large, and a stream may be endless.
const maxConfig = 1 << 30

func (c *configInput) flags(f *pflag.FlagSet) {
	f.StringVar(&c.prefix, "prefix", "", "base of relative includes, as nginx -p (default: the folder of the configuration)")
	f.StringArrayVar(&c.pathMaps, "path-map", nil, "read paths under FROM from TO instead, as in /etc/nginx=./deploy/nginx (repeatable)")
	f.StringVar(&c.context, "context", "", "take the input as the inside of these blocks, as in http,server (default: found out)")
	f.StringVar(&c.stdinName, "stdin-filename", "stdin", "name of the configuration read from -")
}

func (c *configInput) options() (parser.Options, error) {
	opts := parser.Options{FS: parser.OS{}, Prefix: c.prefix}
	for _, text := range c.pathMaps {
		from, to, ok := strings.Cut(text, "=")
		if !ok || from == "" || to == "" {
			return opts, usagef("--path-map %q: want FROM=TO", text)
		}
		opts.PathMap = append(opts.PathMap, parser.PathMapping{From: from, To: to})
	}
	if c.context != "" {
		opts.Context = strings.Split(c.context, ",")
		for _, name := range opts.Context {
			switch name {
			case "main", "http", "server", "location", "upstream", "stream", "events", "mail":
			default:
				return opts, usagef("--context: no block is called %q", name)
			}
		}
	}
	return opts, nil
}

// read parses the configurations that a path stands for: one for a file or
// standard input, one for each root of a folder.
func (c *configInput) read(path string, stdin io.Reader) ([]*parser.Tree, error) {
	opts, err := c.options()
	if err != nil {
		return nil, err
	}
	if path == "-" {
		return c.readStream(stdin, opts)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, plain(err)
	}
	if !info.IsDir() {
		return []*parser.Tree{parser.Parse(filepath.ToSlash(path), opts)}, nil
	}
	return c.readFolder(path, opts)
}

func (c *configInput) readStream(stdin io.Reader, opts parser.Options) ([]*parser.Tree, error) {
	src, err := io.ReadAll(io.LimitReader(stdin, maxConfig))
	if err != nil {
		return nil, fmt.Errorf("read standard input: %w", err)
	}
	return []*parser.Tree{parser.ParseBytes(c.stdinName, src, opts)}, nil
}

func (c *configInput) readFolder(path string, opts parser.Options) ([]*parser.Tree, error) {
	roots, err := parser.Roots(opts.FS, filepath.ToSlash(path))
	if err != nil {
		return nil, plain(err)
	}
	if len(roots) == 0 {
		return nil, fmt.Errorf("%s: no nginx configuration found in this folder", path)
	}
	trees := make([]*parser.Tree, 0, len(roots))
	for _, root := range roots {
		trees = append(trees, parser.Parse(root, opts))
	}
	return trees, nil
}

// plain says "open x: no such file" for every way a path can fail.
func plain(err error) error {
	if pathErr, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("open %s: %w", pathErr.Path, pathErr.Err)
	}
	return err
}
