package parser

import (
	"strconv"
	"strings"
)

// version is a version of nginx: 1.22.1 is 1_022_001. 0 is no version.
type version int32

// parseVersion reads "1.22.1" or "1.22"; anything else is no version.
func parseVersion(text string) version {
	parts := strings.Split(text, ".")
	if len(parts) < 2 || len(parts) > 3 {
		return 0
	}
	var v version
	for i := range 3 {
		n := 0
		if i < len(parts) {
			var err error
			if n, err = strconv.Atoi(parts[i]); err != nil || n < 0 || n > 999 {
				return 0
			}
		}
		v = v*1000 + version(n)
	}
	return v
}

func (v version) String() string {
	return strconv.Itoa(int(v/1_000_000)) + "." + strconv.Itoa(int(v/1000%1000)) + "." + strconv.Itoa(int(v%1000))
}
