//go:generate go run ../internal/docgen ../docs/rules

package rules

// All are the rules, sorted by ID.
var All = []*Rule{
	parseError,
	includeUnresolved,
	includeCycle,
	directiveContext,
	badParameter,
	unusedSuppression,
	suppressionFormat,
	zoneUndefined,
	zoneUnused,
	keyLiteral,
	keySpoofable,
	keyUnique,
	keyPerURIBudget,
	trustAll,
	headerWithoutTrust,
	recursionOff,
	peerKeyBehindProxy,
	limitReplaced,
	returnBeforeLimit,
	statusNot429,
	connStatusMismatch,
	retryAfterMissing,
	retryAfterNotAlways,
	retryAfterLost,
	limitConnLowOnH2,
}

// Find returns the rule with that ID or name, or nil.
func Find(idOrName string) *Rule {
	for _, r := range All {
		if r.ID == idOrName || r.Name == idOrName {
			return r
		}
	}
	return nil
}
