package nginx

import (
	"strconv"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// The readers of single values. Words of a fixed set are compared without
// case, as ngx_conf_set_flag_slot and ngx_conf_set_enum_slot do.

func readFlag(d *parser.Directive) (on, ok bool) {
	word := firstWord(d)
	return word == "on", word == "on" || word == "off"
}

func readStatus(d *parser.Directive) (status int, ok bool) {
	status, err := strconv.Atoi(firstWord(d))
	return status, err == nil && status >= 400 && status <= 599
}

func readLogLevel(d *parser.Directive) (level string, ok bool) {
	level = firstWord(d)
	switch level {
	case "info", "notice", "warn", "error":
		return level, true
	}
	return "", false
}

func readInherit(d *parser.Directive) (mode string, ok bool) {
	mode = firstWord(d)
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

func firstWord(d *parser.Directive) string {
	word, _ := readWord(d)
	return strings.ToLower(word)
}
