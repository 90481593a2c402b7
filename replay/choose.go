package replay

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/nglimit/nglimit/replay/accesslog"
)

// maxTries is how many blocks are looked at for the format of an input: what
// others wrote into a log may fill some at its start, and a file that is no log
// has no end of them.
const maxTries = 16

// chooser finds the format of an input in the first block that has requests.
type chooser struct {
	hints   accesslog.Hints
	chosen  *accesslog.Format // nil: not yet
	current *accesslog.Format // for the block at hand
	err     error             // why there is no format
	tries   int
}

// look sets the format to read a block with. As long as there is none, lines
// are read as those of the combined format, so that they are counted.
func (c *chooser) look(b *accesslog.Block) {
	f, err := accesslog.Choose(b, c.hints)
	if err == nil {
		c.chosen, c.current, c.err = f, f, nil
		return
	}
	if c.current == nil {
		c.current = accesslog.Combined()
	}
	if len(bytes.TrimSpace(b.Text)) == 0 {
		return // it tells nothing
	}
	if c.err == nil {
		c.err = err
	}
	if c.tries++; c.tries == maxTries || !errors.Is(err, accesslog.ErrNoRequests) {
		c.chosen = c.current
	}
}

// tell notes what is known of the format.
func (c *chooser) tell(r *InputResult) {
	r.Format, r.Mapping, r.Err = c.current.Name, c.current.Mapping(), nil
	if c.err != nil {
		r.Err = fmt.Errorf("read %s: %w", r.Name, c.err)
	}
}
