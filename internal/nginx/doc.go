// Package nginx knows what a configuration means: contexts, inheritance with
// the origin of every value, zones, keys, variables, the choice of server and
// location, real addresses. It refuses to know limiters, time, logs and
// whether any of it is wise.
package nginx
