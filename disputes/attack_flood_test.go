package disputes_test

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_TowerFlood_Signatures: the Arena and towers take as many signatures of one position by
// one seat as a support carries. Looking for positions that contradict each other takes no longer
// for that than checking them, however many supports repeat them.
func TestAttack_TowerFlood_Signatures(t *testing.T) {
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 100)
	m := b.match(2<<8, []uint8{0, 1}, toy.Params(0), stake, stake).play(toy.Pass(1))
	l := b.ledger(2, false, []uint64{80, 80}, m)
	work := func(times int) float64 {
		s := m.support(0, 1, m.all(0))
		s.Signatures = append(slices.Repeat(s.Signatures[:1], times), s.Signatures[1:]...)
		c := disputes.Case{
			Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 50, Chain: &disputes.View{}, Evidence: disputes.Evidence{
				Ledger: l, Matches: map[common.Hash]disputes.Match{m.id: {Terms: m.terms, Ledger: l, Support: s, Also: []*protocol.Support{s}}},
			},
		}
		c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
		return testing.AllocsPerRun(1, func() { c.Plan() })
	}
	if few, many := work(1<<5), work(1<<9); many > 2<<4*few {
		t.Errorf("16 times as many signatures take %.0f times as much", many/few)
	}
}
