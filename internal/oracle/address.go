package oracle

import (
	"net"
	"net/netip"
	"os"
	"testing"
)

// freeAddr finds a port nobody listens on. Each process has a loopback address
// of its own in 127.77.0.0/16, by its id, so that tests of several packages do
// not take ports from each other between this look and nginx's bind.
func freeAddr(t testing.TB) netip.AddrPort {
	t.Helper()
	pid := os.Getpid()
	ip := netip.AddrFrom4([4]byte{127, 77, byte(pid >> 8), byte(pid)})
	listener, err := net.ListenTCP("tcp4", net.TCPAddrFromAddrPort(netip.AddrPortFrom(ip, 0)))
	if err != nil {
		t.Fatalf("find a free port on %s: %v", ip, err)
	}
	defer func() { _ = listener.Close() }()
	port := listener.Addr().(*net.TCPAddr).Port
	return netip.AddrPortFrom(ip, uint16(port))
}
