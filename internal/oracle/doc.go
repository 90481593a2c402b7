// Package oracle runs an unmodified nginx for tests: it checks configurations,
// starts servers on loopback, drives them on a virtual clock and speaks HTTP/1
// and HTTP/2 to them. It knows binaries, processes and sockets; it refuses to
// know what a configuration means or which answer is right. Only tests import
// it, and they skip loudly where there is no nginx, or fail with
// REQUIRE_NGINX=1.
package oracle
