package oracle

import (
	"errors"
	"io"
	"net/netip"
	"os"
	"syscall"
	"time"
)

// socket is a TCP connection on a bare descriptor: a goroutine parked in the
// poller costs several times what a blocking read does, and only this can ask
// what has arrived so far.
type socket int

// connect opens a connection from an address, or from any with the zero Addr.
// A receive fails after the timeout.
func connect(from netip.Addr, to netip.AddrPort, timeout time.Duration) (socket, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, os.NewSyscallError("socket", err)
	}
	if err := prepare(fd, from, to, timeout); err != nil {
		_ = syscall.Close(fd)
		return -1, err
	}
	return socket(fd), nil
}

func prepare(fd int, from netip.Addr, to netip.AddrPort, timeout time.Duration) error {
	limit := syscall.NsecToTimeval(timeout.Nanoseconds())
	if err := syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, syscall.SO_RCVTIMEO, &limit); err != nil {
		return os.NewSyscallError("setsockopt SO_RCVTIMEO", err)
	}
	if err := syscall.SetsockoptInt(fd, syscall.IPPROTO_TCP, syscall.TCP_NODELAY, 1); err != nil {
		return os.NewSyscallError("setsockopt TCP_NODELAY", err)
	}
	if from.IsValid() {
		if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: from.As4()}); err != nil {
			return os.NewSyscallError("bind "+from.String(), err)
		}
	}
	for {
		err := syscall.Connect(fd, &syscall.SockaddrInet4{Addr: to.Addr().As4(), Port: int(to.Port())})
		if !errors.Is(err, syscall.EINTR) {
			return os.NewSyscallError("connect "+to.String(), err)
		}
	}
}

func (s socket) send(b []byte) error {
	for len(b) > 0 {
		// Without MSG_NOSIGNAL a connection that nginx closed kills the test.
		n, err := syscall.SendmsgN(int(s), b, nil, nil, syscall.MSG_NOSIGNAL)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return os.NewSyscallError("send", err)
		}
		b = b[n:]
	}
	return nil
}

// receive waits for some bytes; io.EOF at the end.
func (s socket) receive(b []byte) (int, error) {
	for {
		n, err := syscall.Read(int(s), b)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EAGAIN):
			return 0, os.ErrDeadlineExceeded
		case err != nil:
			return 0, os.NewSyscallError("receive", err)
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// arrived takes what is there, 0 bytes when nothing is; io.EOF at the end.
func (s socket) arrived(b []byte) (int, error) {
	for {
		n, _, err := syscall.Recvfrom(int(s), b, syscall.MSG_DONTWAIT)
		switch {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.EAGAIN):
			return 0, nil
		case err != nil:
			return 0, os.NewSyscallError("receive", err)
		case n == 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

func (s socket) close() error { return os.NewSyscallError("close", syscall.Close(int(s))) }
