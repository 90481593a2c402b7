package oracle

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAReloadServesTheNewConfiguration(t *testing.T) {
	one := WithMaster(Serve("", `return 200 one;`))
	two := WithMaster(Serve("", `return 200 two;`))
	for name, opts := range map[string]Options{"on real time": {}, "on a virtual clock": {Clock: true}} {
		t.Run(name, func(t *testing.T) {
			each(t, func(t *testing.T, bin Nginx) {
				s := bin.Start(t, one, opts)
				assert.Equal(t, "one", string(s.Get(t, "/").Body))
				for range 3 {
					require.NoError(t, s.Reload(two))
					assert.Equal(t, "two", string(s.Get(t, "/").Body))
					require.NoError(t, s.Reload(one))
					assert.Equal(t, "one", string(s.Get(t, "/").Body))
				}
				require.ErrorContains(t, s.Reload("nonsense;"), `unknown directive "nonsense"`)
				assert.Equal(t, "one", string(s.Get(t, "/").Body))
			})
		})
	}
}

// A zone outlives a reload with all it holds
// (ngx_http_limit_req_module.c:ngx_http_limit_req_init_zone).
func TestAReloadKeepsZones(t *testing.T) {
	conf := WithMaster(Serve(`limit_req_zone $host zone=z:1m rate=1r/s;`,
		`location / { limit_req zone=z; add_header X-Status $limit_req_status always; try_files /none =204; }`))
	each(t, func(t *testing.T, bin Nginx) {
		s := bin.Start(t, conf, Options{Clock: true})
		status := func() string {
			r := s.Get(t, "/")
			return r.Header("X-Status")
		}
		assert.Equal(t, "PASSED", status())
		s.Clock.Advance(999)
		require.NoError(t, s.Reload(conf))
		assert.Equal(t, "REJECTED", status())
		s.Clock.Advance(1)
		assert.Equal(t, "PASSED", status())
	})
}
