package node_test

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/nodetest"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/tower"
	"github.com/holiman/uint256"
)

// landed waits until a transaction of a tower for some reason is in a block.
func (w *testTower) landed(t testing.TB, tb *table, why string) {
	t.Helper()
	w.until(t, tb, func() bool {
		done, err := w.Transactions(10)
		must(t, err)
		return slices.ContainsFunc(done, func(r chain.Report) bool {
			return r.Err == nil && r.Progress > chain.Waiting && strings.Contains(r.Why, why)
		})
	})
}

// TestTowerForgets: evidence of a seat that is not heard of for as long as the tower keeps it is
// dropped, and taken anew when the seat comes back.
func TestTowerForgets(t *testing.T) {
	t.Parallel()
	const keep = 128
	w := build(t, func(c *tower.Config) { c.Limits.Keep = keep })
	tb := sit(t, 2, nil)
	alice := tb.players[0]
	alice.trust(t, w)
	tb.match(t, "toy", "")
	receipt := tb.entrusted(t, alice, tb.version(t, alice))
	if receipt.Expiry != receipt.Time+keep {
		t.Errorf("kept from %d until %d", receipt.Time, receipt.Expiry)
	}
	before := w.Counts()
	if before.Seats != 1 || before.Bytes == 0 {
		t.Fatalf("held: %+v", before)
	}
	w.restart(t)
	if again := w.Counts(); again.Seats != before.Seats || again.Bytes < before.Bytes {
		t.Errorf("held after a restart: %+v, before %+v", again, before)
	}
	must(t, alice.Close())
	must(t, world(t).Chain.Mine(keep/2))
	w.until(t, tb, func() bool { return w.Head().Block >= world(t).Chain.Head() })
	if w.Seats() != 1 {
		t.Fatal("dropped too early")
	}
	must(t, world(t).Chain.Mine(keep))
	w.until(t, tb, func() bool { return w.Seats() == 0 })
	if c := w.Counts(); c.Bytes != 0 || len(held(t, w)) != 0 {
		t.Errorf("left: %+v, %d pieces", c, len(held(t, w)))
	}
	alice.restart(t)
	alice.trust(t, w)
	w.until(t, tb, func() bool { return w.Seats() == 1 })
}

// TestAttack_ClockBeatsAgreement_Tower: both agreed to end their match. Alice sleeps, and mallory
// starts her clock. Her tower posts the agreement.
func TestAttack_ClockBeatsAgreement_Tower(t *testing.T) {
	t.Parallel()
	w := build(t, nil)
	tb := sit(t, 2, nil)
	alice, mallory := tb.players[0], tb.players[1]
	alice.trust(t, w)
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "pass 1")
	tb.play(t, mallory, id, "pass 0")
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.Turn == 2 })
	v, err := mallory.Match(id)
	must(t, err)
	offer := message.AgreementSignature{Agreement: protocol.Agreement{MatchID: id, Turn: 2, Payouts: v.Terms.Stakes}, Seat: 1}
	var start onchain.Advance
	tb.inNameOf(t, mallory, func(c *node.Channel, key protocol.Signer, d protocol.Domain) {
		offer.Signature, err = key.Sign(offer.Digest(d))
		must(t, err)
		demand, err := key.Sign(protocol.Demand{MatchID: id, Turn: 2}.Digest(d))
		must(t, err)
		start = onchain.Advance{Terms: c.Terms, Ledger: v.Ledger, Match: v.Terms, Support: *v.Support, Demand: &demand}
	})
	must(t, mallory.Close())
	mouth := speak(t, mallory, alice.Domain())
	must(t, mouth.Keep(alice.Account(), alice.Network().Addresses()...))
	must(t, mouth.Connect(tb.ctx, alice.Account()))
	must(t, mouth.Send(alice.Account(), message.Envelope(tb.channel, offer)))
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && len(m.Offers) > 0 })
	must(t, alice.AcceptDraw(id, 1, offer.Payouts))
	tb.confirmed(t, alice, func(e *node.Entrusted) bool { return e.Match(id).Agreement == protocol.MarkOf(2) })
	must(t, alice.Close())
	tb.post(t, mallory.config.GasPayer, start)
	w.landed(t, tb, "agree")
	alice.restart(t)
	tb.wait(t, alice, func() bool {
		m, err := alice.Match(id)
		return err == nil && m.Record != nil && m.Record.Status == protocol.MatchAgreed
	})
}

// TestAttack_ClockBeatsAgreement_TowerStart: mallory concedes a match whose start she never signs,
// and contests while alice sleeps. Her tower posts the agreement.
func TestAttack_ClockBeatsAgreement_TowerStart(t *testing.T) {
	t.Parallel()
	w := build(t, nil)
	var locked atomic.Bool
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 1 {
			nodetest.Lose(c, func(env *antev1.Envelope) bool {
				return env.GetCountersign() != nil || env.GetSyncReply() != nil || locked.Load() && (env.GetPropose() != nil || env.GetApprove() != nil)
			})
		}
	})
	alice, mallory := tb.players[0], tb.players[1]
	alice.trust(t, w)
	before := tb.free(t, alice)
	must(t, mallory.Propose(tb.channel, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake}}))
	tb.wait(t, alice, func() bool { return len(alice.Matches()) == 1 })
	tb.wait(t, mallory, func() bool { return len(mallory.Matches()) == 1 })
	locked.Store(true)
	id := alice.Matches()[0].ID
	must(t, mallory.Concede(id))
	tb.confirmed(t, alice, func(e *node.Entrusted) bool { return e.Match(id).Agreement == protocol.MarkOf(0) })
	tb.wonAsleep(t, w, before)
}

// TestAttack_Reorg_Tower: a reorganisation takes back mallory's stale contest and the tower's
// answer. Then there is nothing to do, after a restart too. When she contests again, it is answered
// again.
func TestAttack_Reorg_Tower(t *testing.T) {
	t.Parallel()
	const confirmations = 6
	w := build(t, func(c *tower.Config) { c.Policy.Confirmations = confirmations })
	tb := sit(t, 2, nil)
	alice, mallory := tb.players[0], tb.players[1]
	tb.won(t)
	must(t, world(t).Chain.Mine(confirmations))
	w.until(t, tb, func() bool { return w.Head().Block >= world(t).Chain.Head() })
	alice.trust(t, w)
	tb.entrusted(t, alice, tb.version(t, alice))
	before := tb.free(t, alice)
	must(t, alice.Close())
	must(t, mallory.Close())
	base := world(t).Chain.Head()
	contestFirst(t, tb, mallory)
	w.landed(t, tb, "")
	must(t, world(t).Chain.Reorg(int(world(t).Chain.Head()-base)))
	atRest := func() {
		t.Helper()
		for {
			w.until(t, tb, func() bool { return w.Head().Block >= world(t).Chain.Head() })
			if w.Counts().Disputes == 0 {
				return
			}
			must(t, world(t).Chain.Mine(1))
		}
	}
	atRest()
	w.restart(t)
	atRest()
	contestFirst(t, tb, mallory)
	tb.passTime(t, w)
	w.until(t, tb, func() bool { return w.Seats() == 0 }) // paid out, and forgotten
	if w.Counts().Answered == 0 {
		t.Errorf("it counts no answer: %+v", w.Counts())
	}
	alice.restart(t)
	must(t, alice.Closed(tb.ctx, tb.channel))
	tb.regained(t, alice, before)
}
