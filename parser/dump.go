package parser

import (
	"bytes"
	"path"
	"strings"
)

// dumpMark starts the line before each file that nginx -T prints (nginx.c:main).
const dumpMark = "# configuration file "

// splitDump takes the output of nginx -T apart. root is the name of the first
// file, which is the main one; texts is nil if src is no such output.
func splitDump(src []byte) (root string, texts map[string][]byte) {
	at := dumpStart(src)
	for at >= 0 && at < len(src) {
		name, start := dumpName(src, at)
		next := nextDumpMark(src, start)
		text := src[start:]
		if next >= 0 {
			text = src[start:next]
		}
		if texts == nil {
			root, texts = name, map[string][]byte{}
		}
		if _, twice := texts[path.Clean(name)]; !twice {
			// nginx writes a line feed after each file
			texts[path.Clean(name)] = bytes.TrimSuffix(text, []byte("\n"))
		}
		at = next
	}
	return root, texts
}

// dumpStart finds the first mark, which only messages of nginx may precede.
func dumpStart(src []byte) int {
	for at := 0; at < len(src); {
		line := src[at:]
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line = line[:n]
		}
		if name, _ := dumpName(src, at); name != "" {
			return at
		}
		trimmed := bytes.TrimSpace(line)
		if len(trimmed) > 0 && !bytes.HasPrefix(trimmed, []byte("nginx: ")) {
			return -1
		}
		at += len(line) + 1
	}
	return -1
}

// dumpName reads a mark at the start of a line: the name of the file, and
// where its text starts. The name is empty if no mark stands there.
func dumpName(src []byte, at int) (name string, start int) {
	rest, ok := bytes.CutPrefix(src[at:], []byte(dumpMark))
	if !ok {
		return "", at
	}
	n := bytes.IndexByte(rest, '\n')
	if n < 0 {
		return "", at
	}
	name, ok = strings.CutSuffix(strings.TrimSuffix(string(rest[:n]), "\r"), ":")
	if !ok || !strings.HasPrefix(name, "/") {
		return "", at
	}
	return name, at + len(dumpMark) + n + 1
}

// nextDumpMark finds the next mark that starts a line, -1 if there is none.
func nextDumpMark(src []byte, at int) int {
	for at < len(src) {
		n := bytes.Index(src[at:], []byte("\n"+dumpMark))
		if n < 0 {
			return -1
		}
		at += n + 1
		if name, _ := dumpName(src, at); name != "" {
			return at
		}
	}
	return -1
}
