// Package glob finds files by pattern as glob(3) of the GNU C library does in
// the C locale, which is what nginx's include uses. It knows names of files
// and refuses to know what is in them.
package glob
