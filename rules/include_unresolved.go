package rules

import "github.com/nglimit/nglimit/parser"

var includeUnresolved = &Rule{
	ID:       "NGL002",
	Name:     "include-unresolved",
	Severity: Warning,
	Summary:  "an included file could not be read",
	Ref:      "https://nginx.org/en/docs/ngx_core_module.html#include",
	Doc: `nginx refuses to start when a file that an include names is missing; a pattern
that matches nothing is fine. In a repository whose paths are those of the
target machine, say where they are with --path-map /etc/nginx=./deploy/nginx.`,
	Bad:   "server { include /nonexistent/limits.conf; }",
	Good:  "server { include /nonexistent/*.conf; }",
	Proof: Refused,
	Check: func(p *Pass) { reportErrors(p, parser.Unreadable) },
}
