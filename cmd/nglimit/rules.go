package main

import (
	"github.com/spf13/cobra"

	"github.com/nglimit/nglimit/cmd/nglimit/report"
	"github.com/nglimit/nglimit/rules"
)

func newRulesCmd(s *streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List the rules",
		Args:  noArguments,
		RunE: func(_ *cobra.Command, _ []string) error {
			switch format {
			case "text":
				return report.RulesText(s.out, rules.All, style(s.out))
			case "json":
				return report.RulesJSON(s.out, rules.All)
			}
			return usagef("--format %q: want text or json", format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	return cmd
}

func newExplainCmd(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:     "explain RULE",
		Short:   "Explain one rule: the reason, a bad and a good example",
		Example: "  nglimit explain NGL401\n  nglimit explain limit-replaced",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("explain wants one RULE; nglimit rules lists them")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			rule := rules.Find(args[0])
			if rule == nil {
				return usagef("no rule is called %q; nglimit rules lists them", args[0])
			}
			return report.Explain(s.out, rule, style(s.out))
		},
	}
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no argument %q", cmd.Name(), args[0])
	}
	return nil
}
