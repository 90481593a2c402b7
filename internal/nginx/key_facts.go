package nginx

import "github.com/nglimit/nglimit/parser"

// KeyFacts is what can be said of a key without a request: maps, geos, splits,
// "set" and captures are followed down to nginx's own variables.
type KeyFacts struct {
	Value *Value

	// Parts are the variables whose text is in some of the key's results;
	// Chosen those that only choose among results, as the source of a map does.
	Parts, Chosen []Source

	// UnknownVars are variables of modules that stock nginx does not have, or
	// that a script may set. With any of them nothing else here is certain,
	// and a rule should be silent.
	UnknownVars []string

	// Literals are the results that no variable is part of, "" included, in
	// order of appearance; at most 64 are kept.
	Literals []string
	// Constant tells that every request has the same key, which is Literals[0].
	Constant bool
	// Classes tells that the key has several results and all are literal: a
	// bucket for each class of requests.
	Classes bool
	// PerServer tells that every client of a server or location has the same key.
	PerServer bool

	// ClientAddress tells that every result that is not empty contains the
	// address of the client, or the part of it that a capture takes;
	// AddressOnly, that such results contain nothing else a client could vary.
	ClientAddress, AddressOnly bool
	// Addresses are the client-address variables among Parts: remote_addr,
	// binary_remote_addr, proxy_protocol_addr. Whether that is the real client
	// depends on the real IP settings of a block: see Block.RealIP.
	Addresses []string
	// PeerAddress tells that $realip_remote_addr is part of it.
	PeerAddress bool

	// Spoofable are the Parts that a client fills with any text it likes:
	// headers, cookies, arguments, the body, the TLS handshake. Host, URI and
	// $remote_user are not among them: they have fields of their own.
	// SpoofableChoice is the same for Chosen.
	Spoofable, SpoofableChoice []Source
	// Unique, PerURI, EmptyAtPreaccess and ConstantAtPreaccess name parts of
	// that nature: never the same twice; path or arguments; without a value
	// where limits look at it; with always the same one there.
	Unique, PerURI, EmptyAtPreaccess, ConstantAtPreaccess []string
	// AlwaysEmptyAtPreaccess names a variable because of which the key is
	// empty whenever a limit looks at it; "" when that is not certain. A
	// location that an internal redirect leads to may see it set: see Reach.
	AlwaysEmptyAtPreaccess string
	// RemoteUser tells that $remote_user is part of it, HostDependent that
	// the Host is.
	RemoteUser, HostDependent bool

	// Empty are the ways in which an ordinary request comes to an empty key,
	// which no limit counts.
	Empty []Emptiness
	// NeverEmpty tells that no request at all has it empty; without it and
	// without Empty nothing is known.
	NeverEmpty bool

	// MaxLen is the most bytes the key can have; -1 when only the size of a
	// request header bounds it.
	MaxLen int
}

// Source is a variable of nginx that a key comes from.
type Source struct {
	Variable string
	Input    Input
	// From is the input in words: `header "X-Api-Key"`.
	From string
	// Via are the maps, geos and the like between the key and the variable,
	// outermost first; a map is followed by its entry.
	Via []parser.Span
}

// EmptyKind says how a key comes to be empty.
type EmptyKind uint8

// The ways to an empty key.
const (
	EmptyAbsent    EmptyKind = iota // the request has no such header, cookie, …
	EmptyNoDefault                  // a map or geo without default has no entry for it
	EmptyExempt                     // an entry says "" on purpose
	EmptyUnset                      // "set" or the capture was not run
	EmptyLate                       // the variable gets its value later
)

// Emptiness is one way to an empty key.
type Emptiness struct {
	Kind     EmptyKind
	Variable string
	Why      string // a clause: "the request has no such header"
	// Span is the entry or definition that makes it empty; the zero Span
	// when it is nginx's own variable.
	Span parser.Span
	// Pattern is the pattern of the entry, "default" for the default.
	Pattern string
	// By are the variables that lead there, which the client may choose.
	By []Source
}

// AlwaysEmpty tells that the key is empty for every request, where limits look.
func (f *KeyFacts) AlwaysEmpty() bool {
	return f.AlwaysEmptyAtPreaccess != "" || f.Constant && f.Literals[0] == ""
}

// MaybeEmpty tells whether an ordinary request comes to an empty key.
func (f *KeyFacts) MaybeEmpty() bool { return len(f.Empty) > 0 }

// Exempts returns the entries that make the key empty on purpose.
func (f *KeyFacts) Exempts() []Emptiness {
	var all []Emptiness
	for _, e := range f.Empty {
		if e.Kind == EmptyExempt {
			all = append(all, e)
		}
	}
	return all
}
