package limit_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/nglimit/nglimit/replay/limit"
)

func TestPerMinuteIsCutToThousandthsPerSecond(t *testing.T) {
	for n, want := range map[int64]limit.Rate{
		1: 16, 2: 33, 3: 50, 7: 116, 30: 500, 59: 983, 60: 1000, 61: 1016, 90: 1500, 100: 1666, 1000: 16666,
	} {
		assert.Equal(t, want, limit.PerMinute(n), "%dr/m", n)
	}
}

func TestPerSecondIsInThousandths(t *testing.T) {
	assert.Equal(t, limit.Rate(1000), limit.PerSecond(1))
	assert.Equal(t, limit.Rate(100000000), limit.PerSecond(100000))
}

func TestRatesNearTheEndOfTheRangeWrap(t *testing.T) {
	assert.Equal(t, limit.Rate(math.MaxUint64-999), limit.PerSecond(math.MaxInt64), "2^63-1 times 1000 is -1000 in 64 bits")
}

func TestStatusHasTheWordsOfNginx(t *testing.T) {
	for _, row := range []struct {
		status limit.Status
		word   string
		dryRun string
	}{
		{limit.None, "", ""},
		{limit.Passed, "PASSED", "PASSED"},
		{limit.Delayed, "DELAYED", "DELAYED_DRY_RUN"},
		{limit.Rejected, "REJECTED", "REJECTED_DRY_RUN"},
	} {
		assert.Equal(t, row.word, row.status.String())
		assert.Equal(t, row.dryRun, row.status.DryRun().String())
		assert.Equal(t, row.status, row.status.DryRun().Enforced())
	}
}
