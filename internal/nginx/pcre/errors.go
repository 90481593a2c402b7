package pcre

import "fmt"

// SyntaxError reports a pattern that PCRE2 refuses to compile, so that nginx
// refuses the configuration.
type SyntaxError struct {
	Pattern string
	Offset  int    // bytes into Pattern where PCRE2 stopped reading
	Message string // PCRE2's wording
}

// Error is worded as nginx words it (src/core/ngx_regex.c:ngx_regex_compile).
func (e *SyntaxError) Error() string {
	if e.Offset >= len(e.Pattern) {
		return fmt.Sprintf("pcre2_compile() failed: %s in %q", e.Message, raw(e.Pattern))
	}
	return fmt.Sprintf("pcre2_compile() failed: %s in %q at %q",
		e.Message, raw(e.Pattern), raw(e.Pattern[e.Offset:]))
}

// UnsupportedError reports a pattern that PCRE2 accepts and this package cannot run
// with the same result.
type UnsupportedError struct {
	Pattern   string
	Construct string // what stands in the way, as a noun phrase
}

// Error names the construct and the pattern.
func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("regular expression %q cannot be evaluated here: it has %s", raw(e.Pattern), e.Construct)
}

// raw prints between plain quotes without Go's escapes, as nginx does.
type raw string

// Format implements fmt.Formatter for %q.
func (r raw) Format(s fmt.State, _ rune) {
	_, _ = s.Write([]byte(`"` + string(r) + `"`))
}
