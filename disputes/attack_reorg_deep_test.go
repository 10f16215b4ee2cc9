package disputes_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol"
)

// office gets a watcher's transactions mined, as a node does.
type office struct{ *ground }

// Submit implements disputes.Submitter.
func (o office) Submit(ctx context.Context, s disputes.Submission) error {
	call, err := o.codec.Encode(s.Action)
	o.ok(err)
	r, err := o.sender.Submit(ctx, chain.Request{Key: s.ID, Why: s.Why, To: o.arena.Address(), Data: call.Data, Deadline: s.Deadline, Once: true})
	if err == nil {
		err = r.Err
	}
	if refused := new(chain.Reverted); errors.As(err, &refused) {
		return fmt.Errorf("%w: %w", disputes.ErrFailed, err)
	}
	return err
}

// TestAttack_Reorg_Finished: an answer that was final leaves the chain, and with it goes what the
// sender still looked after. The watcher has it sent again, and not twice where it is still on its
// way.
func TestAttack_Reorg_Finished(t *testing.T) {
	for _, depth := range []int{1, chain.DefaultConfirmations - 1, chain.DefaultConfirmations, 20} {
		t.Run(fmt.Sprint(depth), func(t *testing.T) {
			g := newGround(t)
			m := g.begin()
			g.do(g.contest(&protocol.SignedLedger{Ledger: protocol.FirstLedger(g.id, &g.terms)}, 1))
			g.back(g.here())
			newest := g.ledger(2, false, left, m)
			look := func() {
				t.Helper()
				now, err := g.arena.Now(t.Context())
				g.ok(err)
				g.watcher.Step(t.Context(), now, disputes.Evidence{Ledger: newest}, disputes.Wishes{})
			}
			posted := func() uint64 { l, _ := g.watcher.View().Ledger(); return l.Version }
			look()
			for range depth {
				g.rounds(1, 1)
				look()
			}
			if posted() != 2 {
				t.Fatal("the stale ledger stands")
			}
			g.ok(g.net.Reorg(depth))
			g.listen()
			if posted() != 1 {
				t.Fatal("the answer is still thought to stand")
			}
			look()
			g.rounds(2, 1)
			look()
			if posted() != 2 {
				t.Fatal("the answer is not given again")
			}
			if list, err := g.sender.History(9); err != nil || len(list) != 1 || g.mined(alice) != 1 {
				t.Fatalf("%d transactions: %+v, %v", g.mined(alice), list, err)
			}
		})
	}
}

// TestAttack_Reorg_Fails: an answer that was final leaves the chain together with the posting of a
// stale ledger. Who posted that puts the answer into a block first, where it does nothing, and then
// the stale ledger once more. The answer is given again.
func TestAttack_Reorg_Fails(t *testing.T) {
	g := newGround(t)
	m := g.begin()
	stale := g.contest(&protocol.SignedLedger{Ledger: protocol.FirstLedger(g.id, &g.terms)}, 1)
	g.do(stale)
	g.back(g.here())
	newest := g.ledger(2, false, left, m)
	look := func() uint64 {
		now, err := g.arena.Now(t.Context())
		g.ok(err)
		g.watcher.Step(t.Context(), now, disputes.Evidence{Ledger: newest}, disputes.Wishes{})
		l, _ := g.watcher.View().Ledger()
		return l.Version
	}
	look()
	g.rounds(1, 1)
	sent, err := g.sender.History(1)
	g.ok(err)
	answer, _, err := g.eth.TransactionByHash(t.Context(), sent[0].Tx)
	g.ok(err)
	for range chain.DefaultConfirmations {
		g.rounds(1, 1)
		look()
	}
	g.ok(g.net.Rewind(2 + chain.DefaultConfirmations))
	g.ok(g.eth.SendTransaction(t.Context(), answer))
	g.mine(1)
	g.do(stale)
	g.mine(chain.DefaultConfirmations)
	g.listen()
	look()
	g.rounds(1, 1)
	if posted := look(); posted != 2 || g.mined(alice) != 2 {
		t.Fatalf("after %d transactions ledger %d stands", g.mined(alice), posted)
	}
}
