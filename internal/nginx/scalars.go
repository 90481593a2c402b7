package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// The readers of single values; one that nginx refuses says nothing.

func readFlag(d *parser.Directive) (on, ok bool) {
	on, fault := ParseFlag(d)
	return on, fault == nil && len(d.Args) == 1
}

func readStatus(d *parser.Directive) (status int, ok bool) {
	status, fault := ParseLimitStatus(d)
	return status, fault == nil && status > 0
}

func readLogLevel(d *parser.Directive) (level string, ok bool) {
	level, fault := ParseLimitLogLevel(d)
	return level, fault == nil && level != ""
}

// readInherit reads add_header_inherit, without case as
// ngx_conf_file.c:ngx_conf_set_enum_slot does.
func readInherit(d *parser.Directive) (mode string, ok bool) {
	mode, _ = readWord(d)
	mode = strings.ToLower(mode)
	return mode, mode == "on" || mode == "off" || mode == "merge"
}

// readWord keeps the case: real_ip_header is compared with "X-Forwarded-For"
// as it is written.
func readWord(d *parser.Directive) (word string, ok bool) {
	if len(d.Args) == 0 {
		return "", false
	}
	return d.Args[0].Value, true
}
