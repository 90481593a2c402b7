package main

import (
	"bytes"

	"github.com/spf13/cobra"

	"github.com/nglimit/nglimit/cmd/nglimit/report"
)

type parseOptions struct {
	input  configInput
	indent int
}

func newParseCmd(s *streams) *cobra.Command {
	opts := &parseOptions{}
	cmd := &cobra.Command{
		Use:   "parse FILE",
		Short: "Print a configuration's tree as JSON, in crossplane's shape",
		Long: `Print the directives of a configuration and of all it includes as JSON in the shape
of crossplane's payload, with columns added. Exit 3 when something was not read.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usagef("parse wants one FILE, or - for standard input")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runParse(s, opts, args[0]) },
	}
	opts.input.flags(cmd.Flags())
	cmd.Flags().IntVar(&opts.indent, "indent", 0, "spaces of indentation; 0 prints one line")
	return cmd
}

func runParse(s *streams, opts *parseOptions, path string) error {
	if opts.indent < 0 || opts.indent > 16 {
		return usagef("--indent %d: want 0 to 16", opts.indent)
	}
	trees, err := opts.input.read(path, s.in)
	if err != nil {
		return err
	}
	if len(trees) > 1 {
		return usagef("%s: this folder has %d root files; name one", path, len(trees))
	}
	var page bytes.Buffer
	if err := report.Crossplane(&page, trees[0], opts.indent); err != nil {
		return err
	}
	if _, err := s.out.Write(page.Bytes()); err != nil {
		return err
	}
	if len(trees[0].Errors) > 0 {
		return exit(exitUnread)
	}
	return nil
}
