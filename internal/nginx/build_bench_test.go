package nginx_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

// bigConfig is a configuration of that many servers with 21 locations each.
func bigConfig(servers int) []byte {
	var text strings.Builder
	text.WriteString("events {}\nhttp {\nmap $http_x_key $k { \"\" $binary_remote_addr; default $http_x_key; }\n")
	text.WriteString("limit_req_zone $k zone=a:1m rate=1r/s;\nlimit_req_zone $uid zone=b:1m rate=1r/s;\nerror_page 502 /50x.html;\n")
	for s := range servers {
		fmt.Fprintf(&text, "server {\nlisten 80;\nserver_name s%d.example;\nset $uid $arg_u;\nlimit_req zone=a burst=5;\n", s)
		for l := range 20 {
			fmt.Fprintf(&text, "location /p%d/ { limit_req zone=b; add_header A %d; proxy_pass http://127.0.0.1:1; }\n", l, l)
		}
		text.WriteString("location ~ \\.php$ { fastcgi_pass 127.0.0.1:1; }\nlocation / { try_files $uri /index.php?$args; }\n}\n")
	}
	text.WriteString("}\n")
	return []byte(text.String())
}

func BenchmarkBuild(b *testing.B) {
	tree := parser.ParseBytes("nginx.conf", bigConfig(1000), parser.Options{FS: parser.OS{}})
	b.ReportAllocs()
	for b.Loop() {
		nginx.Build(tree)
	}
}

func BenchmarkReachOfEveryBlock(b *testing.B) {
	tree := parser.ParseBytes("nginx.conf", bigConfig(1000), parser.Options{FS: parser.OS{}})
	b.ReportAllocs()
	for b.Loop() {
		c := nginx.Build(tree)
		for at := range c.Blocks() {
			c.Reach(at)
		}
	}
}
