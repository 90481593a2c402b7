package rules

import (
	"fmt"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

// Rule is one thing that can be wrong with a configuration.
type Rule struct {
	ID       string // NGLnnn; never changes once released
	Name     string // kebab-case, says the defect; never changes either
	Severity Severity
	Profile  Profile
	Summary  string // one line
	Ref      string // where nginx documents the fact
	Doc      string // the reason and the way out, in a few sentences
	Bad      string // http-level configuration with exactly one finding, of this rule
	Good     string // the same intention without a finding
	Proof    Proof
	Check    func(*Pass)
}

// Proof says how a rule's claim about nginx is proven in the tests.
type Proof uint8

// The kinds of proof.
const (
	NoClaim Proof = iota // advice: nothing is claimed about what nginx does
	Refused              // nginx -t refuses the bad example and accepts the good one
	Shown                // a running nginx misbehaves as the rule says, and does not with the remedy
)

// Profile names the set of rules in which a rule first appears.
type Profile uint8

// The profiles, each including the ones before it.
const (
	Default Profile = iota // shown unless deselected
	Strict                 // advice that many will not want
	Policy                 // demands that only a written policy makes
)

// Finding is one judgement about one place.
type Finding struct {
	Rule     *Rule
	Severity Severity
	Span     parser.Span
	Message  string // one sentence: the thing, the fact, the way out
	Related  []Related
}

// Related is a second place that explains a finding.
type Related struct {
	Span    parser.Span
	Message string
}

// Pass is one run of one rule over one configuration.
type Pass struct {
	Config  *nginx.Config
	Options *Options

	rule   *Rule
	report func(Finding)
}

// Report adds a finding of the running rule, with the rule's own severity.
func (p *Pass) Report(at parser.Span, message string, related ...Related) {
	p.ReportAs(p.rule.Severity, at, message, related...)
}

// ReportAs is Report with a severity that the circumstances ask for.
func (p *Pass) ReportAs(s Severity, at parser.Span, message string, related ...Related) {
	p.report(Finding{Rule: p.rule, Severity: s, Span: at, Message: message, Related: related})
}

// also is a Related about a directive's head.
func also(d *parser.Directive, format string, args ...any) Related {
	return Related{Span: d.HeadSpan(), Message: fmt.Sprintf(format, args...)}
}
