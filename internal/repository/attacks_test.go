package repository_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// attacks names every attack and fault that must be shown to fail.
const attacks = `
HighS ZeroSigner ReplayChain ReplayArena ReplayChannel CrossType StaleLedger StalePosition EqualVersion Equivocation ClockReset
ClockExtend LastMinute StrangerContest UnlockedMatch WrongMover SkippedTurn ForeignMove Withhold ShortSalt CopiedCommitment
IllegalSecret CoinAbort FalseAnswer VoidByMove PoisonedState WithheldStart LongFork Rollback HiddenPosition DemandFront RankStall
LateAnswer CollusionFork ClockBeatsAgreement ExpiryCollision FreeRoll LateBooking ClockAfterAnswer SlowDeath EarlyTerminal
ExpiredBranch MatchIdReuse LockMismatch OpenReplay LateOpen WindowBounds LostSigner SybilConvict LoopingRules ReturnBomb LateBet
JunkSecret SybilPair ProofTheft DoubleProof GasBomb GasStarve BadRules Reentrancy BadReceiver BadToken StrayValue DuplicateSeat
Overflow WideInteger Solvency SlowGame StaleTower

Oversize Nesting UnknownField Garbage SlowStream StreamFlood QueueFlood Sybil Impostor SelfEquivocation Crash OldBackup DiskFull
TwoProcesses AbandonedClosing LateAgreement WithheldApproval WithheldLedger HiddenNewer CheapMatch Replay Reorder Duplicate Loss
Partition SignWhileDisputed ClockSkew

Reorg LyingRPC LaggingRPC WrongChain StarvedRPC PricedOut LockedIn RefusedRPC WentBack StoppedChain DownAtStart HangingRPC
SlowBodies WithheldResult StaleScore StuckTx NonceGap FeeSpike EmptyWallet Downtime SilentFailure LoggedSecret HotKey`

// TestAttacksHaveTests: SECURITY.md has a row for every attack, a test with the row's name ends it, every test that it names
// exists, and it names every test that is named after an attack.
func TestAttacksHaveTests(t *testing.T) {
	page, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`^\| ([A-Z][A-Za-z]+) \| [^|]+ \| [^|]+ \| ([^|]+) \|$`)
	test := regexp.MustCompile("`([a-z0-9/]+)\\.(Test[A-Za-z0-9_]+)`")
	rows, named := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(string(page)) {
		found := row.FindStringSubmatch(strings.TrimSpace(line))
		if found == nil {
			continue
		}
		name, ended := found[1], false
		if rows[name] {
			t.Errorf("%s has two rows", name)
		}
		rows[name] = true
		for _, n := range test.FindAllStringSubmatch(found[2], -1) {
			ended = ended || strings.HasPrefix(n[2], "TestAttack_"+name)
			named[n[1]+"."+n[2]] = true
			if !hasTest(t, n[1], n[2]) {
				t.Errorf("%s: there is no %s in %s", name, n[2], n[1])
			}
		}
		if !ended {
			t.Errorf("no test is named TestAttack_%s", name)
		}
	}
	for _, name := range strings.Fields(attacks) {
		if !rows[name] {
			t.Errorf("SECURITY.md has no row %s", name)
		}
	}
	for _, test := range attackTests(t) {
		if !named[test] {
			t.Errorf("no row of SECURITY.md names %s", test)
		}
	}
}

// attackTests lists the tests of all packages that are named after an attack, as FOLDER.TestAttack_NAME.
func attackTests(t *testing.T) (list []string) {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (TestAttack_[A-Za-z0-9_]+)\(`)
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, test := range declared.FindAllSubmatch(source, -1) {
			list = append(list, filepath.ToSlash(filepath.Dir(path))+"."+string(test[1]))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}
