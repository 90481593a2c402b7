package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/nglimit/nglimit/cmd/nglimit/report"
	"github.com/nglimit/nglimit/replay"
	"github.com/nglimit/nglimit/replay/accesslog"
)

type verifyOptions struct {
	replayOptions
	least float64
}

func newVerifyCmd(s *streams) *cobra.Command {
	opts := &verifyOptions{}
	cmd := &cobra.Command{
		Use:   "verify -c nginx.conf LOG…",
		Short: "Compare a replay with what nginx itself decided",
		Long: `Replay logs that carry $limit_req_status or $limit_conn_status, and compare every
decision with the one that nginx logged: how far can a replay of this site be
trusted? The configuration must be the one that ran when the log was written.`,
		Example: `  nglimit verify -c nginx.conf --min-agreement 99 access.log`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("verify wants at least one LOG, or - for standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runVerify(cmd.Context(), s, opts, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&opts.config, "config", "c", "", "the configuration that wrote the logs (required)")
	opts.input.flags(f)
	f.StringVar(&opts.format, "format", "text", "text or json")
	f.StringVar(&opts.world, "world", "observed", "observed: times are as the log has them; enforced: as if the limits were not in force when it was written")
	f.StringVar(&opts.named, "log-format", "", "name of the log_format of the configuration that wrote the logs (default: found out)")
	f.StringArrayVar(&opts.fields, "map", nil, "variable=field: where a JSON log has a variable (repeatable)")
	f.IntVar(&opts.workers, "workers", runtime.NumCPU(), "how many read and route in parallel")
	f.Float64Var(&opts.least, "min-agreement", 0, "exit 1 when less than this percentage of decisions agree")
	return cmd
}

func runVerify(ctx context.Context, s *streams, opts *verifyOptions, logs []string) error {
	if err := opts.check("verify"); err != nil {
		return err
	}
	if opts.least < 0 || opts.least > 100 {
		return usagef("--min-agreement %v: want a percentage", opts.least)
	}
	config, err := opts.readConfig(s)
	if err != nil {
		return err
	}
	inputs, err := openLogs(s, logs)
	if err != nil {
		return err
	}
	agreement := replay.NewAgreement()
	run, err := replay.Run(ctx, replay.Options{
		Config: config, Inputs: inputs, Workers: opts.workers, World: opts.worldOf(),
		Log: accesslog.Hints{Defined: config.LogFormats, Named: opts.named, Fields: opts.mapping()},
	}, agreement.Observe)
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	v := &report.Verify{Run: run, Agreement: agreement.Result()}
	if err := writeVerify(s, opts, v); err != nil {
		return err
	}
	return verifyOutcome(s, opts, v)
}

func writeVerify(s *streams, opts *verifyOptions, v *report.Verify) error {
	var page bytes.Buffer
	write := report.VerifyJSON
	if opts.format == "text" {
		write = func(w io.Writer, v *report.Verify) error { return report.VerifyText(w, v, style(s.out)) }
	}
	if err := write(&page, v); err != nil {
		return err
	}
	_, err := s.out.Write(page.Bytes())
	return err
}

func verifyOutcome(s *streams, opts *verifyOptions, v *report.Verify) error {
	if err := replayOutcome(s, v.Run); err != nil {
		return err
	}
	compared, same := v.Compared()
	if compared == 0 {
		return errors.New("no line has $limit_req_status or $limit_conn_status, so there is nothing to compare")
	}
	if float64(same)*100 < opts.least*float64(compared) {
		return exit(exitFindings)
	}
	return nil
}
