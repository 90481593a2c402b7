package nginx_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

// The pieces that random configurations are made of: any directive with any
// arguments in any block.
var (
	blocks = strings.Fields(`http server server location location location if limit_except map geo split_clients upstream stream`)
	lines  = strings.Fields(`listen server_name limit_req_zone limit_conn_zone limit_req limit_conn limit_req_status limit_conn_dry_run
set_real_ip_from real_ip_header error_page add_header add_header_inherit access_log log_format set rewrite return break try_files index root
alias proxy_pass internal auth_request_set default hostnames volatile 10.0.0.0/8 50% * ranges ~(?<a>x) "" a`)
	args = strings.Fields(`zone=a:1m zone=a zone=:1m zone= rate=1r/s rate= burst=0 burst=5 nodelay merge http://u/ $a $b $1 $ ${ ${a} "" '' ~ ~* = ^~ @n
~( ~(?<a>x) /a /a/b / =404 = off 10.0.0.0/8 $binary_remote_addr $http_x $uri $upstream_status ($a (x)) last permanent a 0 1 80 429 502 [::]:80 unix: 1-2 always`)
)

// statements draws the inside of a block.
func statements(t *rapid.T, depth int) string {
	var text strings.Builder
	for range rapid.IntRange(0, 6).Draw(t, "n") {
		open := depth < 5 && rapid.Bool().Draw(t, "block")
		if open {
			text.WriteString(rapid.SampledFrom(blocks).Draw(t, "name"))
		} else {
			text.WriteString(rapid.SampledFrom(lines).Draw(t, "name"))
		}
		for _, arg := range rapid.SliceOfN(rapid.SampledFrom(args), 0, 4).Draw(t, "args") {
			text.WriteString(" " + arg)
		}
		if open {
			text.WriteString(" {\n" + statements(t, depth+1) + "}\n")
		} else {
			text.WriteString(";\n")
		}
	}
	return text.String()
}

// exercise asks the model everything it can be asked.
func exercise(c *nginx.Config) {
	for b := range c.Blocks() {
		r := c.Reach(b)
		for i := range r.Limits {
			r.Dead(&r.Limits[i])
		}
		b.Handler()
		b.Redirects()
		b.RewriteEnds()
		for _, h := range b.AddHeader.Items {
			c.KeyAt(h.Value, b)
		}
	}
	for _, s := range c.Servers {
		s.Find("/a/b")
	}
	for _, z := range c.Zones {
		c.Key(z.Key)
		z.Capacity(16)
	}
}

func TestNoInputBreaksTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := statements(t, 0)
		if rapid.Bool().Draw(t, "whole") {
			text = "events {} http { " + text + "}"
		}
		exercise(nginx.Build(parser.ParseBytes("nginx.conf", []byte(text), parser.Options{FS: parser.OS{}})))
	})
}

// TestNoDamageBreaksTheModel leaves parts out of real configurations.
func TestNoDamageBreaksTheModel(t *testing.T) {
	texts := fixtureTexts(t)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(texts).Draw(t, "text")
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		to := min(len(text), from+rapid.IntRange(0, 200).Draw(t, "length"))
		exercise(nginx.Build(parser.ParseBytes("nginx.conf", []byte(text[:from]+text[to:]), parser.Options{FS: parser.OS{}})))
	})
}

func fixtureTexts(t *testing.T) []string {
	var texts []string
	for _, pattern := range []string{"../../fixtures/rules/*/*.conf", "../../fixtures/nginx/*/*.conf", "../../fixtures/nginx/*/*/*.conf"} {
		names, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			texts = append(texts, string(text))
		}
	}
	require.NotEmpty(t, texts)
	return texts
}

// TestMapsOfMapsEnd gives each of 40 maps two entries that name the next one:
// followed without memory that is 2^40 ways.
func TestMapsOfMapsEnd(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		v, next := string(rune('a'+i/10))+string(rune('0'+i%10)), string(rune('a'+(i+1)/10))+string(rune('0'+(i+1)%10))
		text.WriteString("map $http_x $" + v + " { \"\" x$" + next + "; default $" + next + "y$" + next + "; }\n")
	}
	text.WriteString("limit_req_zone $a0 zone=z:1m rate=1r/s;\n")
	c := readHTTP(text.String())
	c.Key(c.Zones[0].Key)
}
