package main

import (
	"github.com/spf13/cobra"
)

func newRootCmd(s *streams) *cobra.Command {
	root := &cobra.Command{
		Use:   "nglimit",
		Short: "Know whom an nginx limit will hurt before you enforce it",
		Long: `nglimit reads an nginx configuration as nginx does, reviews its rate and
connection limits, and replays real access logs through them, so that you know
which requests, routes and addresses would be refused before anybody is.

Exit codes: 0 clean, 1 findings at or above --fail-on, 2 wrong usage,
3 something could not be read or judged.`,
		Example: `  nglimit demo                              see it work on an example
  nglimit lint /etc/nginx/nginx.conf        review the limits
  nglimit replay -c nginx.conf access.log   whom would they hurt`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("unknown command %q; see nglimit --help", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%w; see %s --help", err, cmd.CommandPath())
	})
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(
		newDemoCmd(s),
		newLintCmd(s),
		newParseCmd(s),
		newReplayCmd(s),
		newVerifyCmd(s),
		newRulesCmd(s),
		newExplainCmd(s),
	)
	return root
}
