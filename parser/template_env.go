package parser

import (
	"path"
	"strconv"
	"strings"
)

// envPlaceholder tells whether a word holds ${NAME} in capitals, as envsubst
// and shells replace it.
func envPlaceholder(word string) bool {
	for {
		i := strings.Index(word, "${")
		if i < 0 {
			return false
		}
		word = word[i+2:]
		name, _, closed := strings.Cut(word, "}")
		if closed && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == "" && (name[0] < '0' || name[0] > '9') {
			return true
		}
	}
}

// namedTemplate tells the files that are templates by their name.
func namedTemplate(name string) bool {
	switch path.Ext(name) {
	case ".template", ".tmpl", ".tpl", ".envsubst":
		return true
	}
	return false
}

// constant tells the arguments in which nginx knows no variables, so that
// what looks like one was meant to be replaced before.
func constant(name string, arg int) bool {
	switch name {
	case "listen", "limit_req", "limit_conn", "limit_req_status", "limit_conn_status", "limit_req_dry_run", "limit_conn_dry_run",
		"set_real_ip_from", "real_ip_header", "real_ip_recursive", "resolver", "worker_processes", "worker_connections",
		"client_max_body_size", "keepalive_timeout", "upstream", "user", "include", "server_name":
		return true
	case "limit_req_zone", "limit_conn_zone":
		return arg > 0
	}
	return false
}

// markEnv marks the arguments that the environment was to give.
func (r *fileReader) markEnv(d *Directive) {
	for i := range d.Args {
		a := &d.Args[i]
		if a.Template || !envPlaceholder(a.Value) || !constant(d.Name, i) && !namedTemplate(r.f.Name) {
			continue
		}
		a.Template = true
		r.env = append(r.env, a.start, a.end)
	}
}

// reportEnv makes one fault of them.
func (r *fileReader) reportEnv() {
	if len(r.env) == 0 || r.f.mask != nil {
		return
	}
	span := r.f.span(r.env[0], r.env[1])
	msg := "placeholder of an environment variable: what it stands for cannot be read"
	if n := len(r.env) / 2; n > 1 {
		msg = strconv.Itoa(n) + " words with placeholders of environment variables, the first here: what they stand for cannot be read"
	}
	r.fault(&Error{Kind: Template, Span: span, Line: span.Start.Line, Msg: msg})
}
