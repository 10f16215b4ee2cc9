package disputes_test

import (
	"context"
	"errors"
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
)

// poor is a gas account that pays for so much gas.
type poor struct {
	*honest
	gas uint64
}

// Submit implements disputes.Submitter.
func (p *poor) Submit(ctx context.Context, s disputes.Submission) error {
	if s.Gas > p.gas {
		return errors.New("the account can't pay")
	}
	p.gas -= s.Gas
	return p.honest.Submit(ctx, s)
}

// TestAttack_EmptyWallet_First: a peer posts an old ledger, and old positions of small matches,
// when gas is so dear that the account pays for one answer. That goes to where most is at stake.
func TestAttack_EmptyWallet_First(t *testing.T) {
	c := newScene(t, 2, 0)
	h := c.honest[0]
	h.watcher = watch(c.board, 0, &poor{h, 100_000})
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
	c.block(func() {
		c.cheat(c.contest(c.first(), 1))
		for _, m := range small {
			c.cheat(c.advance(m, m.support(0, 0, m.all(0)), m.demand(0, 1)))
		}
	})
	for range window {
		c.block()
	}
	if l, _ := h.watcher.View().Ledger(); l.Version != 2 {
		t.Errorf("ledger %d is paid out, and the account paid for an answer in a match", l.Version)
	}
}
