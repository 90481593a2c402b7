package nginx

import (
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// addFormat reads a log_format: its texts are joined without anything between
// them (ngx_http_log_module.c:ngx_http_log_compile_format).
func (b *builder) addFormat(d *parser.Directive) {
	if len(d.Args) < 2 {
		return
	}
	f := &LogFormat{Name: d.Args[0].Value, Escape: "default", Dir: d}
	texts := d.Args[1:]
	if escape, found := strings.CutPrefix(texts[0].Value, "escape="); found {
		f.Escape, texts = escape, texts[1:]
	}
	var joined strings.Builder
	for _, arg := range texts {
		joined.WriteString(arg.Value)
	}
	f.Value, _ = ParseValue(joined.String())
	for _, other := range b.config.LogFormats {
		if other.Name == f.Name {
			b.refuse(d, d.ArgSpan(0), `duplicate "log_format" name "`+f.Name+`"`)
			return
		}
	}
	b.config.LogFormats = append(b.config.LogFormats, f)
}

// upstream reads an upstream block.
func (b *builder) upstream(d *parser.Directive, http *Block) {
	if len(d.Args) != 1 {
		return
	}
	u := &Upstream{Block: &Block{}, Name: d.Args[0].Value}
	b.open(u.Block, UpstreamLevel, d, http, d.All())
	b.config.Upstreams = append(b.config.Upstreams, u)
}
