package rules

import (
	"github.com/nglimit/nglimit/internal/nginx"
)

// perClient tells whether a zone gives each client address a state of its own,
// as far as anybody can tell from the configuration.
func perClient(c *nginx.Config, z *nginx.Zone) bool {
	if z == nil {
		return false
	}
	facts := c.Key(z.Key)
	return len(facts.UnknownVars) == 0 && facts.ClientAddress
}

// certain returns what is known of a zone's key; ok is false when a variable
// of another module makes every statement uncertain.
func certain(c *nginx.Config, z *nginx.Zone) (facts *nginx.KeyFacts, ok bool) {
	facts = c.Key(z.Key)
	return facts, len(facts.UnknownVars) == 0
}

// backedByAddress tells whether, wherever a zone limits, another limit of the
// same module counts the client's address alone.
func backedByAddress(c *nginx.Config, z *nginx.Zone) bool {
	backed := false
	for b := range limited(c) {
		if !uses(b, z) {
			continue
		}
		if !addressBeside(c, b, z) {
			return false
		}
		backed = true
	}
	return backed
}

func uses(b *nginx.Block, z *nginx.Zone) bool {
	for _, l := range b.LimitReq.Items {
		if l.Zone == z {
			return true
		}
	}
	for _, l := range b.LimitConn.Items {
		if l.Zone == z {
			return true
		}
	}
	return false
}

func addressBeside(c *nginx.Config, b *nginx.Block, z *nginx.Zone) bool {
	if z.Kind == nginx.ReqZone {
		for _, l := range b.LimitReq.Items {
			if l.Zone != nil && l.Zone != z && addressOnly(c, l.Zone) {
				return true
			}
		}
		return false
	}
	for _, l := range b.LimitConn.Items {
		if l.Zone != nil && l.Zone != z && addressOnly(c, l.Zone) {
			return true
		}
	}
	return false
}

func addressOnly(c *nginx.Config, z *nginx.Zone) bool {
	facts, ok := certain(c, z)
	return ok && facts.ClientAddress && facts.AddressOnly
}

// inUse tells whether any limit applies a zone: what nothing uses is
// NGL105's alone.
func inUse(c *nginx.Config, z *nginx.Zone) bool {
	for b := range c.Blocks() {
		if uses(b, z) {
			return true
		}
	}
	return false
}
