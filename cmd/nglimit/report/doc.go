// Package report writes what the other packages found, one file a format. It
// knows how a person, a browser and a program want to read a result; it
// refuses to compute one. Whatever came from a log or a configuration passes
// through an escape before it is written.
package report
