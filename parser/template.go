package parser

import (
	"bytes"
	"strconv"
	"strings"
)

// A template is the text of a configuration with placeholders of another
// language in it. What stands around the placeholders is read; what would
// stand in their place is not known.

// brackets are the marks around placeholders of template languages.
var brackets = [...]struct{ open, close string }{
	{"{{", "}}"}, {"{%", "%}"}, {"{#", "#}"}, {"<%", "%>"},
}

// placeholderMask returns a copy of a template with the placeholders blanked:
// those that control the template by white space, those that stand for a
// text by letters. It is nil for a text that nginx can read as it is.
func placeholderMask(src []byte) []byte {
	if !mentionsPlaceholder(src) || readable(src) {
		return nil
	}
	places := placeholders(src)
	if len(places) == 0 {
		return nil
	}
	mask := bytes.Clone(src)
	for _, p := range places {
		blank(mask, src, p.start, p.end)
	}
	return mask
}

func mentionsPlaceholder(src []byte) bool {
	for _, b := range brackets {
		if bytes.Contains(src, []byte(b.open)) {
			return true
		}
	}
	return false
}

// readable tells whether nginx finds no fault in the tokens and braces, so
// that what looks like a placeholder is meant as it stands.
func readable(src []byte) bool {
	l := newLexer(src)
	ok := true
	l.fail = func(_, _ int, _ string) { ok = false }
	depth := 0
	for ok {
		switch l.next() {
		case endEOF:
			return ok && depth == 0
		case endOpen:
			if !l.skippedLua() {
				depth++
			}
		case endClose:
			depth--
			ok = ok && depth >= 0
		case endSemi:
		}
		if len(l.args) > 0 && strings.HasPrefix(l.args[0].Value, "<%") {
			return false
		}
	}
	return false
}

// place is where a placeholder stands.
type place struct{ start, end int }

// placeholders finds all closed placeholders.
func placeholders(src []byte) (places []place) {
	var unclosed [len(brackets)]bool // from here to the end
	for at := 0; at < len(src)-1; at++ {
		if src[at] != '{' && src[at] != '<' {
			continue
		}
		for i, b := range brackets {
			if unclosed[i] || !bytes.HasPrefix(src[at:], []byte(b.open)) {
				continue
			}
			n := bytes.Index(src[at+2:], []byte(b.close))
			if n < 0 {
				unclosed[i] = true
				continue
			}
			end := at + 2 + n + len(b.close)
			places = append(places, place{at, end})
			at = end - 1
			break
		}
	}
	return places
}

// blank fills the place of one placeholder in mask.
func blank(mask, src []byte, start, end int) {
	fill := byte('x')
	if controls(string(src[start:end])) || alone(mask, start, end) {
		fill = ' '
	}
	for i := start; i < end; i++ {
		if mask[i] != '\n' && mask[i] != '\r' {
			mask[i] = fill
		}
	}
}

// controls tells the placeholders that stand for no text themselves.
func controls(text string) bool {
	if strings.HasPrefix(text, "{%") || strings.HasPrefix(text, "{#") {
		return true
	}
	inner := strings.TrimLeft(text[2:], "- \t\r\n")
	if strings.HasPrefix(text, "<%") {
		return !strings.HasPrefix(text, "<%=") && !strings.HasPrefix(text, "<%-")
	}
	if inner != "" && strings.IndexByte("#/^!>&", inner[0]) >= 0 {
		return true
	}
	word := inner
	if i := strings.IndexAny(inner, " \t\r\n-}"); i >= 0 {
		word = inner[:i]
	}
	switch word {
	case "if", "else", "end", "range", "with", "define", "block", "template", "break", "continue", "elsif", "endif", "endfor", "for", "unless", "each":
		return true
	}
	return false
}

// alone tells whether nothing but white space is around a placeholder on its
// lines, placeholders before it being blank already.
func alone(mask []byte, start, end int) bool {
	for i := start - 1; i >= 0 && mask[i] != '\n'; i-- {
		if mask[i] != ' ' && mask[i] != '\t' {
			return false
		}
	}
	for i := end; i < len(mask) && mask[i] != '\n'; i++ {
		if mask[i] != ' ' && mask[i] != '\t' && mask[i] != '\r' {
			return false
		}
	}
	return true
}

// onlyTemplate puts one fault in the place of those that a template has
// because it is one.
func (b *builder) onlyTemplate(f *File) {
	kept := b.tree.Errors[:0]
	for _, e := range b.tree.Errors {
		if e.Span.File != f.Name || e.Kind == Unreadable || e.Kind == Cycle || e.Kind == Template {
			kept = append(kept, e)
		}
	}
	b.tree.Errors = kept
	f.Errors = nil
	places := placeholders(f.Source)
	span := f.span(int32(places[0].start), int32(places[0].end))
	msg := "placeholder of a template: what it stands for cannot be read"
	if n := len(places); n > 1 {
		msg = strconv.Itoa(n) + " placeholders of a template, the first here: what they stand for cannot be read"
	}
	b.addFault(f, &Error{Kind: Template, Span: span, Line: span.Start.Line, Msg: msg})
}
