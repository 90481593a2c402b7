package limit

// Millis is a point on, or a span of, the monotonic clock in milliseconds.
//
// A state that a request created in a zone which was not the last of its list
// starts at time 0 (ngx_http_limit_req_module.c:ngx_http_limit_req_lookup), so
// a replay must not put epoch time here: start near 1e9, where rate × elapsed
// stays far from wrapping and every such state counts as drained.
type Millis int64

// Rate is a limit_req_zone rate in thousandths of a request per second, the
// unit in which nginx keeps it.
type Rate uint64

// PerSecond is the rate that nginx computes for rate=<n>r/s. Values near 2^63
// wrap, as they do there.
func PerSecond(n int64) Rate { return Rate(n * 1000) }

// PerMinute is the rate that nginx computes for rate=<n>r/m: it is cut to a
// whole thousandth per second, so 1r/m is 0.016 r/s
// (ngx_http_limit_req_module.c:ngx_http_limit_req_zone).
func PerMinute(n int64) Rate { return Rate(n * 1000 / 60) }
