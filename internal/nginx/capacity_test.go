package nginx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/nglimit/nglimit/internal/nginx"
)

// The rows were measured on a running nginx: limit_req until the first
// eviction, limit_conn until the first refusal.
func TestCapacity(t *testing.T) {
	const req, conn = nginx.ReqZone, nginx.ConnZone
	for _, row := range []struct {
		kind         nginx.ZoneKind
		size         int64
		key          int
		slot, states int
	}{
		{req, 32 << 10, 4, 128, 191},
		{req, 32 << 10, 48, 128, 191},
		{req, 32 << 10, 49, 256, 80},
		{req, 32 << 10, 432, 512, 40},
		{req, 512 << 10, 16, 128, 4031},
		{req, 512 << 10, 64, 256, 2000},
		{req, 1 << 20, 16, 128, 8095},
		{req, 1 << 20, 128, 256, 4032},
		{req, 1 << 20, 177, 512, 2016},
		{req, 10 << 20, 4, 128, 81375},
		{req, 10 << 20, 176, 256, 40672},
		{req, 10 << 20, 432, 512, 20336},
		{conn, 32 << 10, 28, 64, 383},
		{conn, 32 << 10, 29, 128, 160},
		{conn, 32 << 10, 220, 256, 80},
		{conn, 32 << 10, 255, 512, 40},
		{conn, 1 << 20, 16, 64, 16191},
		{conn, 1 << 20, 92, 128, 8064},
		{conn, 1 << 20, 93, 256, 4032},
		{conn, 1 << 20, 255, 512, 2016},
		{req, 0, 4, 128, 0},
		{req, 32 << 10, 5000, 8192, 2},
	} {
		z := &nginx.Zone{Kind: row.kind, Name: "abc", Size: row.size}
		assert.Equal(t, nginx.Capacity{Slot: row.slot, States: row.states}, z.Capacity(row.key), "%v %d %d", row.kind, row.size, row.key)
	}
}

func TestALongerZoneNameMayCostAPageLess(t *testing.T) {
	// The name's text then is a chunk of the nodes' own class.
	z := &nginx.Zone{Kind: nginx.ConnZone, Name: "a_name_of_ten_and_more", Size: 1 << 20}
	assert.Equal(t, nginx.Capacity{Slot: 64, States: 254*64 - 2}, z.Capacity(4))
}
