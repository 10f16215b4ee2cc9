package disputes_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A watcher plans again when something changed that its plan depends on, and never else.
func TestWatcherPlansOnce(t *testing.T) {
	c := overCase(t, 2)
	find, facts, asked := c.Rules, 0, 0
	c.Rules = func(at common.Address) (games.Rules, error) {
		asked++
		return find(at)
	}
	c.Facts = func() int { return facts }
	box := &mailbox{}
	w := disputes.NewWatcher(*c, protocoltest.Key("signer 0"), box)
	w.Happened(1, onchain.Opened{Terms: c.Terms})
	now, e, wishes := uint64(50), c.Evidence, disputes.Wishes{Demand: map[common.Hash]bool{}}
	plans := func() bool {
		before := asked
		w.Wants(now, e, wishes)
		return asked > before
	}
	one := slices.MinFunc(slices.Collect(maps.Keys(e.Matches)), common.Hash.Cmp)
	for _, c := range []struct {
		what   string
		change func()
	}{
		{"the first", func() {}},
		{"the clock", func() { now++ }},
		{"a fact of the chain", func() { facts++ }},
		{"an event", func() { w.Happened(2, onchain.Contested{Ledger: *e.Ledger, Deadline: 200}) }},
		{"an event of ours", func() { w.Answered(3, onchain.Contested{Ledger: *e.Ledger, Deadline: 200}) }},
		{"a reorganisation", func() { w.Unhappened(2) }},
		{"a wish", func() { wishes.Demand[one] = true }},
		{"a wish to leave", func() { wishes.Exit = true }},
		{"what was sent", func() { w.Step(t.Context(), now, e, wishes) }},
		{"what failed", func() { w.Failed(box.got[0].ID, disputes.ErrFailed) }},
		{"the price of gas", func() { w.Price(*uint256.NewInt(7)) }},
		{"evidence of a match", func() { e.Matches[one] = disputes.Match{Terms: e.Matches[one].Terms, Ledger: e.Ledger} }},
		{"evidence", func() { e.Restored = true }},
	} {
		if c.change(); !plans() {
			t.Errorf("%s makes no other plan", c.what)
		}
		if plans() {
			t.Errorf("%s: planned twice", c.what)
		}
	}
}
