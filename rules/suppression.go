package rules

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/nglimit/nglimit/parser"
)

// suppression is one comment that keeps rules silent:
//
//	# nglimit:ignore NGL503,limit-replaced reason until=2027-01-31
//
// On the line of a directive it covers that line; alone on its line it covers
// the next directive with its block.
type suppression struct {
	at      parser.Span
	from    int // byte offsets of what it covers
	to      int
	rules   []string // as written
	reason  string
	until   string // YYYY-MM-DD or empty
	matched bool
}

var ignoreComment = regexp.MustCompile(`^#\s*nglimit:ignore\b\s*(.*)$`)

var untilWord = regexp.MustCompile(`(?:^|\s)until=(\S+)`)

func suppressions(tree *parser.Tree) []*suppression {
	var all []*suppression
	seen := map[string]bool{}
	for _, f := range tree.Files {
		if seen[f.Name] {
			continue // a file included twice: the first inclusion speaks for both
		}
		seen[f.Name] = true
		for _, c := range f.Comments {
			m := ignoreComment.FindStringSubmatch(c.Text)
			if m == nil {
				continue
			}
			s := readSuppression(m[1])
			s.at = c.Span
			s.from, s.to = covered(f, c.Span)
			all = append(all, s)
		}
	}
	return all
}

func readSuppression(text string) *suppression {
	s := &suppression{}
	if m := untilWord.FindStringSubmatchIndex(text); m != nil {
		s.until = text[m[2]:m[3]]
		text = text[:m[0]] + text[m[1]:]
	}
	words := strings.Fields(text)
	if len(words) > 0 {
		s.rules = strings.Split(words[0], ",")
		s.reason = strings.Join(words[1:], " ")
	}
	return s
}

// covered are the bytes that a comment speaks for.
func covered(f *parser.File, at parser.Span) (from, to int) {
	lineStart := bytes.LastIndexByte(f.Source[:at.Start.Offset], '\n') + 1
	if len(bytes.TrimSpace(f.Source[lineStart:at.Start.Offset])) > 0 {
		return lineStart, at.End.Offset
	}
	if next := firstAfter(f.Directives, at.End.Offset); next != nil {
		span := next.Span()
		return span.Start.Offset, span.End.Offset
	}
	return at.End.Offset, at.End.Offset
}

// firstAfter is the directive that starts first after an offset, at any depth.
func firstAfter(ds []*parser.Directive, offset int) *parser.Directive {
	for _, d := range ds {
		span := d.Span()
		if span.Start.Offset >= offset {
			return d
		}
		if span.End.Offset > offset {
			return firstAfter(d.Children, offset)
		}
	}
	return nil
}

func (s *suppression) covers(f Finding) bool {
	return s.at.File == f.Span.File && s.from <= f.Span.Start.Offset && f.Span.Start.Offset < s.to && s.names(f.Rule)
}

func (s *suppression) names(r *Rule) bool {
	return slices.Contains(s.rules, r.ID) || slices.Contains(s.rules, r.Name)
}

// valid tells whether the comment may silence anything: it names known rules,
// has a reason and is not past its date.
func (s *suppression) valid(today string) bool { return s.fault(today) == "" }

var isoDate = regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$`)

func (s *suppression) fault(today string) string {
	if len(s.rules) == 0 {
		return "this ignore comment names no rule; write: # nglimit:ignore NGLnnn reason"
	}
	for _, name := range s.rules {
		if Find(name) == nil {
			return "this ignore comment names " + name + ", which is no rule"
		}
	}
	switch {
	case s.reason == "":
		return "this ignore comment gives no reason; say after the rule why the finding is accepted"
	case s.until != "" && !isoDate.MatchString(s.until):
		return "until=" + s.until + " is no date; write until=YYYY-MM-DD"
	case s.until != "" && today > s.until:
		return "this ignore comment ended on " + s.until + "; settle the finding or set a new date"
	}
	return ""
}

// suppress drops the findings that comments cover and adds what is wrong with
// the comments themselves, for the rules among those that run.
func suppress(tree *parser.Tree, findings []Finding, running []*Rule, opts *Options) []Finding {
	all := suppressions(tree)
	if len(all) == 0 {
		return findings
	}
	kept := slices.DeleteFunc(findings, func(f Finding) bool {
		hit := false
		for _, s := range all {
			if s.valid(opts.Today) && s.covers(f) {
				s.matched, hit = true, true
			}
		}
		return hit
	})
	for _, s := range all {
		kept = append(kept, judge(s, running, opts)...)
	}
	return kept
}

func judge(s *suppression, running []*Rule, opts *Options) []Finding {
	if fault := s.fault(opts.Today); fault != "" {
		if !slices.Contains(running, suppressionFormat) {
			return nil
		}
		return []Finding{{Rule: suppressionFormat, Severity: suppressionFormat.Severity, Span: s.at, Message: fault}}
	}
	dormant := !slices.ContainsFunc(running, s.names)
	if s.matched || dormant || !slices.Contains(running, unusedSuppression) {
		return nil
	}
	return []Finding{{
		Rule: unusedSuppression, Severity: unusedSuppression.Severity, Span: s.at,
		Message: "this ignore comment for " + strings.Join(s.rules, ",") + " silences nothing; delete it",
	}}
}
