package rules

var unusedSuppression = &Rule{
	ID:       "NGL007",
	Name:     "unused-suppression",
	Severity: Warning,
	Summary:  "an ignore comment silences nothing",
	Ref:      "https://github.com/nglimit/nglimit/blob/main/docs/suppressions.md",
	Doc: `An ignore comment that outlived its finding hides the next one. Delete it.
Comments for rules that did not run are left alone.`,
	Bad: `server {
    # nglimit:ignore NGL401 the login zone is stricter
    location / { return 204; }
}`,
	Good: `server {
    location / { return 204; }
}`,
	Check: func(*Pass) {}, // found by Check itself, after all other rules have run
}
