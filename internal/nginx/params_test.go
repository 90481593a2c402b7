package nginx

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/nglimit/nglimit/internal/oracle"
	"github.com/nglimit/nglimit/parser"
)

// statement parses one directive that stands in the http block.
func statement(t *testing.T, text string) *parser.Directive {
	t.Helper()
	tree := parser.ParseBytes("nginx.conf", []byte("events {}\nhttp {\n"+text+"\n}\n"), parser.Options{FS: parser.OS{}})
	require.Empty(t, tree.Errors)
	return tree.Root.Directives[1].Children[0]
}

// refusals are directives and nginx's words for them; the same table is put
// to nginx itself.
var refusals = []struct{ name, text, want string }{
	{"zone without a size", "limit_req_zone $uri zone=z rate=1r/s;", `invalid zone size "zone=z"`},
	{"zone with an empty size", "limit_req_zone $uri zone=z: rate=1r/s;", `invalid zone size "zone=z:"`},
	{"size in gigabytes", "limit_req_zone $uri zone=z:1g rate=1r/s;", `invalid zone size "zone=z:1g"`},
	{"size in mb", "limit_req_zone $uri zone=z:1mb rate=1r/s;", `invalid zone size "zone=z:1mb"`},
	{"size with a fraction", "limit_req_zone $uri zone=z:1.5m rate=1r/s;", `invalid zone size "zone=z:1.5m"`},
	{"negative size", "limit_req_zone $uri zone=z:-1 rate=1r/s;", `invalid zone size "zone=z:-1"`},
	{"size followed by more", "limit_req_zone $uri zone=z:1m:x rate=1r/s;", `invalid zone size "zone=z:1m:x"`},
	{"seven pages", "limit_req_zone $uri zone=z:31k rate=1r/s;", `zone "zone=z:31k" is too small`},
	{"one byte short of eight pages", "limit_req_zone $uri zone=z:32767 rate=1r/s;", `zone "zone=z:32767" is too small`},
	{"zone without a name", "limit_req_zone $uri zone=:1m rate=1r/s;", `"limit_req_zone" must have "zone" parameter`},
	{"two rates and no zone", "limit_req_zone $uri rate=1r/s rate=2r/s;", `"limit_req_zone" must have "zone" parameter`},
	{"rate of zero", "limit_req_zone $uri zone=z:1m rate=0r/s;", `invalid rate "rate=0r/s"`},
	{"negative rate", "limit_req_zone $uri zone=z:1m rate=-1r/s;", `invalid rate "rate=-1r/s"`},
	{"rate with a sign", "limit_req_zone $uri zone=z:1m rate=+1r/s;", `invalid rate "rate=+1r/s"`},
	{"rate with a fraction", "limit_req_zone $uri zone=z:1m rate=1.5r/s;", `invalid rate "rate=1.5r/s"`},
	{"rate per hour", "limit_req_zone $uri zone=z:1m rate=1r/h;", `invalid rate "rate=1r/h"`},
	{"rate in capitals", "limit_req_zone $uri zone=z:1m rate=1R/S;", `invalid rate "rate=1R/S"`},
	{"rate without a number", "limit_req_zone $uri zone=z:1m rate=r/s;", `invalid rate "rate=r/s"`},
	{"empty rate", "limit_req_zone $uri zone=z:1m rate=;", `invalid rate "rate="`},
	{"rate beyond 63 bits", "limit_req_zone $uri zone=z:1m rate=9223372036854775808r/s;", `invalid rate "rate=9223372036854775808r/s"`},
	{"burst in the zone", "limit_req_zone $uri zone=z:1m burst=1;", `invalid parameter "burst=1"`},
	{"zone in capitals", "limit_req_zone $uri Zone=z:1m rate=1r/s;", `invalid parameter "Zone=z:1m"`},
	{"a dollar alone as key", "limit_req_zone $ zone=z:1m rate=1r/s;", "invalid variable name"},

	{"limit without a zone", "limit_req burst=5;", `"limit_req" must have "zone" parameter`},
	{"burst of zero", "limit_req zone=z burst=0;", `invalid burst value "burst=0"`},
	{"burst of no digits", "limit_req zone=z burst=5x;", `invalid burst value "burst=5x"`},
	{"burst beyond 63 bits", "limit_req zone=z burst=9223372036854775808;", `invalid burst value "burst=9223372036854775808"`},
	{"delay of zero", "limit_req zone=z burst=1 delay=0;", `invalid delay value "delay=0"`},
	{"nodelays", "limit_req zone=z nodelays;", `invalid parameter "nodelays"`},
	{"a zone without its name of parameter", "limit_req z;", `invalid parameter "z"`},
	{"the first wrong parameter is named", "limit_req burst=0 zzz;", `invalid burst value "burst=0"`},

	{"connection zone without a size", "limit_conn_zone $uri zone=z;", `invalid zone size "zone=z"`},
	{"connection zone too small", "limit_conn_zone $uri zone=z:1k;", `zone "zone=z:1k" is too small`},
	{"connection zone with a rate", "limit_conn_zone $uri rate=1r/s;", `invalid parameter "rate=1r/s"`},
	{"connection zone without a name", "limit_conn_zone $uri zone=:1m;", `"limit_conn_zone" must have "zone" parameter`},
	{"no connections", "limit_conn z 0;", `invalid number of connections "0"`},
	{"negative connections", "limit_conn z -1;", `invalid number of connections "-1"`},
	{"too many connections", "limit_conn z 65536;", "connection limit must be less 65536"},

	{"status of no digits", "limit_req_status many;", `"limit_req_status" directive invalid number`},
	{"status below 400", "limit_conn_status 399;", "value must be between 400 and 599"},
	{"status above 599", "limit_req_status 600;", "value must be between 400 and 599"},
	{"unknown log level", "limit_req_log_level crit;", `invalid value "crit"`},
	{"dry run of yes", "limit_req_dry_run yes;", `invalid value "yes" in "limit_req_dry_run" directive, it must be "on" or "off"`},
	{"recursive of 1", "real_ip_recursive 1;", `invalid value "1" in "real_ip_recursive" directive, it must be "on" or "off"`},

	{"prefix too long", "set_real_ip_from 10.0.0.1/33;", `host not found in set_real_ip_from "10.0.0.1/33"`},
	{"prefix missing", "set_real_ip_from 10.0.0.1/;", `host not found in set_real_ip_from "10.0.0.1/"`},
	{"address with a port", "set_real_ip_from 10.0.0.1:80;", `host not found in set_real_ip_from "10.0.0.1:80"`},
	{"address in brackets", "set_real_ip_from [::1];", `host not found in set_real_ip_from "[::1]"`},
	{"a variable", "set_real_ip_from $x;", `host not found in set_real_ip_from "$x"`},
	{"a mask of dots", "set_real_ip_from 10.0.0.0/255.0.0.0;", `host not found in set_real_ip_from "10.0.0.0/255.0.0.0"`},
	{"an octet too large", "set_real_ip_from 300.1.1.1;", `host not found in set_real_ip_from "300.1.1.1"`},
	{"an IPv6 prefix too long", "set_real_ip_from ::1/129;", `host not found in set_real_ip_from "::1/129"`},
}

