package nginx

// TraceAddress is $remote_addr of a request where its limits are looked at, or
// where it is answered before: the peer's address, or what the real IP
// settings of its server and location made of it. Without an answer unknown
// names the variable that the request lacks. It remembers nothing and is slow.
func (r *Router) TraceAddress(req *Request) (addr, unknown string) {
	s := &r.Fork().state
	s.begin(req)
	p := s.snapshot(s.phases())
	s.apply(p, &Route{})
	c := s.client()
	return string(c.val.b), c.val.miss
}
