package nginx

// Step is one thing that happened to a request on its way to the limits.
type Step struct {
	Phase string // nginx's name of the phase
	What  string
}
