package parser

import "strings"

// unknown judges a name that this nginx does not have. Only what cannot be
// right is a fault: a name one slip away from one of nginx's, a name that
// nobody could register, and a directive of another version. Any other name
// may belong to a module, and is a note.
func (r *fileReader) unknown(d *Directive, entries []command) *command {
	e := &Error{Kind: Unknown, Span: d.NameSpan(), Line: d.termLine(), Msg: `unknown directive "` + cString(d.Name) + `"`}
	if len(entries) > 0 {
		e.Hint = entries[0].otherVersion(r.version)
		r.fault(e)
		return &entries[0]
	}
	if module := thirdParty(d.Name); module != "" {
		e.Hint = "it belongs to " + module + ", which is not judged here"
		r.note(e)
		return nil
	}
	if !possibleName(d.Name) {
		if strings.Contains(d.Name, "}") {
			e.Hint = `a regular expression with "{" must be quoted`
		}
		r.fault(e)
		return nil
	}
	near := r.nearest(d.Name, r.top().in)
	if near == nil {
		e.Hint = "it belongs to no module known here"
		r.note(e)
		return nil
	}
	e.Hint = `did you mean "` + near.name + `"?`
	r.fault(e)
	return near
}

func (c *command) otherVersion(v version) string {
	if c.removed != 0 && v >= c.removed {
		return "nginx " + c.removed.String() + " and later have it no more"
	}
	return "nginx has it since " + c.since.String()
}

// possibleName tells whether a module could have a directive of that name.
func possibleName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && c != '-' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return name != "" && (name[0] < '0' || name[0] > '9')
}

// maxSuggestions bounds the time spent on files full of unknown names.
const maxSuggestions = 200

// nearest finds the directive that a misspelt name most likely means: one that
// may stand in the context if there is one.
func (b *builder) nearest(name string, in context) *command {
	if b.suggested++; b.suggested > maxSuggestions {
		return nil
	}
	limit := 1
	if len(name) >= 8 {
		limit = 2
	}
	var best *command
	rank := 2*limit + 2
	for i := range commands {
		c := &commands[i]
		if diff := len(c.name) - len(name); diff > limit || -diff > limit {
			continue
		}
		distance := slips(name, c.name, limit)
		if distance > limit {
			continue
		}
		if distance *= 2; c.in&in == 0 {
			distance++
		}
		if distance < rank {
			best, rank = c, distance
		}
	}
	return best
}

// slips counts the inserted, dropped, changed and swapped letters between two
// words; more than limit is all the same.
func slips(a, b string, limit int) int {
	if strings.EqualFold(a, b) {
		return 1
	}
	var rows [3][64]int
	if len(a) >= 64 || len(b) >= 64 {
		return limit + 1
	}
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		row, up, up2 := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			n := min(up[j]+1, row[j-1]+1, up[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				n = min(n, up2[j-2]+1)
			}
			row[j] = n
			least = min(least, n)
		}
		if least > limit {
			return limit + 1
		}
	}
	return rows[len(a)%3][len(b)]
}
