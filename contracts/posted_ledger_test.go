package contracts_test

import (
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol/onchain"
)

// TestPostedLedgerIsEvidence: a ledger that was contested was found signed by all, so that it shows
// a match locked without its signatures; no other ledger does.
func TestPostedLedgerIsEvidence(t *testing.T) {
	tb, m := newMatch(t, 2)
	m.play(toy.Pass(1))
	locked := *tb.newest
	bare := locked
	bare.Signatures = nil
	a := m.advance(m.support(0, 1, m.everyone(0)), m.demand(1, 0))
	a.Ledger = &bare
	tb.refused(codec.ErrBadSignature, a) // nothing is posted

	start := tb.checkpoint()
	t.Run("another is posted", func(t *testing.T) {
		start()
		tb.must(tb.contest(tb.ledger(3, []uint64{stake, stake}), 0))
		tb.refused(codec.ErrBadSignature, a)
	})
	t.Run("closed", func(t *testing.T) {
		start()
		tb.must(tb.contest(locked, 0))
		tb.must(onchain.Close{Terms: tb.terms, Ledger: tb.closing(4, stake, stake)})
		tb.refused(codec.ErrBadSignature, a)
	})
	t.Run("contested", func(t *testing.T) {
		start()
		tb.must(tb.contest(locked, 0))
		tb.must(a)
	})
	t.Run("settled", func(t *testing.T) {
		start()
		tb.must(tb.contest(locked, 0))
		tb.wait(window)
		tb.must(tb.settle(locked))
		tb.must(a)
	})
}
