package rules

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
)

// Check runs rules over a configuration and returns what they found in a
// total order, and the faults of rules that broke: a broken rule does not
// silence the others.
func Check(cfg *nginx.Config, rules []*Rule, opts *Options) ([]Finding, []error) {
	findings := []Finding{}
	var broken []error
	for _, r := range rules {
		if err := run(cfg, r, opts, &findings); err != nil {
			broken = append(broken, err)
		}
	}
	findings = suppress(cfg.Tree, findings, rules, opts)
	slices.SortFunc(findings, compare)
	return slices.CompactFunc(findings, same), broken
}

// same tells findings that say one thing of one place, seen from several
// blocks: the first of them is enough.
func same(a, b Finding) bool {
	return a.Span == b.Span && a.Rule == b.Rule && a.Message == b.Message
}

func run(cfg *nginx.Config, r *Rule, opts *Options, into *[]Finding) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("rule %s broke: %v", r.ID, fault)
		}
	}()
	r.Check(&Pass{Config: cfg, Options: opts, rule: r, report: func(f Finding) { *into = append(*into, f) }})
	return nil
}

func compare(a, b Finding) int {
	return cmp.Or(
		compareSpans(a.Span, b.Span),
		cmp.Compare(a.Rule.ID, b.Rule.ID),
		cmp.Compare(a.Message, b.Message),
		slices.CompareFunc(a.Related, b.Related, func(x, y Related) int {
			return cmp.Or(compareSpans(x.Span, y.Span), cmp.Compare(x.Message, y.Message))
		}),
	)
}

func compareSpans(a, b parser.Span) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Start.Offset, b.Start.Offset),
		cmp.Compare(a.End.Offset, b.End.Offset),
	)
}
