package replay_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/replay"
)

const benchLines = 200_000

// benchLog is a log of JSON or combined lines, from many addresses, in order of
// their ends.
func benchLog(json bool) string {
	rng := rand.New(rand.NewPCG(1, 1))
	popular := rand.NewZipf(rng, 1.2, 8, 40_000)
	var b bytes.Buffer
	for i := range benchLines {
		n := popular.Uint64()
		address := fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255)
		uri := fmt.Sprintf("/item/%d?page=%d", rng.IntN(500), rng.IntN(5))
		if rng.IntN(10) == 0 {
			uri = "/login"
		}
		if json {
			b.WriteString(strings.Replace(line(i/2, rng.IntN(120), address, uri), "}", `,"body_bytes_sent":5120,"http_referer":"https://shop.example/","http_user_agent":"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36"}`, 1))
		} else {
			fmt.Fprintf(&b, `%s - - [01/Jan/2026:10:%02d:%02d +0000] "GET %s HTTP/1.1" 200 5120 "https://shop.example/" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36"`+"\n",
				address, i/120_000, i/2000%60, uri)
		}
	}
	return b.String()
}

func BenchmarkRun(b *testing.B) {
	c := config(b, shop)
	for _, format := range []string{"json", "combined"} {
		log := benchLog(format == "json")
		packed := string(gzipped(b, log))
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", format, workers), func(b *testing.B) {
				benchRun(b, replay.Options{Config: c, Inputs: []replay.Input{text("log", log)}, Workers: workers}, log)
			})
		}
		b.Run(format+"/gzip/workers=2", func(b *testing.B) {
			benchRun(b, replay.Options{Config: c, Inputs: []replay.Input{text("log", packed)}, Workers: 2}, log)
		})
	}
}

func benchRun(b *testing.B, o replay.Options, log string) {
	b.Helper()
	b.SetBytes(int64(len(log)))
	b.ReportAllocs()
	for b.Loop() {
		r, err := replay.Run(b.Context(), o, func(*replay.Event) error { return nil })
		require.NoError(b, err)
		require.Equal(b, int64(benchLines), r.Requests)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchLines, "ns/line")
}
