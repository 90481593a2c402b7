package main

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/nglimit/nglimit/analyzer"
	"github.com/nglimit/nglimit/cmd/nglimit/report"
	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
	"github.com/nglimit/nglimit/replay"
	"github.com/nglimit/nglimit/rules"
)

//go:generate go run ../../internal/demolog demo/access.log.gz

var (
	//go:embed demo/nginx.conf
	demoConf []byte
	//go:embed demo/nginx.fixed.conf
	demoFixed []byte
	//go:embed demo/access.log.gz
	demoLog []byte
)

func newDemoCmd(s *streams) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "See it work on an example",
		Long: `Review the limits of a small shop, replay half an hour of its traffic through them,
change what the two say, and replay again. Everything is embedded; nothing is
read or written. The log is synthetic.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return runDemo(cmd.Context(), s) },
	}
}

func runDemo(ctx context.Context, s *streams) error {
	var page bytes.Buffer
	st := style(s.out)
	report.DemoStep(&page, st, "1. A shop is about to deploy these limits. Is anything wrong with them?", "nglimit lint nginx.conf")
	before, err := demoLint(&page, "nginx.conf", demoConf, st)
	if err != nil {
		return err
	}
	report.DemoStep(&page, st, "2. Whom would they have hurt? Half an hour of its traffic (made up), replayed.", "nglimit replay -c nginx.conf access.log.gz")
	first, err := demoReplay(ctx, before)
	if err != nil {
		return err
	}
	if err = report.ReplayText(&page, first, st); err != nil {
		return err
	}
	report.DemoStep(&page, st, "3. Assets get a budget of their own, bursts fit an office, login keeps both limits.", "nglimit replay -c nginx.fixed.conf access.log.gz")
	after := nginx.Build(parser.ParseBytes("nginx.fixed.conf", demoFixed, parser.Options{FS: parser.OS{}}))
	second, err := demoReplay(ctx, after)
	if err != nil {
		return err
	}
	report.DemoOutcome(&page, st, first, second)
	_, err = s.out.Write(page.Bytes())
	return err
}

func demoLint(page *bytes.Buffer, name string, src []byte, st *report.Style) (*nginx.Config, error) {
	tree := parser.ParseBytes(name, src, parser.Options{FS: parser.OS{}})
	config := nginx.Build(tree)
	found, broken := rules.Check(config, rules.All, rules.DefaultOptions())
	lint := &report.Lint{}
	kept := found[:0]
	for _, f := range found {
		if f.Rule.Profile == rules.Default && f.Severity >= rules.Warning {
			kept = append(kept, f)
		}
	}
	lint.Add(tree, kept, broken)
	return config, report.LintText(page, lint, st)
}

func demoReplay(ctx context.Context, config *nginx.Config) (*report.Replay, error) {
	people := analyzer.New(analyzer.Options{Agent: 0, Session: -1})
	run, err := replay.Run(ctx, replay.Options{
		Config: config, Workers: runtime.NumCPU(), Keep: []string{"http_user_agent"},
		Inputs: []replay.Input{{Name: "access.log.gz", Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(demoLog)), nil
		}}},
	}, people.Observe)
	if err == nil {
		err = run.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("replay the demo: %w", err)
	}
	return &report.Replay{Config: config, Run: run, People: people.Result(config), Top: 3}, nil
}
