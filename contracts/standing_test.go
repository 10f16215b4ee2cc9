package contracts_test

import (
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
)

// TestOverGainsNoTime: whoever posts a position that is over again, with one more signature,
// outranks the record but doesn't put off its end.
func TestOverGainsNoTime(t *testing.T) {
	tb, m := newMatch(t, 3)
	m.play(toy.Pass(1), toy.Win(0))
	tb.must(m.advance(m.support(0, 2, m.everyone(0))))
	before := *m.record()
	tb.wait(window - 1)
	tb.must(m.advance(m.support(0, 2, m.everyone(0), []signed{{1, 2}})))
	after := *m.record()
	if !after.Rank().Above(before.Rank()) || after.Status != protocol.MatchOver || after.Deadline != before.Deadline {
		t.Fatalf("before %+v, after %+v", before, after)
	}
	tb.wait(1)
	m.pays(3*stake/2, 0, 0)
}

// TestAgreementUnsettlesNothing: what stood a window counts as signed by all below an Agreement
// too, so that ending the match by consent opens no way for a fork from before.
func TestAgreementUnsettlesNothing(t *testing.T) {
	tb, m := newMatch(t, 3)
	m.play(toy.Pass(1))
	fork := m.fork(0).play(toy.Pass(1, 7), toy.Pass(2))
	tb.must(m.advance(m.support(0, 1, m.everyone(0))))
	tb.wait(window)
	tb.must(m.agree(m.agreement(m.at(1).turn, stake/2, stake/2, stake/2)))
	tb.refused(codec.ErrNotHigher, m.advance(fork.support(0, 2, m.everyone(0))))
}
