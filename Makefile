# One target a job; CONTRIBUTING.md says when to use which.
# The tools are pinned in modules of their own (tools/*.mod), so that what they
# need stays out of go.mod. actionlint has one for itself: it and golangci-lint
# need different versions of one yaml module.
LINT := go tool -modfile=tools/go.mod golangci-lint
ACTIONLINT := go tool -modfile=tools/actionlint.mod actionlint

# Built from source when absent (minutes); newer ones ask for a newer Go.
GORELEASER_VERSION := v2.17.0
GORELEASER := tools/bin/$(GORELEASER_VERSION)/goreleaser

MODULE := github.com/nglimit/nglimit
TARGETS := linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64

.PHONY: build test lint fmt check cross fuzz bench docs golden oracle release-check

build:
	CGO_ENABLED=0 go build -trimpath -o bin/ ./cmd/nglimit

test:
	tools/need-nginx && go test ./...

lint:
	go vet ./...
	$(LINT) config verify
	$(LINT) run
	$(ACTIONLINT)

fmt:
	$(LINT) fmt

# What a change must pass; the tests come last, so that their verdict is what
# the eye falls on.
check: lint
	$(LINT) fmt --diff
	tools/check-arrows
	tools/check-generated
	go mod tidy -diff
	tools/need-nginx && go test -race -shuffle=on -count=1 ./...

# Every system that a release is built for, type-checked and linked.
cross:
	@for target in $(TARGETS); do \
		echo "build $$target"; \
		CGO_ENABLED=0 GOOS=$${target%/*} GOARCH=$${target#*/} go build -o /dev/null ./cmd/nglimit || exit 1; \
	done

fuzz:
	tools/fuzz

bench:
	go test -run='^$$' -bench=. -benchmem ./...

docs:
	go generate ./...

# Rewrites the expected output; the diff is to be read before it is committed.
golden:
	go test $$(git grep -l 'flag.Bool("update"' -- '*_test.go' | xargs -n1 dirname | sort -u | sed 's|^|./|') -update

# The proofs on a running nginx alone: every package whose tests start one.
oracle: export REQUIRE_NGINX = 1
oracle:
	tools/need-nginx
	go test -count=1 -v ./internal/oracle $$(go list -f '{{.ImportPath}}{{range .TestImports}} {{.}}{{end}}{{range .XTestImports}} {{.}}{{end}}' ./... | awk '/ $(subst /,\/,$(MODULE))\/internal\/oracle( |$$)/ {print $$1}')

release-check: $(GORELEASER)
	$(GORELEASER) check
	$(GORELEASER) build --snapshot --clean

$(GORELEASER):
	CGO_ENABLED=0 GOBIN=$(CURDIR)/$(@D) go install github.com/goreleaser/goreleaser/v2@$(GORELEASER_VERSION)
