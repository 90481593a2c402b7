package nginx

import (
	"iter"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// server makes a server with its names and listen sockets.
func (b *builder) server(d *parser.Directive, http *Block, body iter.Seq[*parser.Directive]) *Server {
	s := &Server{Block: &Block{}}
	s.Server = s
	b.config.Servers = append(b.config.Servers, s)
	b.open(s.Block, ServerLevel, d, http, body)
	for _, names := range s.Own("server_name") {
		for i, arg := range names.Args {
			b.serverName(s, names, i, arg.Value)
		}
	}
	for _, l := range s.Own("listen") {
		s.Listens = append(s.Listens, parseListen(l)...)
	}
	if len(s.Own("listen")) == 0 {
		s.Listens = []*Listen{impliedListen()}
	}
	return s
}

// serverName adds one name. A regular expression is compiled without case
// when it has an upper-case letter, because the Host it is compared with is
// in lower case (ngx_http_core_module.c:ngx_http_core_server_name).
func (b *builder) serverName(s *Server, d *parser.Directive, i int, text string) {
	name := &ServerName{Text: text, Dir: d}
	if pattern, isRegex := strings.CutPrefix(text, "~"); isRegex {
		name.Regex = b.regex(pattern, pattern != strings.ToLower(pattern), d, d.ArgSpan(i))
	}
	s.Names = append(s.Names, name)
}
