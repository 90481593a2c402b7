package nginx

import (
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
)

// The client's address with both kinds of recursion, behind a proxy at
// 127.0.0.1, trusting 127.0.0.0/8 and 10.0.0.0/8.
func TestForwardedFor(t *testing.T) {
	trust := &trustList{}
	trust.add(netip.MustParsePrefix("127.0.0.0/8"))
	trust.add(netip.MustParsePrefix("10.0.0.0/8"))
	for _, c := range []struct{ name, header, off, on string }{
		{"the last of two", "1.1.1.1, 2.2.2.2", "2.2.2.2", "2.2.2.2"},
		{"behind a second proxy", "1.1.1.1, 10.0.0.1", "10.0.0.1", "1.1.1.1"},
		{"only proxies", "10.0.0.1, 10.0.0.2", "10.0.0.2", "10.0.0.1"},
		{"junk ends the walk", "1.1.1.1, bad, 10.0.0.1", "10.0.0.1", "10.0.0.1"},
		{"junk alone", "bad", "127.0.0.1", "127.0.0.1"},
		{"nothing", "", "127.0.0.1", "127.0.0.1"},
		{"the first byte is not looked at", ",1.1.1.1", "127.0.0.1", "127.0.0.1"},
		{"a comma behind", "1.1.1.1 ,", "1.1.1.1", "1.1.1.1"},
		{"two lines", "1.1.1.1\n10.0.0.2", "10.0.0.2", "1.1.1.1"},
		{"two lines, the last is junk", "1.1.1.1\nbad", "127.0.0.1", "127.0.0.1"},
		{"a port", "1.1.1.1:8080", "1.1.1.1", "1.1.1.1"},
		{"brackets and a port", "[2001:db8::1]:443", "2001:db8::1", "2001:db8::1"},
		{"port 0 is none", "1.1.1.1:0", "127.0.0.1", "127.0.0.1"},
		{"all ones is no address", "255.255.255.255", "127.0.0.1", "127.0.0.1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for recursive, want := range map[bool]string{false: c.off, true: c.on} {
				walk := chain{cur: netip.MustParseAddr("127.0.0.1"), trust: trust, recursive: recursive}
				walk.lines([]byte(c.header))
				assert.Equal(t, want, string(appendAddr(nil, walk.cur)), "recursive %t", recursive)
			}
		})
	}
}

func TestAddressesAsNginxPrintsThem(t *testing.T) {
	for in, want := range map[string]string{
		"::":                    "::",
		"::1":                   "::1",
		"2001:0db8:0:0:1:0:0:1": "2001:db8::1:0:0:1",
		"2001:db8:0:1:1:1:1:1":  "2001:db8:0:1:1:1:1:1",
		"::ffff:10.0.0.9":       "::ffff:10.0.0.9",
		"::1.2.3.4":             "::1.2.3.4",
		"fe80::":                "fe80::",
		"1:0:0:2:0:0:0:3":       "1:0:0:2::3",
		"::ffff:0:0":            "::ffff:0.0.0.0",
	} {
		assert.Equal(t, want, string(appendAddr(nil, netip.MustParseAddr(in))), in)
	}
}

func TestAMappedNetworkTrustsNobody(t *testing.T) {
	trust := &trustList{}
	trust.add(netip.MustParsePrefix("::ffff:127.0.0.0/104"))
	yes, _ := trust.trusts(netip.MustParseAddr("::ffff:127.0.0.1"))
	assert.False(t, yes)
}

const realipConf = `events {} http {
limit_req_zone $binary_remote_addr zone=ip:1m rate=1r/s;
set_real_ip_from 10.0.0.0/8; set_real_ip_from unix:; real_ip_header X-Forwarded-For;
server { listen 80; location / { limit_req zone=ip; } } }`

func TestTheAddressOfALogLine(t *testing.T) {
	r := routerFor(t, realipConf)
	for _, c := range []struct {
		name      string
		variables []string
		key       string
		unknown   string
	}{
		{"the peer and the header are logged", []string{"realip_remote_addr", "10.0.0.1", "http_x_forwarded_for", "192.0.2.1", "remote_addr", "10.0.0.1"}, "\xc0\x00\x02\x01", ""},
		{"the peer is not trusted", []string{"realip_remote_addr", "192.0.2.9", "http_x_forwarded_for", "192.0.2.1"}, "\xc0\x00\x02\x09", ""},
		{"only the result is logged", []string{"remote_addr", "192.0.2.1"}, "\xc0\x00\x02\x01", ""},
		{"the header is not logged", []string{"realip_remote_addr", "10.0.0.1"}, "", "http_x_forwarded_for"},
		{"no address at all", nil, "", "remote_addr"},
		{"a socket of the machine", []string{"remote_addr", "unix:"}, "unix:", ""},
		{"a trusted socket", []string{"realip_remote_addr", "unix:", "http_x_forwarded_for", "::1"}, "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01", ""},
		{"a mapped address has 16 bytes", []string{"remote_addr", "::ffff:192.0.2.1"}, "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\xff\xc0\x00\x02\x01", ""},
		{"a masked address stands for itself", []string{"remote_addr", "192.0.2.x"}, "192.0.2.x", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ask(r, false, append(c.variables, "request_uri", "/")...)
			assert.Equal(t, c.unknown, got.Limits[0].Unknown)
			assert.Equal(t, c.key, string(got.Limits[0].Key))
		})
	}
}

func TestAddressesAsNginxReadsThem(t *testing.T) {
	for in, want := range map[string]string{
		"1.2.3.4": "1.2.3.4", "001.02.3.4": "1.2.3.4", "1..3.4": "1.0.3.4", "...": "0.0.0.0",
		"1.2.3": "", "1.2.3.4.5": "", "256.1.1.1": "", "255.255.255.255": "", "": "", " 1.2.3.4": "",
		"::": "::", "::1": "::1", "1::": "1::", "1:2:3:4:5:6:7:8": "1:2:3:4:5:6:7:8", ":1:2:3:4:5:6:7:8": "1:2:3:4:5:6:7:8",
		"1:2:3:4:5:6:7": "", "1:2:3:4:5:6:7:8:9": "", "1:2:3:4:5:6:7::8": "", "1:2:3:4:5:6::8": "1:2:3:4:5:6:0:8", "1::2::3": "",
		"12345::": "", "g::": "", ":1": "", "1:": "", "::ffff:1.2.3.4": "::ffff:1.2.3.4", "1:2:3:4:5:6:1.2.3.4": "1:2:3:4:5:6:102:304",
		"1:2:3:4:5:6:7:1.2.3.4": "", "::1.2.3": "", "FE80::A": "fe80::a", "fe80::1%eth0": "",
	} {
		a, ok := parseAddr([]byte(in))
		assert.Equal(t, want != "", ok, in)
		if ok {
			assert.Equal(t, want, string(appendAddr(nil, a)), in)
		}
	}
}
