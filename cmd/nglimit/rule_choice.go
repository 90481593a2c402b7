package main

import (
	"slices"
	"strings"

	"github.com/nglimit/nglimit/rules"
)

// chooseRules are the rules of a profile, narrowed by --select (which also
// reaches rules outside the profile) and --ignore.
func chooseRules(profile string, selected, ignored []string) ([]*rules.Rule, error) {
	limit, ok := map[string]rules.Profile{"default": rules.Default, "strict": rules.Strict, "policy": rules.Policy}[profile]
	if !ok {
		return nil, usagef("--profile %q: want default, strict or policy", profile)
	}
	for _, name := range slices.Concat(selected, ignored) {
		if !slices.ContainsFunc(rules.All, func(r *rules.Rule) bool { return named(r, name) }) {
			return nil, usagef("no rule is called %q; nglimit rules lists them", name)
		}
	}
	chosen := []*rules.Rule{}
	for _, r := range rules.All {
		in := r.Profile <= limit
		if len(selected) > 0 {
			in = slices.ContainsFunc(selected, func(name string) bool { return named(r, name) })
		}
		if in && !slices.ContainsFunc(ignored, func(name string) bool { return named(r, name) }) {
			chosen = append(chosen, r)
		}
	}
	return chosen, nil
}

// named tells whether a word of the command line means the rule: its name, its
// ID, or the beginning of the ID from the group on ("NGL3").
func named(r *rules.Rule, word string) bool {
	return word == r.Name || len(word) > len("NGL") && strings.HasPrefix(r.ID, word)
}
