package parser

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
)

// repeatedServers is a configuration of about that many bytes.
func repeatedServers(size int) []byte {
	text, err := os.ReadFile(fixtures + "/valid/shop.conf")
	if err != nil {
		panic(err)
	}
	head, rest, _ := bytes.Cut(text, []byte("    server {\n"))
	body := append([]byte("    server {\n"), bytes.TrimSuffix(bytes.TrimSpace(rest), []byte("}"))...)
	out := bytes.Clone(head)
	for len(out) < size {
		out = append(out, body...)
	}
	return append(out, "}\n"...)
}

// largeGeo is a configuration with a geo body of about that many bytes.
func largeGeo(size int) []byte {
	var out bytes.Buffer
	out.WriteString("events {}\nhttp {\n    geo $limited {\n        default 1;\n")
	for i := 0; out.Len() < size; i++ {
		fmt.Fprintf(&out, "        %d.%d.%d.0/24 %d;\n", 1+i>>16&127, i>>8&255, i&255, i%7)
	}
	out.WriteString("    }\n}\n")
	return out.Bytes()
}

func benchmarkParse(b *testing.B, src []byte) {
	b.Helper()
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		tree := ParseBytes("nginx.conf", src, Options{FS: OS{}})
		if len(tree.Errors) > 0 {
			b.Fatal(tree.Errors[0])
		}
	}
}

func BenchmarkSmall(b *testing.B) {
	src, err := os.ReadFile(fixtures + "/valid/nested.conf") // 1.3 KB
	if err != nil {
		b.Fatal(err)
	}
	benchmarkParse(b, src)
}

func BenchmarkManyServers(b *testing.B) { benchmarkParse(b, repeatedServers(600<<10)) }
func BenchmarkLargeGeo(b *testing.B)    { benchmarkParse(b, largeGeo(50<<20)) }

func BenchmarkEntries(b *testing.B) {
	src := largeGeo(50 << 20)
	geo := ParseBytes("nginx.conf", src, Options{FS: OS{}}).Root.Directives[1].Children[0]
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		for e := range geo.Entries() {
			n += len(e.Args)
		}
	}
}

func BenchmarkNested(b *testing.B) {
	src := []byte("events {}\nhttp {\nserver {\n" + strings.Repeat("location / {\n", 1_000_000) + strings.Repeat("}", 1_000_002))
	benchmarkParse(b, src)
}
