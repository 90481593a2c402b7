// Package analyzer says what the events of a replay mean: who stands behind an
// address, and whom a limit hurts without meaning to. It knows identities,
// counterfactual limits and counts; it refuses to read logs, to decide requests
// and to print.
package analyzer
