package nginx

import (
	"strconv"
	"strings"
)

// maxBody is client_max_body_size in bytes, 1 MiB unless said otherwise; 0
// takes any body (src/http/ngx_http_core_module.c:ngx_http_core_merge_loc_conf).
func maxBody(b *Block) int64 {
	const standard = 1 << 20
	ds, _ := b.Nearest("client_max_body_size")
	if len(ds) == 0 || len(ds[0].Args) == 0 {
		return standard
	}
	text, unit := strings.ToLower(ds[0].Args[0].Value), int64(1)
	for suffix, bytes := range map[string]int64{"k": 1 << 10, "m": 1 << 20, "g": 1 << 30} {
		if rest, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = rest, bytes
			break
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return standard
	}
	return n * unit
}

// tooLarge tells whether the body is announced to be longer than the location
// takes. Only requests that are given completely are asked: logs hardly ever
// have the length, and every other length would be one more plan to keep.
func (s *state) tooLarge() bool {
	if !s.req.Complete || s.block.maxBody == 0 {
		return false
	}
	length, err := strconv.ParseInt(string(s.fieldValue(fieldContentLength).b), 10, 64)
	return err == nil && length > s.block.maxBody
}
