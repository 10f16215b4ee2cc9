package disputes_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

func TestAttack_StaleLedger(t *testing.T) {
	c := newScene(t, 2, 0)
	c.honest[0].evidence.Ledger = c.ledger(5, false, []uint64{150, 50})
	stale := c.ledger(4, false, []uint64{10, 190})
	c.block(func() { c.cheat(c.contest(stale, 1)) })
	c.ends(2*window, 150, 50)
}

// A peer that answers nothing at all, not even the closing ledger: the newest ledger is contested
// and paid.
func TestAttack_AbandonedClosing(t *testing.T) {
	c := newScene(t, 2, 0)
	c.honest[0].evidence.Ledger = c.ledger(5, false, []uint64{150, 50})
	c.gone()
	c.ends(2*window, 150, 50)
	if c.sent != 2 {
		t.Errorf("%d transactions, want 2: contest and settle", c.sent)
	}
}

// A match that the newest ledger doesn't lock is run out on an old one: it is ignored, and nothing
// is paid by it.
func TestAttack_UnlockedMatch(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(0))
	c.play(m)
	c.honest[0].evidence.Ledger = c.ledger(3, false, []uint64{150, 50})
	c.block(func() {
		c.cheat(c.advance(m, m.support(0, 0, m.all(0)), m.demand(0, 1)))
		c.cheat(c.contest(c.first(), 1))
	})
	c.ends(2*window, 150, 50)
	if c.sent != 2 {
		t.Errorf("%d transactions, want 2: refute and settle", c.sent)
	}
}

// A reorg of any depth takes the honest answers off the chain; they are given again.
func TestAttack_Reorg(t *testing.T) {
	for depth := 1; depth <= 12; depth++ {
		t.Run(fmt.Sprintf("depth %d", depth), func(t *testing.T) {
			c := newScene(t, 2, 0)
			m := c.lock(toy.Params(0))
			c.play(m)
			c.block(func() {
				c.cheat(c.advance(m, m.support(0, 0, m.all(0)), m.demand(0, 1)))
				c.cheat(c.contest(c.first(), 1))
			})
			before := c.chain.Checkpoint()
			for range depth {
				c.block()
			}
			c.reorg(before)
			c.gone()
			c.ends(6*window, deposit+stake, deposit-stake)
		})
	}
}

// A restored store may have forgotten what it signed: it contests what it knows, signs no move, and
// gets what is left.
func TestAttack_OldBackup(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(0))
	c.play(m)
	h := c.honest[0]
	h.evidence.Restored = true
	h.reply = func(*match, []byte) []byte {
		t.Fatal("a restored store was asked for a move")
		return nil
	}
	c.gone()
	newer := c.ledger(3, false, []uint64{130, 70})
	c.block()
	c.block(func() { c.cheat(onchain.ContestLedger{Terms: c.terms, Ledger: *newer}) })
	c.ends(3*window, 130, 70)
}

// TestAttack_BadReceiver_Token: a token calls who is paid, and that burns all gas, so that a close
// which pays the wallets fails, or takes more gas than it may. The next one pays the bank.
func TestAttack_BadReceiver_Token(t *testing.T) {
	box := &mailbox{}
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 3, 100, 100)
	b.terms.Asset = common.Address{19: 3}
	b.id = b.terms.ID(b.domain)
	w := disputes.NewWatcher(disputes.Case{
		Domain: b.domain, Terms: b.terms, Rules: b.find, Policy: disputes.Policy{Margin: 10, Push: true},
	}, b.keys[0], box)
	w.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	e := disputes.Evidence{Closing: b.ledger(2, true, []uint64{150, 50, 100})}
	for try, pushed := range []bool{true, false, false} {
		w.Step(t.Context(), uint64(20+try), e, disputes.Wishes{Close: true})
		if len(box.got) != try+1 {
			t.Fatalf("%d transactions at try %d", len(box.got), try)
		}
		if c, ok := box.got[try].Action.(onchain.Close); !ok || c.Push != pushed || (box.got[try].Most != 0) != pushed || box.got[try].Most > 1_000_000 {
			t.Errorf("try %d: %+v, at most %d gas", try, box.got[try].Action, box.got[try].Most)
		}
		w.Failed(box.got[try].ID, errors.New("out of gas"))
	}
}
