package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
)

// Rules implements channel.Resolver.
func (b *board) Rules(at common.Address) (games.Rules, error) { return b.find(at) }

// What a machine has of its matches is evidence, and what a plan for its seat is made of.
func TestEvidenceOfAMachine(t *testing.T) {
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 100)
	machines := make([]*channel.Machine, 2)
	for i := range machines {
		m, _, err := channel.New(channel.Config{Domain: b.domain, Terms: b.terms, Seat: i, Signer: b.keys[i], Rules: b,
			Policy: channel.Policy{Approve: func(*protocol.MatchTerms) bool { return true }}})
		if err != nil {
			t.Fatal(err)
		}
		machines[i] = m
	}
	var step func(int, channel.Input)
	step = func(i int, in channel.Input) {
		fx, err := machines[i].Step(in)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range fx.Messages {
			step(o.To, channel.Received{From: i, Message: o.Message})
		}
	}
	opened := onchain.Opened{ChannelID: b.id, Terms: b.terms}
	for _, final := range []bool{false, true} {
		for _, m := range machines {
			if _, err := m.Step(channel.ChainSeen{Event: opened, Final: final}); err != nil {
				t.Fatal(err)
			}
		}
	}
	step(0, channel.ProposeMatch{Rules: b.rules, Params: toy.Params(0), Seats: []uint8{0, 1}, Stakes: amounts(stake, stake)})
	match := machines[0].Matches()[0]
	step(0, channel.MakeMove{MatchID: match.ID, Turn: 0, Move: toy.Pass(1)})

	c := disputes.Case{
		Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 50, Chain: &disputes.View{}, Evidence: disputes.EvidenceOf(machines[0]),
		Wishes: disputes.Wishes{Demand: map[common.Hash]bool{match.ID: true}},
	}
	c.Chain.Happened(1, opened)
	orders := c.Plan().Orders
	if len(orders) != 1 || len(orders[0].Steps) != 1 {
		t.Fatalf("orders %+v", orders)
	}
	a, ok := orders[0].Steps[0].Action.(onchain.Advance)
	if !ok || a.Support.Last() != 1 || a.Ledger == nil || a.Ledger.Lock(match.ID) == nil || a.Match.ID(b.domain) != match.ID {
		t.Errorf("posted: %+v", orders[0].Steps[0].Action)
	}
}

// What a channel began with is signed by nobody, so that its id must be there.
func TestFirstLedgerIsOfTheChannel(t *testing.T) {
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, 100)
	c := disputes.Case{Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 50, Chain: &disputes.View{}, Wishes: disputes.Wishes{Exit: true}}
	c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	if a := c.Plan().Orders[0].Steps[0].Action.(onchain.ContestLedger); a.Ledger.ChannelID != b.id || a.Ledger.Version != 1 {
		t.Errorf("contests with %+v", a.Ledger)
	}
}
