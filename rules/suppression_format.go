package rules

var suppressionFormat = &Rule{
	ID:       "NGL008",
	Name:     "suppression-format",
	Severity: Warning,
	Summary:  "an ignore comment names no known rule, gives no reason or is past its date",
	Ref:      "https://github.com/nglimit/nglimit/blob/main/docs/suppressions.md",
	Doc: `An ignore comment names the rules, says why the finding is accepted, and may say
until when: # nglimit:ignore NGL401 the login zone is stricter until=2027-01-31.
A comment without these silences nothing.`,
	Bad: `server {
    # nglimit:ignore
    location / { return 204; }
}`,
	Good: `server {
    location / { return 204; }
}`,
	Check: func(*Pass) {}, // found by Check itself, after all other rules have run
}
