package disputes_test

import (
	"context"
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// poor is a gas account that pays for so much gas, up to some block.
type poor struct {
	*honest
	gas, last uint64
	heaviest  uint256.Int // what depended on a submission with a deadline
}

// Submit implements disputes.Submitter.
func (p *poor) Submit(ctx context.Context, s disputes.Submission) error {
	if s.Gas > p.gas || p.chain.Block() > p.last {
		return disputes.ErrUnpaid
	}
	p.gas -= s.Gas
	if s.Deadline != 0 && s.Stake.Gt(&p.heaviest) && s.Asset == p.board.terms.Asset {
		p.heaviest = s.Stake
	}
	return p.honest.Submit(ctx, s)
}

// TestAttack_EmptyWallet_First: a peer posts an old ledger, and old positions of small matches,
// when gas is so dear that the account pays for one answer, or soon for none. That goes to where
// most is at stake, whatever clocks run out before, and when the seat sees them.
func TestAttack_EmptyWallet_First(t *testing.T) {
	for name, c := range map[string]struct {
		before, after int
		away          uint64
	}{
		"at once": {0, 0, 1}, "matches before and after": {2, 2, 1}, "matches before, seen late": {4, 0, window - 10},
	} {
		t.Run(name, func(t *testing.T) { starve(t, c.before, c.after, c.away) })
	}
}

// starve has so many of four matches posted before the ledger, and so many after it, and the seat
// away for some blocks.
func starve(t *testing.T, before, after int, away uint64) {
	c := newScene(t, 2, 0)
	h := c.honest[0]
	account := &poor{honest: h, gas: 100_000, last: c.chain.Block() + 10 + away}
	h.watcher = watch(c.board, 0, account)
	for _, s := range c.said {
		h.watcher.Happened(s.block, s.event)
	}
	var small []*match
	for i := range uint64(4) {
		small = append(small, c.match(2<<8|i, []uint8{0, 1}, toy.Params(0), 1, 1).play(toy.Pass(1)))
	}
	h.evidence.Ledger = c.ledger(2, false, []uint64{146, 46}, small...)
	for _, m := range small {
		h.evidence.Matches[m.id] = disputes.Match{Terms: m.terms, Ledger: h.evidence.Ledger}
		h.hold(m, m.newest())
	}
	for i, m := range small {
		if i == before {
			c.cheat(c.contest(c.first(), 1))
		}
		if i == before || i == len(small)-after {
			c.chain.Mine(1)
		}
		c.cheat(c.advance(m, m.support(0, 0, m.all(0)), m.demand(0, 1)))
	}
	if before == len(small) {
		c.chain.Mine(1)
		c.cheat(c.contest(c.first(), 1))
	}
	c.chain.Mine(away)
	for range window {
		c.block()
	}
	if l, _ := h.watcher.View().Ledger(); l.Version != 2 {
		t.Errorf("ledger %d is paid out, and the account paid for an answer in a match", l.Version)
	}
	if !account.heaviest.GtUint64(2) {
		t.Errorf("%v is said to depend on the answer", &account.heaviest)
	}
}

// TestAttack_EmptyWallet_Calm: a peer posts an old ledger while it keeps silent in a match, in
// which more is at stake. The silence can wait, where the account pays for one answer; and where it
// pays for both, what depends on it is not said to depend on the other.
func TestAttack_EmptyWallet_Calm(t *testing.T) {
	for _, gas := range []uint64{100_000, 1_000_000} {
		silent(t, gas)
	}
}

func silent(t *testing.T, gas uint64) {
	c := newScene(t, 2, 0)
	h := c.honest[0]
	m := c.match(1, []uint8{0, 1}, toy.Params(0), 60, 60).play(toy.Pass(1))
	h.evidence.Ledger = c.ledger(2, false, []uint64{75, 5}, m)
	h.evidence.Matches[m.id] = disputes.Match{Terms: m.terms, Ledger: h.evidence.Ledger}
	h.hold(m, m.newest())
	c.cheat(c.advance(m, m.support(0, 0, m.all(0)), nil))
	account := &poor{honest: h, gas: gas, last: c.chain.Block() + window}
	h.watcher = watch(c.board, 0, account)
	for _, s := range c.said {
		h.watcher.Happened(s.block, s.event)
	}
	h.wishes.Demand = map[common.Hash]bool{m.id: true}
	c.cheat(c.contest(c.first(), 1))
	for range window {
		c.block()
	}
	if l, _ := h.watcher.View().Ledger(); l.Version != 2 {
		t.Errorf("gas for %d: ledger %d is paid out", gas, l.Version)
	}
	if !account.heaviest.LtUint64(120) {
		t.Errorf("gas for %d: %v is said to depend on the answer", gas, &account.heaviest)
	}
}
