package nginx_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/internal/oracle"
	"github.com/nglimit/nglimit/parser"
)

const shop = "../../fixtures/nginx/shop"

// from names the place that says something, as "20-api.conf:6".
func from(d *parser.Directive) string {
	if d == nil {
		return "default"
	}
	return fmt.Sprintf("%s:%d", filepath.Base(d.File.Name), d.HeadSpan().Start.Line)
}

// inForce puts what is in force in a block into one line.
func inForce(b *nginx.Block) string {
	var words []string
	for _, l := range b.LimitReq.Items {
		words = append(words, l.ZoneName+"@"+from(l.Dir))
	}
	for _, l := range b.LimitConn.Items {
		words = append(words, fmt.Sprintf("%s=%d@%s", l.ZoneName, l.N, from(l.Dir)))
	}
	words = append(words, fmt.Sprintf("%d@%s", b.LimitReqStatus.Value, from(b.LimitReqStatus.Dir)))
	if b.LimitReqDryRun.Value {
		words = append(words, "dry@"+from(b.LimitReqDryRun.Dir))
	}
	for _, h := range b.AddHeader.Items {
		words = append(words, h.Name+"@"+from(h.Dir))
	}
	for _, t := range b.SetRealIPFrom.Items {
		words = append(words, t.Text+"@"+from(t.Dir))
	}
	for _, p := range b.ErrorPage.Items {
		words = append(words, p.Target.Text+"@"+from(p.Dir))
	}
	return strings.Join(words, " ")
}

// TestEveryValueKnowsItsOrigin is the whole of a configuration of several files.
func TestEveryValueKnowsItsOrigin(t *testing.T) {
	tree := parser.Parse(shop+"/nginx.conf", parser.Options{FS: parser.OS{}})
	require.Empty(t, tree.Errors)
	c := nginx.Build(tree)
	require.Empty(t, c.Refused)
	require.Empty(t, c.Unjudged)
	var got []string
	for b := range c.Blocks() {
		name := b.Dir.Name
		for _, a := range b.Dir.Args {
			name += " " + a.Value
		}
		got = append(got, name+": "+inForce(b))
	}
	const outside = "429@nginx.conf:15 Retry-After@nginx.conf:17 "
	const trust = "10.0.0.0/8@nginx.conf:11"
	const page, open, down = "page@10-shop.conf:5 ", "open=30@10-shop.conf:6 ", " @down@10-shop.conf:7"
	const api = "api@20-api.conf:6 " + outside + "192.0.2.1@20-api.conf:4"
	assert.Equal(t, []string{
		"http: " + outside + trust,
		"server: " + page + open + outside + trust + down,
		"location /: " + page + open + outside + trust + down,
		"location = /login: page@10-shop.conf:13 login@10-shop.conf:14 " + open + outside + trust + down,
		"location ^~ /static/: " + page + open + "429@nginx.conf:15 dry@10-shop.conf:18 Retry-After@nginx.conf:17 " + trust + down,
		"location @app: " + page + open + outside + trust + down,
		"location @down: login@10-shop.conf:26 " + open + "429@nginx.conf:15 Cache-Control@10-shop.conf:27 " + trust + down,
		"server: " + api,
		"location /v1/: " + api,
		"if ($request_method = OPTIONS): " + api,
		"limit_except GET POST: " + api,
		"location /v1/upload: api@20-api.conf:6 open=2@20-api.conf:15 " + outside + "192.0.2.1@20-api.conf:4",
		"location = /health: " + api,
	}, got)

	health := at(t, c, "/health")
	require.Len(t, health.AccessLog.Items, 1)
	assert.True(t, health.AccessLog.Items[0].Off)
	assert.Equal(t, "timed", at(t, c, "/v1/").AccessLog.Items[0].Format)
	assert.Equal(t, "warn", health.LimitReqLogLevel.Value)
}

func TestTheShopIsOneThatNginxTakes(t *testing.T) {
	verdict := oracle.Need(t).Checker(t).Test(oracle.Dir(t, shop))
	assert.True(t, verdict.OK, verdict.Output)
}
