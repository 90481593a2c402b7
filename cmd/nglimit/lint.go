package main

import (
	"bytes"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/nglimit/nglimit/cmd/nglimit/report"
	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
	"github.com/nglimit/nglimit/rules"
)

type lintOptions struct {
	input    configInput
	format   string
	failOn   string
	profile  string
	selected []string
	ignored  []string
}

func newLintCmd(s *streams) *cobra.Command {
	opts := &lintOptions{}
	cmd := &cobra.Command{
		Use:   "lint [PATH…]",
		Short: "Review the limits of a configuration",
		Long: `Review the rate and connection limits of nginx configurations: a file with all it
includes, a folder, a fragment, the output of nginx -T, or standard input (-).
Without PATH the folder itself is searched.

A comment "# nglimit:ignore NGL401 reason" on a line, or alone on the line above,
keeps a finding silent there.`,
		Example: `  nglimit lint /etc/nginx/nginx.conf
  nglimit lint --path-map /etc/nginx=. --format json deploy/nginx.conf
  nginx -T | nglimit lint -`,
		RunE: func(_ *cobra.Command, args []string) error { return runLint(s, opts, args) },
	}
	f := cmd.Flags()
	opts.input.flags(f)
	f.StringVar(&opts.format, "format", "text", "text or json")
	f.StringVar(&opts.failOn, "fail-on", "warning", "exit 1 from this severity on: info, warning, error or none")
	f.StringVar(&opts.profile, "profile", "default", "default, strict (all advice) or policy (strict, and a limit demanded on every route)")
	f.StringSliceVar(&opts.selected, "select", nil, "only these rules, by ID, name or the beginning of an ID")
	f.StringSliceVar(&opts.ignored, "ignore", nil, "not these rules, likewise")
	return cmd
}

func runLint(s *streams, opts *lintOptions, paths []string) error {
	threshold, err := parseFailOn(opts.failOn)
	if err != nil {
		return err
	}
	chosen, err := chooseRules(opts.profile, opts.selected, opts.ignored)
	if err != nil {
		return err
	}
	write, ok := map[string]func(io.Writer, *report.Lint) error{
		"text": func(w io.Writer, l *report.Lint) error { return report.LintText(w, l, style(s.out)) },
		"json": report.LintJSON,
	}[opts.format]
	if !ok {
		return usagef("--format %q: want text or json", opts.format)
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	result, err := lintAll(s, opts, chosen, paths)
	if err != nil {
		return err
	}
	var page bytes.Buffer
	if err := write(&page, result); err != nil {
		return err
	}
	if _, err := s.out.Write(page.Bytes()); err != nil {
		return err
	}
	return lintOutcome(result, threshold)
}

func lintAll(s *streams, opts *lintOptions, chosen []*rules.Rule, paths []string) (*report.Lint, error) {
	result := &report.Lint{}
	for _, path := range paths {
		trees, err := opts.input.read(path, s.in)
		if err != nil {
			return nil, err
		}
		for _, tree := range trees {
			lintTree(result, tree, chosen)
		}
	}
	return result, nil
}

func lintTree(result *report.Lint, tree *parser.Tree, chosen []*rules.Rule) {
	found, broken := rules.Check(nginx.Build(tree), chosen, rules.DefaultOptions())
	result.Add(tree, found, broken)
}

// severity above all others: --fail-on none.
const failNever = rules.Error + 1

func parseFailOn(text string) (rules.Severity, error) {
	if text == "none" {
		return failNever, nil
	}
	severity, err := rules.ParseSeverity(text)
	if err != nil {
		return 0, usagef("--fail-on: %w", err)
	}
	return severity, nil
}

func lintOutcome(l *report.Lint, threshold rules.Severity) error {
	if len(l.Unread) > 0 || len(l.Broken) > 0 {
		return exit(exitUnread)
	}
	if slices.ContainsFunc(l.Findings, func(f rules.Finding) bool { return f.Severity >= threshold }) {
		return exit(exitFindings)
	}
	return nil
}
