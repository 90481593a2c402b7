package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// value reads argument i of a directive as a text with variables.
func (b *builder) value(d *parser.Directive, i int) *Value {
	return b.text(d.Args[i].Value, d.ArgSpan(i), d)
}

// text reads a text with variables; what stands in d is the place to name
// when nginx refuses it.
func (b *builder) text(text string, at parser.Span, d *parser.Directive) *Value {
	if v := b.values[text]; v != nil {
		return v
	}
	v, fault := ParseValue(text)
	if fault != "" {
		b.refuse(d, at, fault)
	}
	b.values[text] = v
	return v
}

// ParseValue takes a text with variables apart as
// ngx_http_script.c:ngx_http_script_compile does: $name, ${name}, and $1 to $9
// with one digit. A text that nginx refuses comes with nginx's words; its
// parts end where the fault begins.
func ParseValue(text string) (v *Value, fault string) {
	v = &Value{Text: text}
	for rest := text; rest != ""; {
		literal, after, found := strings.Cut(rest, "$")
		if literal != "" {
			v.Parts = append(v.Parts, Part{Literal: literal})
		}
		if !found {
			break
		}
		name, length, fault := variableName(after)
		if fault != "" {
			return v, fault
		}
		v.Parts = append(v.Parts, Part{Var: strings.ToLower(name)})
		rest = after[length:]
	}
	return v, ""
}

// variableName reads the name at the start of text, which follows a "$".
func variableName(text string) (name string, length int, fault string) {
	if text != "" && text[0] >= '1' && text[0] <= '9' {
		return text[:1], 1, ""
	}
	inner, braced := strings.CutPrefix(text, "{")
	end := strings.IndexFunc(inner, func(c rune) bool { return !isNameByte(c) })
	if end < 0 {
		end = len(inner)
	}
	name = inner[:end]
	if braced {
		if end == len(inner) || inner[end] != '}' {
			return "", 0, `the closing bracket in "` + name + `" variable is missing`
		}
		end += len("{}")
	}
	if name == "" {
		return "", 0, "invalid variable name"
	}
	return name, end, ""
}

func isNameByte(c rune) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// Constant tells whether the text has no variables.
func (v *Value) Constant() bool {
	for _, p := range v.Parts {
		if p.Var != "" {
			return false
		}
	}
	return true
}

// Vars yields the names of the variables in order, repeated ones included.
func (v *Value) Vars() []string {
	var names []string
	for _, p := range v.Parts {
		if p.Var != "" {
			names = append(names, p.Var)
		}
	}
	return names
}
