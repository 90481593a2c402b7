package limit_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/replay/limit"
)

const (
	kib = int64(1) << 10
	mib = int64(1) << 20
)

// The keys that a zone with a name of three letters holds, by length: what a
// running nginx stored before its first eviction or refusal.
func TestCapacityIsThatOfARunningNginx(t *testing.T) {
	type row struct {
		size int64
		keys []int
		want int
	}
	for _, module := range []struct {
		name     string
		capacity func(size int64, nameLen, keyLen int) int
		rows     []row
	}{
		{"limit_req", limit.ReqCapacity, []row{
			{32 * kib, []int{4, 7, 15, 16, 32, 48}, 191},
			{32 * kib, []int{49, 64, 128, 176}, 80},
			{32 * kib, []int{177, 432}, 40},
			{512 * kib, []int{4, 48}, 4031},
			{512 * kib, []int{64, 128}, 2000},
			{512 * kib, []int{432}, 1000},
			{mib, []int{4, 48}, 8095},
			{mib, []int{64, 176}, 4032},
			{mib, []int{432}, 2016},
			{10 * mib, []int{4, 15, 48}, 81375},
			{10 * mib, []int{64, 128}, 40672},
			{10 * mib, []int{432}, 20336},
		}},
		{"limit_conn", limit.ConnCapacity, []row{
			{32 * kib, []int{4, 7, 15, 16, 28}, 383},
			{32 * kib, []int{29, 32, 64, 92}, 160},
			{32 * kib, []int{93, 128, 220}, 80},
			{32 * kib, []int{221, 255}, 40},
			{512 * kib, []int{4, 28}, 8063},
			{512 * kib, []int{32, 64}, 4000},
			{512 * kib, []int{128}, 2000},
			{512 * kib, []int{255}, 1000},
			{mib, []int{4, 28}, 16191},
			{mib, []int{64}, 8064},
			{mib, []int{128}, 4032},
			{mib, []int{255}, 2016},
			{10 * mib, []int{16}, 162751},
			{10 * mib, []int{92}, 81344},
			{10 * mib, []int{220}, 40672},
			{10 * mib, []int{255}, 20336},
		}},
	} {
		for _, r := range module.rows {
			for _, key := range r.keys {
				t.Run(fmt.Sprintf("%s/%d bytes/key of %d", module.name, r.size, key), func(t *testing.T) {
					assert.Equal(t, r.want, module.capacity(r.size, len("abc"), key))
				})
			}
		}
	}
}

func TestCapacityDependsOnTheNameOfTheZone(t *testing.T) {
	assert.Equal(t, 191, limit.ReqCapacity(32*kib, 10, 4), "a name of 10 bytes takes a page of 32-byte chunks")
	assert.Equal(t, 191, limit.ReqCapacity(32*kib, 11, 4), "one of 11 a page of 64-byte chunks")
	assert.Equal(t, 222, limit.ReqCapacity(32*kib, 43, 4), "one of 43 a chunk of the states' own class")
	assert.Equal(t, 191, limit.ReqCapacity(32*kib, 107, 4), "one of 107 a page of 256-byte chunks")
	assert.Equal(t, 446, limit.ConnCapacity(32*kib, 10, 4), "in limit_conn a chunk of 64 bytes from 10 on")
}

func TestCapacityForKeysOfWholePages(t *testing.T) {
	assert.Equal(t, 10, limit.ReqCapacity(32*kib, 3, 1968), "2048 bytes are the largest chunk")
	assert.Equal(t, 5, limit.ReqCapacity(32*kib, 3, 1969), "one byte more takes a page")
	assert.Equal(t, 2, limit.ReqCapacity(32*kib, 3, 4017), "two pages each, of five")
	assert.Equal(t, 0, limit.ReqCapacity(32*kib, 3, 65535), "17 pages")
}

func TestCapacityOfASizeThatNginxRefusesIsNone(t *testing.T) {
	for _, size := range []int64{-1, 0, 1, limit.MinZoneSize - 1, 1 << 62} {
		assert.Zero(t, limit.ReqCapacity(size, 3, 4), "size %d", size)
		assert.Zero(t, limit.ConnCapacity(size, 3, 4), "size %d", size)
		_, err := limit.NewReqZone("abc", size, 1000)
		require.ErrorContains(t, err, "zone of")
		_, err = limit.NewConnZone("abc", size)
		assert.ErrorContains(t, err, "zone of")
	}
}
