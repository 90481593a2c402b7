package report

import (
	"fmt"
	"net/netip"
	"strconv"

	"github.com/nglimit/nglimit/analyzer"
	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/replay"
)

// Replay is the outcome of a replay with what it means.
type Replay struct {
	Config  *nginx.Config
	Run     *replay.Result
	People  *analyzer.Result
	Session string // the variable that told clients apart; empty: the user agent
	Top     int    // addresses shown in text
}

// serverName is how a reader knows a server: its first name, else where it
// listens.
func serverName(s *nginx.Server) string {
	if s == nil {
		return ""
	}
	if len(s.Names) > 0 && s.Names[0].Text != "" {
		return s.Names[0].Text
	}
	if len(s.Listens) > 0 {
		l := s.Listens[0]
		switch {
		case l.Unix != "":
			return "unix:" + l.Unix
		case l.Wildcard:
			return "*:" + strconv.Itoa(int(l.Port))
		default:
			return netip.AddrPortFrom(l.Addr, l.Port).String()
		}
	}
	return ""
}

// locationName is a location as it is written; empty for the server itself.
func locationName(l *nginx.Location) string {
	if l == nil {
		return ""
	}
	switch l.Modifier {
	case nginx.Exact:
		return "= " + l.Pattern
	case nginx.PrefixNoRegex:
		return "^~ " + l.Pattern
	case nginx.RegexMatch:
		return "~ " + l.Pattern
	case nginx.RegexNoCase:
		return "~* " + l.Pattern
	default:
		return l.Pattern
	}
}

// keyText makes the bytes of a key readable: an address where the key is
// $binary_remote_addr, else the text with what is not printable escaped.
func keyText(z *nginx.Zone, key []byte) string {
	if z == nil {
		return ""
	}
	if z.Key.Text == "$binary_remote_addr" || z.Key.Text == "${binary_remote_addr}" {
		if addr, ok := netip.AddrFromSlice(key); ok {
			return addr.String()
		}
	}
	return Safe(string(key))
}

// thousandths writes an excess as nginx does.
func thousandths(n int64) string { return fmt.Sprintf("%d.%03d", n/1000, n%1000) }
