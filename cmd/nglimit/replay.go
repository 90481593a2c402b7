package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/nglimit/nglimit/analyzer"
	"github.com/nglimit/nglimit/cmd/nglimit/report"
	"github.com/nglimit/nglimit/internal/nginx"
	"github.com/nglimit/nglimit/parser"
	"github.com/nglimit/nglimit/replay"
	"github.com/nglimit/nglimit/replay/accesslog"
)

type replayOptions struct {
	config  string
	input   configInput
	format  string
	events  string
	world   string
	session string
	named   string
	fields  []string
	workers int
	top     int
}

func newReplayCmd(s *streams) *cobra.Command {
	opts := &replayOptions{}
	cmd := &cobra.Command{
		Use:   "replay -c nginx.conf LOG…",
		Short: "Run access logs through the limits of a configuration",
		Long: `Run the requests of access logs through the limits of a configuration, in the order
in which they arrived, and report whom the limits would have refused or delayed,
per route, zone and address.

Logs are nginx's: JSON, combined, or any log_format that the configuration defines;
plain or packed with gzip, zstd, bzip2, xz or lz4; - is standard input.
The best ones have $msec and $request_time, which tell when a request arrived.`,
		Example: `  nglimit replay -c nginx.conf access.log
  nglimit replay -c nginx.conf --session cookie_sid --format json access.log.*.gz
  nglimit replay -c nginx.conf --events - access.log | jq .limit_req_status`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("replay wants at least one LOG, or - for standard input")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runReplay(cmd.Context(), s, opts, args) },
	}
	f := cmd.Flags()
	f.StringVarP(&opts.config, "config", "c", "", "the configuration whose limits are tried (required)")
	opts.input.flags(f)
	f.StringVar(&opts.format, "format", "text", "text or json")
	f.StringVar(&opts.events, "events", "", "write one JSON line per request, in order of arrival, to this file; - writes them instead of the report")
	f.StringVar(&opts.world, "world", "enforced", "enforced: refused requests leave no connection behind, delayed ones end later; observed: times are as the log has them")
	f.StringVar(&opts.session, "session", "", "variable that tells clients behind one address apart, as in cookie_sid or remote_user")
	f.StringVar(&opts.named, "log-format", "", "name of the log_format of the configuration that wrote the logs (default: found out)")
	f.StringArrayVar(&opts.fields, "map", nil, "variable=field: where a JSON log has a variable, as in remote_addr=client_ip (repeatable)")
	f.IntVar(&opts.workers, "workers", runtime.NumCPU(), "how many read and route in parallel; the report is the same for any number")
	f.IntVar(&opts.top, "top", 10, "how many addresses the text report shows")
	return cmd
}

func runReplay(ctx context.Context, s *streams, opts *replayOptions, logs []string) error {
	if err := opts.check("replay"); err != nil {
		return err
	}
	config, err := opts.readConfig(s)
	if err != nil {
		return err
	}
	inputs, err := openLogs(s, logs)
	if err != nil {
		return err
	}
	return replayLogs(ctx, s, opts, config, inputs)
}

func (o *replayOptions) check(command string) error {
	switch {
	case o.config == "":
		return usagef("%s wants -c with a configuration", command)
	case o.format != "text" && o.format != "json":
		return usagef("--format %q: want text or json", o.format)
	case o.world != "enforced" && o.world != "observed":
		return usagef("--world %q: want enforced or observed", o.world)
	case o.workers < 1 || o.workers > 1024:
		return usagef("--workers %d: want 1 to 1024", o.workers)
	case o.top < 0:
		return usagef("--top %d: want 0 or more", o.top)
	}
	for _, pair := range o.fields {
		if variable, field, ok := strings.Cut(pair, "="); !ok || variable == "" || field == "" {
			return usagef("--map %q: want variable=field", pair)
		}
	}
	return nil
}

// readConfig reads the configuration. One that nginx would misread or refuse
// has no limits to try.
func (o *replayOptions) readConfig(s *streams) (*nginx.Config, error) {
	trees, err := o.input.read(o.config, s.in)
	if err != nil {
		return nil, err
	}
	if len(trees) != 1 {
		return nil, usagef("%s: this folder has %d root files; name one", o.config, len(trees))
	}
	if len(trees[0].Errors) > 0 {
		return nil, unreadConfig(trees[0])
	}
	config := nginx.Build(trees[0])
	if config.HTTP == nil {
		return nil, fmt.Errorf("%s: there is no http block, so there are no limits to try", o.config)
	}
	return config, nil
}

