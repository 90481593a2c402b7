// Package accesslog turns bytes into requests: it opens compressed input, cuts
// it into blocks of whole lines, finds out in which format they are, and reads
// the values of nginx's variables out of each, damaged lines included or
// counted. No line gets lost: every one is a request or has a kind of damage.
//
// It knows formats, names and clocks of logs. It refuses to know servers,
// locations and limits, and which file is which: names and streams are given.
package accesslog
