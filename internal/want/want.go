package want

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// Expectation is one finding that a fixture asks for.
type Expectation struct {
	File    string
	Line    int // 1-based
	Rule    string
	Message *regexp.Regexp
}

// Got is one finding as a test sees it.
type Got struct {
	File    string
	Line    int
	Rule    string
	Message string
}

var (
	comment = regexp.MustCompile(`# want (?:\+(\d+) )?(NGL\d{3} ".*)$`)
	item    = regexp.MustCompile(`^(NGL\d{3}) ("(?:[^"\\]|\\.)*")\s*`)
)

// Parse returns the expectations that stand in the text of a file.
func Parse(file, text string) ([]Expectation, error) {
	var all []Expectation
	for i, line := range strings.Split(text, "\n") {
		m := comment.FindStringSubmatch(strings.TrimRight(line, "\r"))
		if m == nil {
			if strings.Contains(line, "# want") && !strings.Contains(line, "# want-") {
				return nil, fmt.Errorf("%s:%d: malformed want comment", file, i+1)
			}
			continue
		}
		skip, _ := strconv.Atoi(m[1])
		found, err := parseItems(file, i+1+skip, m[2])
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

func parseItems(file string, line int, rest string) ([]Expectation, error) {
	var all []Expectation
	for rest != "" {
		m := item.FindStringSubmatch(rest)
		if m == nil {
			return nil, fmt.Errorf("%s:%d: malformed want comment at %q", file, line, rest)
		}
		text, err := strconv.Unquote(m[2])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %q: %w", file, line, m[2], err)
		}
		re, err := regexp.Compile(text)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
		all = append(all, Expectation{File: file, Line: line, Rule: m[1], Message: re})
		rest = rest[len(m[0]):]
	}
	return all, nil
}

// Diff says in sentences where findings and expectations part: each finding
// needs an expectation of its own on its line, and each expectation a finding.
func Diff(wants []Expectation, gots []Got) []string {
	var faults []string
	used := make([]bool, len(wants))
	for _, g := range gots {
		if i := match(wants, used, g); i >= 0 {
			used[i] = true
			continue
		}
		faults = append(faults, fmt.Sprintf("%s:%d: unexpected %s %q", g.File, g.Line, g.Rule, g.Message))
	}
	for i, w := range wants {
		if !used[i] {
			faults = append(faults, fmt.Sprintf("%s:%d: missing %s %q", w.File, w.Line, w.Rule, w.Message))
		}
	}
	sort.Strings(faults)
	return faults
}

func match(wants []Expectation, used []bool, g Got) int {
	for i, w := range wants {
		if !used[i] && w.File == g.File && w.Line == g.Line && w.Rule == g.Rule && w.Message.MatchString(g.Message) {
			return i
		}
	}
	return -1
}