func TestParametersThatNginxRefuses(t *testing.T) {
	for _, tt := range refusals {
		t.Run(tt.name, func(t *testing.T) {
			err := CheckParams(statement(t, tt.text))
			require.NotNil(t, err)
			assert.Equal(t, tt.want, err.Msg)
			assert.Equal(t, 3, err.Line)
		})
	}
}

// acceptable are directives that nginx takes.
var acceptable = []string{
	"limit_req_zone $binary_remote_addr zone=a:32k rate=1r/s;",
	"limit_req_zone $uri rate=01r/m zone=b:1M;",
	"limit_req_zone x zone=c:1m zone=c:2m;",
	`limit_req_zone "" zone=d:1m rate=5;`,
	"limit_conn_zone $uri zone=e:1m;",
	"limit_req zone=a burst=5 nodelay;",
	"limit_req delay=3 zone=b;",
	"limit_req zone=b zone=d;",
	"limit_conn e 65535;",
	"limit_req_status 429;",
	"limit_conn_status 599;",
	"limit_req_log_level INFO;",
	"limit_conn_log_level notice;",
	"limit_conn_dry_run ON;",
	"real_ip_recursive Off;",
	"real_ip_header anything;",
	"set_real_ip_from unix:;",
	"set_real_ip_from 10.0.0.0/8;",
	"set_real_ip_from 10.0.0;",
	"set_real_ip_from 1..2.3;",
	"set_real_ip_from 255.255.255.255;",
	"set_real_ip_from ::/0;",
	"set_real_ip_from 2001:db8::1;",
	"set_real_ip_from ::ffff:10.0.0.1/104;",
	"set_real_ip_from localhost;",
}

