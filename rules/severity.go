package rules

import "fmt"

// Severity is how much a finding matters.
type Severity uint8

// The severities, from advice to a limit that is provably broken.
const (
	Info    Severity = iota // advice
	Warning                 // likely wrong
	Error                   // nginx refuses it, or the limit is absent, forgeable or broken at run time
)

var severityNames = [...]string{Info: "info", Warning: "warning", Error: "error"}

func (s Severity) String() string { return severityNames[s] }

// ParseSeverity reads "info", "warning" or "error".
func ParseSeverity(text string) (Severity, error) {
	for s, name := range severityNames {
		if name == text {
			return Severity(s), nil
		}
	}
	return 0, fmt.Errorf("unknown severity %q: want info, warning or error", text)
}
