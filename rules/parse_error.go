package rules

import "github.com/nglimit/nglimit/parser"

var parseError = &Rule{
	ID:       "NGL001",
	Name:     "parse-error",
	Severity: Error,
	Summary:  "the text is no nginx configuration at this place",
	Ref:      "https://nginx.org/en/docs/beginners_guide.html#conf_structure",
	Doc: `nginx refuses the configuration, and what follows may have been misread. The
message and the line are nginx's own. Nothing is judged clean while this stands:
the exit code is 3 whatever --fail-on says.`,
	Bad:   "server { listen 8081 }",
	Good:  "server { listen 8081; }",
	Proof: Refused,
	Check: func(p *Pass) { reportErrors(p, parser.Syntax, parser.Template) },
}

// reportErrors turns the parser's faults of some kinds into findings.
func reportErrors(p *Pass, kinds ...parser.Kind) {
	for _, e := range p.Config.Tree.Errors {
		for _, k := range kinds {
			if e.Kind == k {
				var related []Related
				for _, from := range e.Chain {
					related = append(related, Related{Span: from, Message: "included from here"})
				}
				p.Report(e.Span, e.Msg, related...)
			}
		}
	}
}
