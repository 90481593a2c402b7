// Package parser reads nginx configuration text exactly as nginx does:
// tokens, directives with the byte span of every part, comments in place and
// includes, and says what nginx -t would say of them, all of it in one run.
// It knows syntax, the table of directives and the files it was given; it
// refuses to know what a directive means.
package parser
