package parser

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"syscall"

	"github.com/nglimit/nglimit/parser/glob"
)

// baseFolder is what relative includes are relative to: nginx's prefix of
// configuration files, which is the folder of the main file
// (ngx_cycle.c:ngx_init_cycle, ngx_conf_full_name).
func baseFolder(root, prefix string) string {
	if prefix != "" {
		return strings.TrimSuffix(prefix, "/") + "/"
	}
	if i := strings.LastIndexByte(root, '/'); i >= 0 {
		return root[:i+1]
	}
	return ""
}

// fullName is the name under which nginx opens what an include says.
func (b *builder) fullName(name string) string {
	if strings.HasPrefix(name, "/") {
		return name
	}
	return b.base + name
}

// located is where the file of that name is found.
func (b *builder) located(name string) string {
	for _, m := range b.opts.PathMap {
		from, to := strings.TrimSuffix(m.From, "/"), strings.TrimSuffix(m.To, "/")
		if rest, ok := strings.CutPrefix(name, from); ok && (rest == "" || rest[0] == '/') {
			return to + rest
		}
	}
	return name
}

// include reads the files that an include names, in nginx's order.
func (r *fileReader) include(d *Directive, value string, at *level) []*File {
	if strings.IndexByte(value, 0) >= 0 {
		value = cString(value)
	}
	name := r.located(r.fullName(value))
	if r.tree.Context != nil && r.opts.Prefix == "" && !strings.HasPrefix(value, "/") {
		name = r.nearSnippet(value, name)
	}
	if !glob.HasMeta(name) {
		if f := r.includeFile(d, name, at); f != nil {
			return []*File{f}
		}
		return nil
	}
	var files []*File
	matches := glob.Match(r.opts.FS, name)
	if len(matches) == 0 && strings.HasPrefix(value, "/") {
		r.nothingThere(d, name)
	}
	for _, match := range matches {
		if f := r.includeFile(d, match, at); f != nil {
			files = append(files, f)
		}
	}
	return files
}

// maxUp is how many folders up a snippet's includes are looked for.
const maxUp = 4

// nearSnippet resolves a relative include of a bare snippet, whose main file
// is not known: it is looked for beside the snippet and in the folders above.
func (r *fileReader) nearSnippet(value, name string) string {
	folder := path.Dir(r.tree.Root.Name)
	for range maxUp {
		try := path.Join(folder, value)
		if glob.HasMeta(try) {
			if len(glob.Match(r.opts.FS, try)) > 0 {
				return try
			}
		} else if _, err := r.opts.FS.Stat(try); err == nil {
			return try
		}
		if folder == "." || folder == "/" {
			break
		}
		folder = path.Dir(folder)
	}
	return name
}

// nothingThere notes a pattern whose folder does not exist: nginx accepts it,
// but where the configuration belongs the folder most likely is.
func (r *fileReader) nothingThere(d *Directive, name string) {
	folder := path.Dir(name)
	if r.dump || glob.HasMeta(folder) {
		return // a dump holds all that there was
	}
	if _, err := r.opts.FS.Stat(folder); err == nil {
		return
	}
	r.note(&Error{
		Kind: Unreadable, Span: d.ArgSpan(0), Line: d.termLine(),
		Msg: `"` + name + `" matches nothing, for there is no folder "` + folder + `"`, Hint: r.mapHint(name),
	})
}

// mapHint tells how to find an absolute path beside the main file, if it is
// there.
func (r *fileReader) mapHint(name string) string {
	if !strings.HasPrefix(name, "/") || strings.HasPrefix(r.base, "/") && strings.HasPrefix(name, r.base) {
		return ""
	}
	for rest := name[1:]; ; {
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			return ""
		}
		rest = rest[i+1:]
		first, _, _ := strings.Cut(rest, "/")
		if first == "" || glob.HasMeta(first) {
			return ""
		}
		if _, err := r.opts.FS.Stat(r.base + first); err == nil {
			from := strings.TrimSuffix(name[:len(name)-len(rest)], "/")
			to := strings.TrimSuffix(r.base, "/")
			if to == "" {
				to = "."
			}
			return "map the path " + from + " to " + to
		}
	}
}

// includeFile reads one file; nil if it cannot be read.
func (r *fileReader) includeFile(d *Directive, name string, at *level) *File {
	if r.cycle(d, name) || r.tooMuch(d) {
		return nil
	}
	src, err := r.opts.FS.ReadFile(name)
	if err != nil {
		fault := cannotOpen(d.ArgSpan(0), d.termLine(), name, err)
		fault.Hint = r.mapHint(name)
		r.fault(fault)
		return nil
	}
	f := r.newFile(name, src, d)
	r.chain = append(r.chain, d.HeadSpan())
	r.names = append(r.names, path.Clean(name))
	r.readFile(f, at, r.top().dir)
	r.chain = r.chain[:len(r.chain)-1]
	r.names = r.names[:len(r.names)-1]
	return f
}

// cycle reports an include of a file that is being read.
func (r *fileReader) cycle(d *Directive, name string) bool {
	clean := path.Clean(name)
	found := clean == path.Clean(r.tree.Root.Name)
	for _, n := range r.names {
		found = found || n == clean
	}
	if found {
		r.headFault(Cycle, d, `"`+name+`" includes itself`)
	}
	return found
}

// tooMuch guards against includes that multiply.
func (r *fileReader) tooMuch(d *Directive) bool {
	switch {
	case len(r.names) >= maxDepth:
		r.headFault(Unreadable, d, "includes are nested too deep")
	case len(r.tree.Files) >= maxFiles:
		r.headFault(Unreadable, d, "too many included files")
	case r.read > maxDirectives, r.text > maxText:
		r.headFault(Unreadable, d, "too much text is included")
	default:
		return false
	}
	return true
}

// cannotOpen reports a file that cannot be read, in nginx's words.
func cannotOpen(at Span, line int, name string, err error) *Error {
	msg := `open() "` + name + `" failed`
	switch {
	case errors.Is(err, fs.ErrNotExist):
		msg += " (2: No such file or directory)"
	case errors.Is(err, fs.ErrPermission):
		msg += " (13: Permission denied)"
	case errors.Is(err, syscall.EISDIR):
		msg = `pread() "` + name + `" failed (21: Is a directory)`
	default:
		msg += ": " + err.Error()
	}
	return &Error{Kind: Unreadable, Span: at, Line: line, Msg: msg}
}
