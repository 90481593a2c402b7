package rules

import "github.com/nglimit/nglimit/parser"

var includeCycle = &Rule{
	ID:       "NGL003",
	Name:     "include-cycle",
	Severity: Error,
	Summary:  "a file includes itself, directly or through others",
	Ref:      "https://nginx.org/en/docs/ngx_core_module.html#include",
	Doc: `nginx follows the cycle until it runs out of file descriptors and refuses to
start. Narrow the pattern of the include.`,
	Bad:   "include nginx.conf;",
	Good:  "include /nonexistent/*.conf;",
	Check: func(p *Pass) { reportErrors(p, parser.Cycle) },
	Proof: Refused,
}
