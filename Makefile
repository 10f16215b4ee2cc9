# Users need only Go for `make demo` and `make test`. The other targets need what they name:
# node_modules is npm.

GOFLAGS ?=
export GOFLAGS

.PHONY: release release-check release-run measures demo test race fuzz flood soak page sim sim-long sim-nodes sim-nodes-long explore crashes networks forks reorgs conformance agreement mutants mutants-outside attacks towers bench contracts proto lint generated build client web

demo: ## play every scenario on an embedded chain
	@go run ./cmd/demo

release: ## archives of channeld for PLATFORMS (every one), bills of materials and checksums, in bin/release
	go run ./internal/release $(if $(PLATFORMS),-platforms "$(PLATFORMS)")

release-check: ## build the release of the newest commit twice, in two directories with caches of their own, and compare
	.ci/reproduce $(PLATFORMS)

release-run: ## run this machine's program of the release in empty directories, without Go
	rm -rf bin/released && mkdir -p bin/released
	tar -xzf bin/release/channeld-*-$$(go env GOOS)-$$(go env GOARCH).tar.gz -C bin/released --strip-components 1
	go test ./cmd/channeld -count=1 -run 'TestScripts/^(errors|init|try|play|tower)$$' -released $(CURDIR)/bin/released

build: ## put channeld into bin/
	go build -o bin/channeld ./cmd/channeld

# Many tests wait for others: with one package more than there are processors none of these waits.
BUSY := -p $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)

# Those that take longest come first, so that the others run beside them and none is left to run
# alone at the end. RACED=1 leaves out what make lint has checked, and what make race has played in
# whole, and with that those.
EVERYTHING = $(if $(RACED),$(filter-out $(shell go list $(WHOLE)),$(shell go list ./...)),./node ./cmd/channeld ./...)

# sim-nodes-long begins no history after this long.
NODES_TIME := 4h

test: ## every test that needs nothing but Go
	go test $(BUSY) $(if $(RACED),-vet=off )-timeout 20m $(EVERYTHING)

# The directories in which goroutines meet, by what their code is written with, and nodesim, which
# is tests alone: elsewhere there is nothing to race, and what others call of it runs here too.
# channeld's scripts run all of it. Looked for when race asks, hence no ":=".
CONCURRENT = ./cmd/channeld/ ./internal/nodesim/ $(sort $(dir $(shell grep -rlE --include='*.go' --exclude='*_test.go' --exclude-dir=node_modules \
	'^\s*go [a-zA-Z]|"sync["/]|make.chan |time\.AfterFunc|errgroup' .)))

# Those of them whose tests are not shorter under -short, by their own choice or by that of a kit.
WHOLE = $(filter-out $(sort $(dir $(shell grep -rlE --include='*.go' --exclude-dir=node_modules \
	'testing\.Short\(\)|games/gametest"|disputes/sim"' .))),$(CONCURRENT))

# These packages compute on memory that one goroutine has. The detector does not look into their
# loops, which took much of its time; it looks into all else.
UNWATCHED := $(foreach package, encoding/hex regexp regexp/syntax \
	crypto/internal/fips140/edwards25519 crypto/internal/fips140/edwards25519/field \
	golang.org/x/crypto/scrypt $(addprefix github.com/ethereum/go-ethereum/, core/vm crypto/keccak), -gcflags=$(package)=-race=false)

# A program under the detector sleeps for a second before it ends, and channeld's scripts run
# hundreds of them.
race: export GORACE := atexit_sleep_ms=0

# Without go vet, whose analyzers make lint runs over everything: here it would look at all
# dependencies once more. ./node first and alone, four of its tests at once: beside channeld's
# processes they would wait for minutes.
race: ## the same where goroutines meet, under the race detector (needs a C compiler)
	go test -race -vet=off $(UNWATCHED) -short -parallel 4 -timeout 55m ./node
	go test $(BUSY) -race -vet=off $(UNWATCHED) -short -timeout 55m $(filter-out ./node/,$(CONCURRENT))

fuzz: ## every fuzz target for a short while
	.ci/fuzz 10000x

page: ## the daemon's page in a real browser (needs Chromium or its headless shell), whose tests mostly wait; make lint vets it
	go test ./web -vet=off -count=1 -v -parallel 4 -timeout 30m -browser $$(command -v chromium-headless-shell || command -v chromium)

sim: ## some hundred hostile channels of every game
	go test ./disputes/sim -count=1 -v -run TestHostile

sim-nodes: ## some hundred hostile channels, houses and invites between real nodes; make lint vets it
	go test -c -vet=off -o bin/nodesim ./internal/nodesim
	bin/nodesim -test.run TestNodes -nodesim.games 200 -nodesim.time 80s

