package nginx

import "slices"

// facts sums up a key's shape in the words of reviews.
func (a *analysis) facts(v *Value, s shape) *KeyFacts {
	f := &KeyFacts{
		Value: v, Parts: s.parts, Chosen: s.chosen, UnknownVars: s.unknown,
		Literals: s.literals, Empty: s.empties, NeverEmpty: !s.mayEmpty, MaxLen: s.max,
		EmptyAtPreaccess: s.late, ConstantAtPreaccess: s.fixed,
	}
	known := len(s.unknown) == 0
	f.Constant = known && s.finite() && len(s.literals) == 1
	f.Classes = known && !s.dynamic && (len(s.literals) > 1 || s.more)
	if s.isEmpty() && len(s.late) > 0 {
		f.AlwaysEmptyAtPreaccess = s.late[0]
	}
	f.ClientAddress = known && s.nonEmpty && slices.Contains(s.always, addressToken)
	for _, p := range s.parts {
		f.part(p)
	}
	f.SpoofableChoice = spoofable(s.chosen)
	f.AddressOnly = f.ClientAddress && ofKinds(s.parts, KindAddress, KindProxyProto, KindServer, KindProcess, KindFew)
	f.PerServer = known && s.dynamic && ofKinds(s.parts, KindServer, KindProcess) && ofKinds(s.chosen, KindServer, KindProcess)
	return f
}

// part notes what one part of the key makes of it.
func (f *KeyFacts) part(p Source) {
	v, _ := LookupVariable(p.Variable)
	switch v.Kind {
	case KindAddress:
		f.Addresses = append(f.Addresses, p.Variable)
	case KindProxyProto:
		if p.Variable == "proxy_protocol_addr" {
			f.Addresses = append(f.Addresses, p.Variable)
		}
	case KindPeer:
		f.PeerAddress = true
	case KindUnique:
		f.Unique = append(f.Unique, p.Variable)
	default: // nothing to note
	}
	switch p.Input {
	case URIInput, QueryInput:
		f.PerURI = append(f.PerURI, p.Variable)
	case HostInput:
		f.HostDependent = true
	case UserInput:
		f.RemoteUser = true
	default: // Spoofable or nothing
	}
	f.Spoofable = append(f.Spoofable, spoofable([]Source{p})...)
}

// spoofable are the sources that a client fills with any text it likes
// without asking for another resource or another host.
func spoofable(sources []Source) []Source {
	var free []Source
	for _, s := range sources {
		switch s.Input {
		case HeaderInput, CookieInput, ArgumentInput, QueryInput, BodyInput, HandshakeInput:
			free = append(free, s)
		default: // has a field of its own in KeyFacts, or is not the client's
		}
	}
	return free
}

func ofKinds(sources []Source, kinds ...Kind) bool {
	for _, s := range sources {
		v, _ := LookupVariable(s.Variable)
		if !slices.Contains(kinds, v.Kind) {
			return false
		}
	}
	return true
}
