package parser

// context is a set of the kinds of block that a directive may stand in.
type context uint32

const (
	inMain context = 1 << iota
	inEvents
	inHTTP
	inServer
	inLocation
	inIfServer
	inIfLocation
	inLimitExcept
	inUpstream
	inStream
	inStreamServer
	inStreamUpstream
	inMail
	inMailServer

	// inUnknown is the body of a block that a third-party module defines:
	// anything may stand there.
	inUnknown

	anywhere = inUnknown - 1
)

// bodyOf says what may stand in the block that name opens in a context.
func bodyOf(name string, in context) context {
	switch {
	case in == inUnknown:
		return inUnknown
	case name == "http" && in&inMain != 0:
		return inHTTP
	case name == "events" && in&inMain != 0:
		return inEvents
	case name == "stream" && in&inMain != 0:
		return inStream
	case name == "mail" && in&inMain != 0:
		return inMail
	case name == "server":
		return bodyIn(in, inHTTP, inServer, inStream, inStreamServer, inMail, inMailServer)
	case name == "upstream":
		return bodyIn(in, inHTTP, inUpstream, inStream, inStreamUpstream)
	case name == "location":
		return bodyIn(in, inServer, inLocation, inLocation, inLocation)
	case name == "if":
		return bodyIn(in, inServer, inIfServer, inLocation, inIfLocation)
	case name == "limit_except" && in&inLocation != 0:
		return inLimitExcept
	}
	return inUnknown
}

// bodyIn picks the body that follows in in the pairs.
func bodyIn(in context, pairs ...context) context {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i]&in != 0 {
			return pairs[i+1]
		}
	}
	return inUnknown
}
