package oracle

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a release of nginx, comparable with ==.
type Version struct{ Major, Minor, Patch int }

// AtLeast reports whether v is that release or a later one.
func (v Version) AtLeast(major, minor, patch int) bool {
	if v.Major != major {
		return v.Major > major
	}
	if v.Minor != minor {
		return v.Minor > minor
	}
	return v.Patch >= patch
}

// String is the form nginx prints, "1.22.1".
func (v Version) String() string {
	return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
}

// parseVersion reads the number in "nginx version: nginx/1.22.1 (Debian)".
func parseVersion(out string) (Version, error) {
	_, rest, found := strings.Cut(out, "nginx/")
	if !found {
		return Version{}, fmt.Errorf("no version in %q", out)
	}
	end := strings.IndexFunc(rest, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if end >= 0 {
		rest = rest[:end]
	}
	parts := strings.Split(rest, ".")
	if len(parts) != 3 {
		return Version{}, fmt.Errorf("version %q has not three parts", rest)
	}
	var n [3]int
	for i, part := range parts {
		number, err := strconv.Atoi(part)
		if err != nil {
			return Version{}, fmt.Errorf("version %q: %w", rest, err)
		}
		n[i] = number
	}
	return Version{n[0], n[1], n[2]}, nil
}
