package nginx_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

// bigGeo is the text of a geo of that many lines.
func bigGeo(lines int, result func(i int) string) string {
	var text strings.Builder
	text.WriteString("geo $g {\n")
	for i := range lines {
		fmt.Fprintf(&text, "%d.%d.%d.0/24 %s;\n", i>>16&255, i>>8&255, i&255, result(i))
	}
	text.WriteString("}\n")
	return text.String()
}

// heapAfter is what the heap holds once text is read, beyond the text.
func heapAfter(t *testing.T, text string) (c *nginx.Config, grown int64) {
	var before, after runtime.MemStats
	src := []byte("events {}\nhttp {\n" + text + "\n}\n")
	runtime.GC()
	runtime.ReadMemStats(&before)
	c = nginx.Build(parser.ParseBytes("nginx.conf", src, parser.Options{FS: parser.OS{}}))
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.NotNil(t, c.HTTP)
	runtime.KeepAlive(src)
	return c, int64(after.HeapAlloc) - int64(before.HeapAlloc)
}

func TestAGeoOfAMillionLinesCostsItsResultsOnly(t *testing.T) {
	c, grown := heapAfter(t, bigGeo(1_000_000, func(i int) string { return []string{"a", "b", `""`}[i%3] }))
	require.Len(t, c.Geos, 1)
	assert.Equal(t, []string{"a", "b", ""}, c.Geos[0].Results)
	assert.False(t, c.Geos[0].Many)
	assert.Len(t, c.Geos[0].Exempt, 8)
	assert.Less(t, grown, int64(8<<20), "bytes beyond the text of 16 MB")
}

func TestAGeoWithAResultForEachLineIsCutOff(t *testing.T) {
	c, grown := heapAfter(t, bigGeo(300_000, func(i int) string { return fmt.Sprint("v", i) }))
	assert.Len(t, c.Geos[0].Results, 4096)
	assert.True(t, c.Geos[0].Many)
	assert.Equal(t, len("v299999"), c.Geos[0].Longest)
	assert.Less(t, grown, int64(8<<20))
	v, _ := nginx.ParseValue("$g")
	f := c.Key(v)
	assert.True(t, f.Classes)
	assert.False(t, f.Constant)
	assert.Equal(t, len("v299999"), f.MaxLen)
}
