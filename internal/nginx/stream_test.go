package nginx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
)

func TestStreamHasLimitsOfItsOwn(t *testing.T) {
	c := buildWhole(t, `events {}
stream {
    limit_conn_zone $binary_remote_addr zone=s:1m;
    limit_conn s 10;
    limit_conn_log_level warn;
    server { listen 127.0.0.1:5432 proxy_protocol; set_real_ip_from 10.0.0.0/8; proxy_pass 127.0.0.1:1; }
    server { listen 127.0.0.1:5433; limit_conn s 2; limit_conn_dry_run on; proxy_pass 127.0.0.1:1; }
}
http { limit_conn_zone $binary_remote_addr zone=h:1m; server { limit_conn h 5; location /s { limit_conn s 1; } } }`)
	require.NotNil(t, c.Stream)
	require.Len(t, c.Stream.Children, 2)
	first, second := c.Stream.Children[0], c.Stream.Children[1]
	assert.Equal(t, nginx.StreamServerLevel, first.Level)
	assert.Equal(t, 10, first.LimitConn.Items[0].N)
	assert.Same(t, c.Stream, first.LimitConn.From)
	assert.Equal(t, "warn", first.LimitConnLogLevel.Value)
	assert.Len(t, first.SetRealIPFrom.Items, 1)
	assert.Equal(t, 2, second.LimitConn.Items[0].N)
	assert.True(t, second.LimitConnDryRun.Value)
	assert.Equal(t, nginx.StreamConnZone, second.LimitConn.Items[0].Zone.Kind)

	assert.Equal(t, nginx.ConnZone, c.Servers[0].LimitConn.Items[0].Zone.Kind)
	assert.Nil(t, at(t, c, "/s").LimitConn.Items[0].Zone, "a zone of stream is none of http")
	require.NotEmpty(t, c.Refused)
	assert.Equal(t, `the shared memory zone "s" is already declared for a different use`, c.Refused[0].Msg)
	assert.True(t, c.Key(first.LimitConn.Items[0].Zone.Key).AddressOnly)
}
