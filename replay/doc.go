// Package replay runs the requests of access logs through the limits of a
// configuration, in the order of their arrival, as nginx would have: one Event
// a request, the same for any number of workers.
//
// It knows requests, routes, zones and time. It refuses to know whether a limit
// is wise, who is behind an address, and how anything is printed.
package replay
