package node_test

import (
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/holiman/uint256"
)

// TestAttack_TowerGas: whoever owns both seats of a channel pays for one contest, and hands the
// tower a higher ledger in every block of its window, in the name of one seat and of the other.
// Each is worth a refutation. The tower sends two, the last with the best that it holds as late as
// is safe; and pays out.
func TestAttack_TowerGas(t *testing.T) {
	t.Parallel()
	w := build(t, nil)
	tb := sit(t, 2, nil)
	var keys []protocol.Signer
	for _, p := range tb.players {
		tb.inNameOf(t, p, func(_ *node.Channel, key protocol.Signer, _ protocol.Domain) { keys = append(keys, key) })
	}
	mallory := tb.players[1]
	domain := mallory.Domain()
	contest := tb.contestOfFirst(t, mallory)
	before := tb.free(t, mallory)
	var mouths []*mouth
	for _, p := range tb.players {
		must(t, p.Close())
		m := speak(t, p, domain)
		m.reach(t, tb, w)
		mouths = append(mouths, m)
	}
	won := func(version uint64) *uint256.Int {
		return new(uint256.Int).Div(new(uint256.Int).Mul(ether, uint256.NewInt(version)), uint256.NewInt(1000))
	}
	give := func(version uint64) {
		t.Helper()
		l := protocol.SignedLedger{Ledger: protocol.FirstLedger(tb.channel, &contest.Terms)}
		l.Version = version
		l.Balances = []uint256.Int{*new(uint256.Int).Sub(ether, won(version)), *new(uint256.Int).Add(ether, won(version))}
		for _, key := range keys {
			sig, err := key.Sign(l.Digest(domain))
			must(t, err)
			l.Signatures = append(l.Signatures, sig)
		}
		r := mouths[version%2].say(t, tb, w, tb.channel, message.TowerEvidence{Ledger: l})
		if r.Refusal != "" || r.Version != version {
			t.Fatalf("ledger %d: %+v", version, r)
		}
	}
	caughtUp := func() bool { return w.Head().Block >= world(t).Chain.Head() }
	w.until(t, tb, caughtUp)
	give(2)
	give(3)
	// the deadline, or the block before it
	first := world(t).Chain.Head() + 1 + contest.Terms.Window
	tb.post(t, mallory.config.GasPayer, contest)
	best, version := uint64(0), uint64(4)
	for ; world(t).Chain.Head()+1 < first; version++ {
		w.until(t, tb, caughtUp)
		if version == 9 { // it knows again which of the events it brought about
			w.restart(t)
			for _, m := range mouths {
				m.reach(t, tb, w)
			}
			w.until(t, tb, caughtUp)
		}
		give(version)
		if world(t).Chain.Head()+1+disputes.MarginOf(0, contest.Terms.Window) < first { // before its last answer was due
			best = version
		}
		must(t, world(t).Chain.Mine(1))
	}
	tb.passTime(t, w)
	w.until(t, tb, func() bool { return w.Seats() == 0 })
	done, err := w.Transactions(100)
	must(t, err)
	if len(done) != 3 {
		t.Errorf("%d transactions, want 3: two answers and a settlement: %+v", len(done), done)
	}
	mallory.restart(t)
	must(t, mallory.Closed(tb.ctx, tb.channel))
	paid := new(uint256.Int).Sub(tb.free(t, mallory), before)
	if least := new(uint256.Int).Add(ether, won(best)); best < 10 || paid.Lt(least) {
		t.Errorf("paid %s, want at least %s by ledger %d of %d", paid.Dec(), least.Dec(), best, version)
	}
	tb.players[0].restart(t)
}
