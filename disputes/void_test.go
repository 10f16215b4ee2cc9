package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol/onchain"
)

// TestAgreedBeforeTheStart: all agree on a result of a match whose turn 0, as it is posted, lacks
// signatures. Then no position is recorded, and nobody lies.
func TestAgreedBeforeTheStart(t *testing.T) {
	c := newScene(t, 2, 0)
	m := c.lock(toy.Params(0))
	c.cheat(c.advance(m, m.support(0, 0, []mark{{0, 1}}), m.demand(0, 1)))
	c.cheat(onchain.Agree{Terms: c.terms, Match: m.terms, Record: c.record(m), Agreement: *m.agreement(0, 30, 10)})
	c.gone()
	c.ends(6*window, deposit+10, deposit-10)
	for _, a := range c.honest[0].alarms {
		if a.Level == disputes.Critical {
			t.Errorf("%s: %s", a.Kind, a.Text)
		}
	}
}
