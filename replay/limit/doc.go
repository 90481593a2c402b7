// Package limit is the pure engine of nginx's limit_req and limit_conn: the
// integer arithmetic, the order of several limits, and the shared memory zone
// with its page allocator, bit for bit as nginx 1.15.7 to 1.31 decides.
//
// It knows keys as bytes, time as milliseconds of a monotonic clock, and
// nothing else: no configuration, no log, no request. Once-per-request, dry
// run and what a refused client does next are the business of its caller.
package limit
