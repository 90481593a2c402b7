package pcre

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// bots is a list such as nginx configurations carry, long and case-insensitive.
const bots = "(ahrefsbot|semrushbot|mj12bot|dotbot|petalbot|bytespider|yandexbot|baiduspider|" +
	"seznambot|blexbot|megaindex|serpstatbot|dataforseo|zoominfobot|sogou|exabot)"

const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36"

var cases = []struct {
	name, pattern string
	caseless      bool
	subject       string
}{
	{"suffix hit", `\.(?:jpg|jpeg|png|gif|css|js)$`, true, "/static/img/2023/photo-of-a-cat.JPG"},
	{"suffix miss", `\.(?:jpg|jpeg|png|gif|css|js)$`, true, "/api/v2/users/1234/orders/5678/items"},
	{"captures", `^/api/v(\d+)/users/([^/]+)/`, false, "/api/v2/users/1234/orders"},
	{"server name", `^(?<sub>[^.]+)\.example\.com$`, false, "tenant-17.example.com"},
	{"bytes", `^/files/(.+)$`, false, "/files/r\xc3\xa9sum\xc3\xa9.pdf"},
	{"bots miss", bots, true, browser},
	{"bots hit", bots, true, "Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)"},
	{"lookahead", `^/(?!api|admin|static).*$`, false, "/shop/cart/checkout"},
	{"backreference", `^/(\w+)/\1$`, false, "/mirror/mirror"},
}

func BenchmarkMatch(b *testing.B) {
	for _, c := range cases {
		re, err := Compile(c.pattern, c.caseless)
		require.NoError(b, err)
		subject := []byte(c.subject)
		b.Run(c.name+"/bare", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				re.Match(subject, nil)
			}
		})
		b.Run(c.name+"/captures", func(b *testing.B) {
			b.ReportAllocs()
			caps := make([]int, 0, 20)
			for b.Loop() {
				re.Match(subject, caps[:0])
			}
		})
		b.Run(c.name+"/memo", func(b *testing.B) {
			b.ReportAllocs()
			memo := NewMemo(re, 100)
			for b.Loop() {
				memo.Match(subject)
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, c := range cases {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = Compile(c.pattern, c.caseless)
			}
		})
	}
}
