package accesslog_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/replay/accesslog"
)

func BenchmarkParse(b *testing.B) {
	jsonLine := `{"msec":1767261600.123,"remote_addr":"192.0.2.1","request_method":"GET","host":"shop.example","request_uri":"/item/17?page=2",` +
		`"status":200,"request_time":0.010,"body_bytes_sent":5120,"http_referer":"https://shop.example/","http_user_agent":"Mozilla/5.0 (X11; Linux x86_64) Chrome/131.0"}` + "\n"
	for name, line := range map[string]string{
		"json":                jsonLine,
		"json with backslash": strings.Replace(jsonLine, "/item", `\/item`, 1),
		"combined":            strings.Replace(combinedLine, `\x22q\x22`, "Mozilla/5.0 (X11; Linux x86_64)", 1),
	} {
		b.Run(name, func(b *testing.B) { benchParse(b, line) })
	}
	// The yardstick: the same values by the standard library.
	b.Run("json by encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(jsonLine)))
		text := []byte(jsonLine)
		for b.Loop() {
			var v struct {
				Msec, Request_time                 float64
				Remote_addr, Request_uri           string
				Request_method, Host, Http_referer string
				Status                             int
			}
			require.NoError(b, json.Unmarshal(text, &v))
		}
	})
}

func benchParse(b *testing.B, line string) {
	b.Helper()
	n := accesslog.BlockSize / len(line)
	block := accesslog.Block{Text: []byte(strings.Repeat(line, n))}
	f, err := accesslog.Choose(&block, accesslog.Hints{})
	require.NoError(b, err)
	r := f.NewReader([]string{"remote_addr", "status", "request", "request_uri", "request_method", "host", "limit_req_status"})
	var rec accesslog.Record
	b.SetBytes(int64(len(block.Text)))
	b.ReportAllocs()
	for b.Loop() {
		r.Begin(&block)
		good := 0
		for r.Next(&rec) {
			if rec.Kind == accesslog.Good {
				good++
			}
		}
		require.Equal(b, n, good)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/line")
}
