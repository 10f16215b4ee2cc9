package node_test

import (
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/tower"
	"github.com/holiman/uint256"
)

// TestAttack_Equivocation_Tower: mallory signs two positions at one turn. Alice, who has the proof,
// goes to sleep before anything of it is on the chain. As long as nothing is, her tower spends
// nothing: who owns both seats could make it convict in one match after the other, at no cost of
// its own. When mallory has the channel paid out, the tower convicts, and alice gets everything.
func TestAttack_Equivocation_Tower(t *testing.T) {
	t.Parallel()
	var most uint256.Int
	most.SetAllOne()
	// nothing is worth its gas, for now
	w := build(t, func(c *tower.Config) { c.Policy.Floor = most })
	tb := sit(t, 2, func(seat int, c *node.Config) {
		if seat == 0 {
			c.Policy.Floor = most
		}
	})
	alice, mallory := tb.players[0], tb.players[1]
	alice.trust(t, w)
	id := tb.match(t, "toy", "")
	tb.play(t, alice, id, "pass 1")
	tb.wait(t, mallory, func() bool { m, err := mallory.Match(id); return err == nil && m.MayMove && int(m.Mover) == m.Seat })
	v, err := mallory.Match(id)
	must(t, err)
	tb.play(t, mallory, id, "pass 0")
	tb.wait(t, alice, func() bool { m, err := alice.Match(id); return err == nil && m.Turn == 2 })

	var contest onchain.ContestLedger
	said := message.Move{MatchID: id, Turn: 2, Move: toy.Win(1)}
	tb.inNameOf(t, mallory, func(c *node.Channel, key protocol.Signer, d protocol.Domain) {
		judge, err := protocol.NewJudge(d, &c.Terms, &v.Terms, toy.Rules{})
		must(t, err)
		next, err := judge.Play(v.State, said.Move, v.Signed, v.Recorded)
		must(t, err)
		sig, err := key.Sign(protocol.Contest{ChannelID: c.ID, Version: c.Ledger.Version}.Digest(d))
		must(t, err)
		contest = onchain.ContestLedger{Terms: c.Terms, Ledger: c.Ledger, Seat: uint8(c.Seat), Signature: sig[:]}
		said.State = protocol.StateHash(next)
		said.Signature, err = key.Sign(protocol.Position{MatchID: id, Turn: 2, State: said.State}.Digest(d))
		must(t, err)
	})
	must(t, mallory.Close())
	mouth := speak(t, mallory, alice.Domain())
	must(t, mouth.Keep(alice.Account(), alice.Network().Addresses()...))
	must(t, mouth.Connect(tb.ctx, alice.Account()))
	must(t, mouth.Send(alice.Account(), message.Envelope(tb.channel, said)))
	tb.confirmed(t, alice, func(e *node.Entrusted) bool { return e.Match(id).Proved == 1<<1 })
	must(t, alice.Close())

	w.config.Policy.Floor.Clear()
	w.restart(t)
	unasked := func(blocks int) {
		t.Helper()
		w.until(t, tb, func() bool { return w.Head().Block != 0 })
		before := w.Head().Block
		must(t, world(t).Chain.Mine(blocks))
		w.until(t, tb, func() bool { return w.Head().Block >= before+uint64(blocks) })
		if done, err := w.Transactions(10); err != nil || len(done) != 0 {
			t.Errorf("unasked, the tower sent %v: %v", done, err)
		}
	}
	unasked(3)
	tb.post(t, mallory.config.GasPayer, contest)
	unasked(3)
	must(t, world(t).Chain.Mine(int(contest.Terms.Window)))
	w.until(t, tb, func() bool {
		done, err := w.Transactions(10)
		must(t, err)
		return len(done) > 0 && done[0].Progress > chain.Waiting
	})
	alice.restart(t)
	r, err := alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	if p := r.Payouts; len(p) != 2 || !p[1].IsZero() || p[0].IsZero() {
		t.Errorf("paid: %v", p)
	}
}
