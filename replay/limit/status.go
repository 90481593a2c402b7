package limit

// Status is the outcome of a decision, in nginx's words.
type Status uint8

// The values of $limit_req_status and $limit_conn_status. limit_conn never
// delays.
const (
	None Status = iota // no key applied: the variable is not set
	Passed
	Delayed
	Rejected
	DelayedDryRun
	RejectedDryRun
)

// String gives the value of $limit_req_status, empty for None
// (ngx_http_limit_req_module.c:ngx_http_limit_req_status).
func (s Status) String() string {
	switch s {
	case Passed:
		return "PASSED"
	case Delayed:
		return "DELAYED"
	case Rejected:
		return "REJECTED"
	case DelayedDryRun:
		return "DELAYED_DRY_RUN"
	case RejectedDryRun:
		return "REJECTED_DRY_RUN"
	default:
		return ""
	}
}

// DryRun is the status that the same decision has under limit_req_dry_run or
// limit_conn_dry_run. The state of the zones changes alike in both.
func (s Status) DryRun() Status {
	switch s {
	case Delayed:
		return DelayedDryRun
	case Rejected:
		return RejectedDryRun
	default:
		return s
	}
}

// Enforced is the inverse of DryRun.
func (s Status) Enforced() Status {
	switch s {
	case DelayedDryRun:
		return Delayed
	case RejectedDryRun:
		return Rejected
	default:
		return s
	}
}
