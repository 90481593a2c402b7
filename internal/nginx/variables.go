package nginx

import "strings"

// Input is the part of a request that a client's text comes from.
type Input uint8

// The inputs. Everything but NoInput is chosen by the client.
const (
	NoInput Input = iota
	HeaderInput
	CookieInput
	ArgumentInput
	QueryInput       // all arguments
	URIInput         // path, with or without arguments
	HostInput        // Host header, request line or SNI
	MethodInput      // request method
	UserInput        // user name of basic authentication, not verified yet at preaccess
	BodyInput        // request body
	CertificateInput // client certificate
	HandshakeInput   // what the TLS handshake offers
	CaptureInput     // $1 to $9 of whatever matched last
)

// Kind says what a variable's value tells apart.
type Kind uint8

// The kinds of variables.
const (
	KindUnknown    Kind = iota // not one of stock nginx
	KindProcess                // the same for every request of a process
	KindServer                 // the same for every request to a server or location
	KindFew                    // a handful of values, such as the scheme
	KindAddress                // the client's address, after realip
	KindPeer                   // the address of the other end of the connection
	KindProxyProto             // from the PROXY protocol header
	KindFromAddr               // derived from the address, such as a country
	KindClient                 // text that the client chooses
	KindUnique                 // never or hardly ever the same twice
	KindOther                  // anything else: counters, sizes
)

// Readiness says what a variable is at preaccess, where limits look at it.
type Readiness uint8

// The states of a variable at preaccess.
const (
	Ready Readiness = iota
	EmptyYet
	ConstantYet
)

// Variable is what is known of one of nginx's own variables.
type Variable struct {
	Name  string
	Kind  Kind
	Input Input
	// Source says in words where a client's text comes from: `header
	// "User-Agent"`, `argument "key"`; empty when Input is NoInput.
	Source string
	// Max is the most bytes it can have; -1: only bounded by the size of a
	// request header.
	Max int
	// Absent says when an ordinary request has it empty; "" when it never
	// is, or when that is not known.
	Absent string
	// Never tells that it never is empty.
	Never bool
	Ready Readiness
	// Constant is the value before an answer exists, for ConstantYet.
	Constant string
}

// LookupVariable finds one of stock nginx's variables, those with a prefix
// included; name is without "$" and in lower case.
func LookupVariable(name string) (Variable, bool) {
	if v, known := stockVariables[name]; known {
		v.Name = name
		return v, true
	}
	for _, p := range variablePrefixes {
		if rest, found := strings.CutPrefix(name, p.prefix); found {
			return p.describe(name, rest), true
		}
	}
	return Variable{}, false
}

// variablePrefixes are tried in order (ngx_http_variables.c:ngx_http_core_variables
// and the modules' own).
var variablePrefixes = []struct {
	prefix   string
	describe func(name, rest string) Variable
}{
	{"http_", headerVariable},
	{"cookie_", func(name, rest string) Variable {
		return client(name, CookieInput, `cookie "`+rest+`"`, "the request has no such cookie")
	}},
	{"arg_", func(name, rest string) Variable {
		return client(name, ArgumentInput, `argument "`+rest+`"`, "the request has no such argument")
	}},
	{"sent_http_", lateVariable},
	{"sent_trailer_", lateVariable},
	{"upstream_http_", lateVariable},
	{"upstream_trailer_", lateVariable},
	{"upstream_cookie_", lateVariable},
	{"proxy_protocol_tlv_", func(name, _ string) Variable {
		return Variable{Name: name, Kind: KindProxyProto, Max: -1, Absent: "the PROXY protocol header has no such field"}
	}},
}

func headerVariable(name, rest string) Variable {
	return client(name, HeaderInput, `header "`+HeaderName(rest)+`"`, "the request has no such header")
}

func client(name string, from Input, source, absent string) Variable {
	return Variable{Name: name, Kind: KindClient, Input: from, Source: source, Max: -1, Absent: absent}
}

func lateVariable(name, _ string) Variable {
	return Variable{Name: name, Kind: KindOther, Max: -1, Ready: EmptyYet, Absent: "there is no answer yet"}
}

// HeaderName is the usual spelling of the header that $http_name is about:
// x_forwarded_for is X-Forwarded-For.
func HeaderName(rest string) string {
	words := strings.Split(rest, "_")
	for i, w := range words {
		if w != "" {
			words[i] = strings.ToUpper(w[:1]) + w[1:]
		}
	}
	return strings.Join(words, "-")
}
