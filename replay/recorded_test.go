package replay_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/oracle"
)

var update = flag.Bool("update", false, "let nginx write the recorded logs again")

// TestRecordedDryRun is TestOracleDryRun where there is no nginx: on a log that
// one wrote.
func TestRecordedDryRun(t *testing.T) {
	const conf, log = "../fixtures/replay/dry_run.conf", "../fixtures/replay/dry_run.log"
	if *update {
		text := dryRun(jsonFormat)
		require.NoError(t, os.WriteFile(conf, []byte(text), 0o600))
		require.NoError(t, os.WriteFile(log, []byte(record(t, oracle.Need(t), text, 42, 600)), 0o600))
	}
	text, err := os.ReadFile(conf)
	require.NoError(t, err)
	lines, err := os.ReadFile(log)
	require.NoError(t, err)
	compareLog(t, string(text), string(lines), strings.Count(string(lines), "\n"))
}
