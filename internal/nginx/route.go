package nginx

// Request is what is known of one request, as values of nginx's variables.
// Fields are indexed by Router.Field.
type Request struct {
	// Values holds the value of each known variable; nil is unknown, an
	// empty slice is known to be empty. Several lines of one header of a complete
	// request are joined by "\n".
	Values [][]byte
	// Complete says that a header, cookie or argument that is not given was
	// not sent: true for a request written by hand, false for a log line.
	Complete bool
}

// Bound is one limit in force for a request, with its key.
type Bound struct {
	Req  *ReqLimit // one of Req and Conn is set
	Conn *ConnLimit
	Key  []byte // valid until the next call of Route
	// Unknown names the variable that the request does not supply; then Key
	// means nothing.
	Unknown string
}

// Route is what nginx does with a request up to its limits.
type Route struct {
	Server   *Server
	Location *Location // where limits are first looked at; nil: the server itself
	// Block is where settings come from: the location, its "if", the server, or
	// the location that an internal redirect or subrequest leads to, when none
	// of the first one's keys applies. It and Location fix the list of limits.
	Block                 *Block
	Limits                []Bound // limit_req in order, then limit_conn in order
	ReqDryRun, ConnDryRun bool
	// Bypass says why no limit is reached ("return", "redirect", "bad request", …);
	// empty when limits apply.
	Bypass string
	// Unknown names the variable that made the choice of server or location
	// uncertain; empty when it is certain.
	Unknown string
}
