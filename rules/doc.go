// Package rules judges an effective configuration: one file a rule, each with
// its reason, its examples and its check. It knows what goes wrong with limits
// and why; it refuses to know how text is parsed, how limits are simulated and
// how findings are printed.
package rules
