package oracle

import (
	"regexp"
	"strconv"
	"strings"
)

// Message is one complaint of nginx -t.
type Message struct {
	Level string // "emerg", "warn", …
	Text  string // without the place
	File  string // relative to the configuration, absolute outside of it; "" no place
	Line  int    // 1-based, 0 no place
}

var (
	// ngx_log.c:ngx_log_error_core writes "nginx: [level] " to stderr.
	start = regexp.MustCompile(`(?m)^nginx: (?:\[(\w+)\] )?`)
	// ngx_conf_file.c:ngx_conf_log_error appends " in file:line".
	place = regexp.MustCompile(`(?s)^(.*) in (.+):(\d+)$`)
)

// parseMessages reads what nginx -t printed. A message may contain line feeds,
// as those of a quoted argument: it lasts until the next one starts. Sentences
// without a level ("test is successful") are no messages.
func parseMessages(out, dir string) []Message {
	var all []Message
	starts := start.FindAllStringSubmatchIndex(out, -1)
	for i, at := range starts {
		end := len(out)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		if at[2] < 0 {
			continue
		}
		text := strings.TrimSuffix(out[at[1]:end], "\n")
		all = append(all, parseMessage(out[at[2]:at[3]], text, dir))
	}
	return all
}

func parseMessage(level, text, dir string) Message {
	m := place.FindStringSubmatch(text)
	if m == nil {
		return Message{Level: level, Text: text}
	}
	line, err := strconv.Atoi(m[3])
	if err != nil {
		return Message{Level: level, Text: text}
	}
	return Message{Level: level, Text: m[1], File: strings.TrimPrefix(m[2], dir+"/"), Line: line}
}