func TestParametersThatNginxTakes(t *testing.T) {
	for _, text := range acceptable {
		t.Run(text, func(t *testing.T) { assert.Nil(t, CheckParams(statement(t, text))) })
	}
}

func TestRatesAreCutAsNginxCutsThem(t *testing.T) {
	for text, want := range map[string]uint64{
		"rate=1r/s": 1000, "rate=5": 5000, "rate=1r/m": 16, "rate=7r/m": 116, "rate=60r/m": 1000, "rate=100r/m": 1666,
	} {
		p, err := ParseReqZone(statement(t, "limit_req_zone $uri zone=z:1m "+text+";"))
		require.Nil(t, err)
		assert.Equal(t, want, p.Rate, text)
	}
}

func TestAZoneIsReadWithItsPlaces(t *testing.T) {
	p, err := ParseReqZone(statement(t, "limit_req_zone $uri rate=2r/s zone=z:10m;"))
	require.Nil(t, err)
	assert.Equal(t, ReqZoneParams{Key: "$uri", Zone: "z", ZoneArg: 2, Size: 10 << 20, Rate: 2000, RateArg: 1, RateText: "2r/s"}, p)
}

func TestTheLastOfNodelayAndDelayWins(t *testing.T) {
	p, err := ParseReq(statement(t, "limit_req zone=z nodelay delay=4;"))
	require.Nil(t, err)
	assert.Equal(t, ReqParams{Zone: "z", ZoneArg: 0, BurstArg: -1, Delay: 4, DelayArg: 2}, p)

	p, err = ParseReq(statement(t, "limit_req zone=z delay=4 nodelay;"))
	require.Nil(t, err)
	assert.True(t, p.Nodelay)
	assert.Equal(t, 2, p.DelayArg)
}

func TestTrustedNetworksAreReadAsNginxReadsThem(t *testing.T) {
	tests := []struct {
		text string
		want RealIPFrom
	}{
		{"unix:", RealIPFrom{Unix: true}},
		{"10.0.0.1/8", RealIPFrom{Net: netip.MustParsePrefix("10.0.0.0/8"), LowBits: true}},
		{"10.0.0.0/8", RealIPFrom{Net: netip.MustParsePrefix("10.0.0.0/8")}},
		{"10.1", RealIPFrom{Net: netip.MustParsePrefix("10.0.0.1/32")}},
		{"1..2.3", RealIPFrom{Net: netip.MustParsePrefix("1.0.2.3/32")}},
		{"255.255.255.255", RealIPFrom{Net: netip.MustParsePrefix("255.255.255.255/32")}},
		{"2001:db8::1/32", RealIPFrom{Net: netip.MustParsePrefix("2001:db8::/32"), LowBits: true}},
		{"::", RealIPFrom{Net: netip.MustParsePrefix("::/128")}},
		{":1::", RealIPFrom{Net: netip.MustParsePrefix("1::/128")}},
		{"::ffff:1.2.3.4", RealIPFrom{Net: netip.PrefixFrom(netip.MustParseAddr("::ffff:1.2.3.4"), 128)}},
		{"proxy.example.com", RealIPFrom{Host: "proxy.example.com"}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			got, err := ParseRealIPFrom(statement(t, "set_real_ip_from "+tt.text+";"))
			require.Nil(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}

func TestParametersAreJudgedAsNginxJudgesThem(t *testing.T) {
	for _, bin := range oracle.Bins(t) {
		check := bin.Checker(t)
		for _, tt := range refusals {
			if strings.HasPrefix(tt.want, "host not found") {
				continue // the checker resolves every name
			}
			got := check.Test(oracle.Conf("events {}\nhttp {\n" + tt.text + "\n}\n"))
			require.NotEmpty(t, got.Messages, tt.text)
			assert.Contains(t, got.Messages, oracle.Message{Level: "emerg", Text: tt.want, File: "nginx.conf", Line: 3}, tt.text)
		}
		for _, text := range acceptable {
			got := check.Test(oracle.Conf("events {}\nhttp {\n" + text + "\n}\n"))
			for _, m := range got.Messages {
				assert.Regexp(t, "^$|zero size shared memory zone|low address bits", m.Text, text)
			}
		}
	}
}