sim-nodes-long: ## up to 10,000 of them within NODES_TIME, and a report in bin/
	go test -c -o bin/nodesim ./internal/nodesim
	bin/nodesim -test.run TestNodes -nodesim.games 10000 -nodesim.time $(NODES_TIME) -nodesim.first 1000000 -nodesim.commit $$(git rev-parse --short HEAD) -nodesim.report $(CURDIR)/bin/nodesim.md

sim-long: ## 10,000 hostile channels, and a report in bin/
	mkdir -p bin
	go test ./disputes/sim -run TestLong -timeout 2h -v -sim.games 10000 -sim.report $(CURDIR)/bin/sim.md

explore: ## every schedule of a toy match, two steps from every start
	go test ./disputes/sim -run TestExplore -count=1 -v -timeout 2h -explore.depth 2

crashes: ## kill the real daemon at every point, twice in a row
	go test ./cmd/channeld -run 'TestAttack_Crash$$' -crash.every -parallel 6 -timeout 90m -v

flood: ## ten thefts from a real daemon under a flood of strangers, at an endpoint that limits it
	go test ./cmd/channeld -run TestAttack_StarvedRPC_Processes -count=1 -v -timeout 30m -flood.thefts 10

soak: ## an hour of play by real daemons, one of which is killed every two minutes
	go test ./cmd/channeld -run TestSoak -count=1 -v -timeout 2h -soak.kills 30 -soak.every 2m

measures: ## how large the rooms of this repository are, beside those of others
	go run ./internal/measures

networks: ## a thousand networks that lose, repeat, reorder and cut
	go test ./channel -run Partition_Seeds -count=1 -timeout 1h -args -network.seeds 1000

forks: ## twenty thousand seats against forked copies of the others
	go test ./channel -run Forks_Seeds -count=1 -timeout 1h -args -forks.seeds 20000

reorgs: ## every action, undone at every depth
	go test ./disputes -run Reorg_EveryAction -count=1 -timeout 1h -args -reorg.depths 12

conformance: ## over a million transitions of the games, both engines, and all that the kit tries besides
	for game in mastermind sumscows battleships splitsteal box9; do \
		go test ./games/$$game -run TestConformance -timeout 1h -v -gametest.transitions=250000 || exit 1; done

agreement: ## a million digests and a hundred thousand signatures, in Go and Solidity
	go test ./contracts -run 'TestDigestsAgree|TestSignaturePredicatesAgree' -timeout 1h -args -contracts.digests=1000000 -contracts.signatures=100000

SEED ?= 1
N ?= 60
mutants: node_modules ## break each guard of the core in every way, and the contracts in N ways, and run the tests that should notice
	go run ./internal/mutants -of core -n 10000 -parallel 2
	go run ./internal/mutants -of contracts -seed $(SEED) -n $(N) -parallel 2

mutants-outside: ## break the other packages in N ways, and run the tests that run the broken lines
	go run ./internal/mutants -of outside -seed $(SEED) -n $(N)

attacks: node_modules ## take away what stops each attack, and see its test fail
	go run ./internal/mutants -of attacks -parallel 2 -limit 2m

towers: ## what the evidence of a million seats takes (6 minutes, 2 GB of disk)
	go test ./tower -run Fill -v -tower.seats 1000000 -timeout 30m

bench: ## benchmarks, each beside its limit
	go test -run '^$$' -bench . -benchtime 2s ./channel ./disputes/sim ./transport/... ./store/... ./node/...

contracts: node_modules ## compile the contracts and regenerate their bindings (needs npm)
	node contracts/compile.mjs
	for example in examples/*/; do (cd $$example && node compile.mjs) || exit 1; done

proto: node_modules ## check the schemas and regenerate their Go code (needs npm)
	npx buf lint
	npx buf generate

# The linters give way: beside them CI waits for the longest fuzz target, which has one worker.
lint: node_modules bin/golangci-lint ## needs npm and golangci-lint's sources, which Go fetches (its govet is go vet)
	test -z "$$(gofmt -l . | grep -v node_modules)"
	nice bin/golangci-lint run
	npx solhint --disc -c contracts/.solhint.json 'contracts/src/**/*.sol'

bin/golangci-lint: .ci/golangci-lint .golangci.yml
	nice .ci/golangci-lint

client: build node_modules ## build and test the client for TypeScript (needs npm)
	npm run build -w @ante/client
	npm test -w @ante/client

web: node_modules ## build the page that channeld serves, which is committed (needs npm)
	npm run build -w @ante/client
	npm test -w @ante/page
	npm run build -w @ante/page

generated: contracts proto ## fail when a generated file is not current
	npm run generate -w @ante/client
	$(MAKE) web
	git diff --exit-code -- contracts examples proto clients web/dist

node_modules: package-lock.json
	npm ci
	@touch node_modules
