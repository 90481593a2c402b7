//go:generate go run ../internal/docgen ../docs/rules

package rules

// All are the rules, sorted by ID.
var All = []*Rule{
	unusedSuppression,
	suppressionFormat,
	zoneUndefined,
	zoneUnused,
	limitReplaced,
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
