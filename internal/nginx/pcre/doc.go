// Package pcre knows regular expressions as nginx runs them: PCRE2 over bytes,
// in the C locale, without UTF unless the pattern asks for it, starting at
// offset 0, with CASELESS as the only option.
//
// A pattern is parsed by PCRE2's grammar and written out anew, every class
// spelled out, for one of two engines: Go's regexp where its answer is the same
// by construction, regexp2 for the rest. A pattern that neither can run
// truthfully is refused; the package never guesses, and knows nothing of
// locations, maps or variables.
package pcre
