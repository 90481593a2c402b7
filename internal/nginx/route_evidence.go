package nginx

import "strconv"

// What a log says about the answer settles some of what the request leaves
// open.

// otherAnswer tells whether the phases led to an answer whose status is not
// that of the request.
func (s *state) otherAnswer(end ending) bool {
	if end.bypass == "" || end.status == 0 {
		return false
	}
	status := s.fieldValue(fieldStatus)
	return !status.unknown() && len(status.b) > 0 && string(status.b) != strconv.Itoa(end.status)
}

// notTaken is what settled returns for a sequel that did not happen.
const notTaken = "not taken"

// settled is why a sequel is uncertain; empty: it happened. Of a location
// without an upstream, try_files sent on to one with an upstream exactly the
// requests that an upstream answered, and maybe some that were refused there.
func (s *state) settled(p *plan, next sequel) string {
	if next.why != unknownFile || p.block.proxied || !s.leadsUpstream(p, next) {
		return next.why
	}
	switch up := s.wentUpstream(); {
	case up.unknown():
		return next.why
	case len(up.b) > 0 && string(up.b) != "-":
		return ""
	case s.mayBeRefused(next.plan.block.block):
		return next.why
	}
	return notTaken
}

// leadsUpstream tells whether all sequels that have limits lead to one block,
// which has an upstream.
func (s *state) leadsUpstream(p *plan, next sequel) bool {
	for _, other := range p.sequels {
		if other.why == unknownFile && other.plan.block != next.plan.block {
			return false
		}
	}
	return next.plan.block.proxied && !next.plan.open
}

func (s *state) wentUpstream() datum {
	for _, f := range []int{fieldUpstreamAddr, fieldUpstreamStatus, fieldUpstreamTime} {
		if up := s.peek(derivedSlots + f); !up.unknown() {
			return up
		}
	}
	return missing("upstream_addr")
}

// mayBeRefused tells whether the answer has the status of a refusal.
func (s *state) mayBeRefused(b *Block) bool {
	status := s.peek(derivedSlots + fieldStatus)
	if status.unknown() {
		return true
	}
	text := string(status.b)
	return text == strconv.Itoa(b.LimitReqStatus.Value) || text == strconv.Itoa(b.LimitConnStatus.Value)
}