func unreadConfig(tree *parser.Tree) error {
	err := error(tree.Errors[0])
	if more := len(tree.Errors) - 1; more > 0 {
		return fmt.Errorf("%w (and %d more; nglimit lint shows all)", err, more)
	}
	return err
}

func openLogs(s *streams, names []string) ([]replay.Input, error) {
	var inputs []replay.Input
	for i, name := range names {
		if name == "-" {
			if slices.Contains(names[:i], "-") {
				return nil, usagef("standard input is named twice")
			}
			inputs = append(inputs, replay.Input{Name: "-", Open: func() (io.ReadCloser, error) { return io.NopCloser(s.in), nil }})
			continue
		}
		info, err := os.Stat(name)
		if err != nil {
			return nil, plain(err)
		}
		if info.IsDir() {
			return nil, fmt.Errorf("%s is a folder; name the logs in it", name)
		}
		inputs = append(inputs, replay.Input{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }})
	}
	return inputs, nil
}

// replayLogs runs the replay and writes its outputs.
func replayLogs(ctx context.Context, s *streams, opts *replayOptions, config *nginx.Config, inputs []replay.Input) error {
	out := replay.Options{
		Config: config, Inputs: inputs, Workers: opts.workers, World: opts.worldOf(), Keep: opts.keep(),
		Log: accesslog.Hints{Defined: config.LogFormats, Named: opts.named, Fields: opts.mapping()},
	}
	people := analyzer.New(analyzer.Options{Agent: 0, Session: opts.sessionIndex()})
	sinks := []replay.Sink{people.Observe}
	events, err := opts.openEvents(s)
	if err != nil {
		return err
	}
	if events != nil {
		sinks = append(sinks, report.NewEvents(events).Write)
	}
	result, err := replay.Run(ctx, out, sinks...)
	if err == nil && events != nil {
		err = events.close()
	}
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	if opts.events != "-" {
		if err := writeReplay(s, opts, &report.Replay{Config: config, Run: result, People: people.Result(config), Session: opts.session, Top: opts.top}); err != nil {
			return err
		}
	}
	return replayOutcome(s, result)
}

func writeReplay(s *streams, opts *replayOptions, r *report.Replay) error {
	var page bytes.Buffer
	write := report.ReplayJSON
	if opts.format == "text" {
		write = func(w io.Writer, r *report.Replay) error { return report.ReplayText(w, r, style(s.out)) }
	}
	if err := write(&page, r); err != nil {
		return err
	}
	_, err := s.out.Write(page.Bytes())
	return err
}

// replayOutcome is clean only if something was read and all of it was.
func replayOutcome(s *streams, r *replay.Result) error {
	var faults []error
	for _, in := range r.Inputs {
		if in.Err != nil {
			faults = append(faults, fmt.Errorf("%s: %w", in.Name, in.Err))
		}
	}
	switch {
	case len(faults) > 0:
		return errors.Join(faults...)
	case r.Partial:
		_, _ = fmt.Fprintln(s.err, "nglimit: stopped before the end of the logs; the report is partial")
		return exit(exitUnread)
	case r.Requests == 0:
		return errors.New("the logs have no requests, so nothing was tried")
	}
	return nil
}

func (o *replayOptions) worldOf() replay.World {
	if o.world == "observed" {
		return replay.Observed
	}
	return replay.Enforced
}

func (o *replayOptions) keep() []string {
	keep := []string{"http_user_agent"}
	if o.session != "" {
		keep = append(keep, strings.TrimPrefix(o.session, "$"))
	}
	return keep
}

// sessionIndex is where the session stands among the kept values, -1 without.
func (o *replayOptions) sessionIndex() int {
	if o.session == "" {
		return -1
	}
	return 1
}

func (o *replayOptions) mapping() map[string]string {
	fields := map[string]string{}
	for _, pair := range o.fields {
		variable, field, _ := strings.Cut(pair, "=")
		fields[strings.TrimPrefix(variable, "$")] = field
	}
	return fields
}

// eventsFile is where events go.
type eventsFile struct {
	*bufio.Writer
	file io.Closer
}

func (o *replayOptions) openEvents(s *streams) (*eventsFile, error) {
	switch o.events {
	case "":
		return nil, nil
	case "-":
		return &eventsFile{Writer: bufio.NewWriterSize(s.out, 1<<16)}, nil
	}
	file, err := os.Create(o.events)
	if err != nil {
		return nil, plain(err)
	}
	return &eventsFile{bufio.NewWriterSize(file, 1<<16), file}, nil
}

func (e *eventsFile) close() error {
	err := e.Flush()
	if e.file != nil {
		err = errors.Join(err, e.file.Close())
	}
	return err
}
