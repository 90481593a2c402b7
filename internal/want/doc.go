// Package want reads the expectations that fixtures carry as comments,
//
//	# want [+N] NGLnnn "regexp" [NGLnnn "regexp"]…
//
// and compares them with findings. It knows raw text only, never parsed
// comments, so that a fault of the parser cannot hide a fault of a rule. It is
// for tests.
package want
