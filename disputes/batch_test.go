package disputes_test

import (
	"testing"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/protocol/protocoltest"
	"github.com/ethereum/go-ethereum/common"
)

// However many matches there are, no transaction is too large for a block or for the chain's nodes
// to pass on, and none is forgotten.
func TestBatchesFitIntoBlocks(t *testing.T) {
	const matches, most, size = 60, 3_000_000, 128*1024 - 512
	steps := 0
	c := overCase(t, matches)
	orders := c.Plan().Orders
	for _, o := range orders {
		steps += len(o.Steps)
		if o.Gas() > most {
			t.Errorf("an order of %d gas", o.Gas())
		}
		action, err := o.Action(c.Domain, protocoltest.Key("anybody"))
		if err != nil {
			t.Fatal(err)
		}
		call, err := codec.New(c.Domain).Encode(action)
		if err != nil || len(call.Data) > size {
			t.Errorf("a transaction of %d bytes: %v", len(call.Data), err)
		}
	}
	if steps != matches+1 || len(orders) < 2 {
		t.Errorf("%d steps in %d orders, want %d steps in several", steps, len(orders), matches+1)
	}
}

// overCase is the case of a seat that wants out of a channel with so many matches that are over.
func overCase(t *testing.T, matches int) *disputes.Case {
	t.Helper()
	b := newBoard(protocol.Domain{ChainID: 1, Arena: common.Address{19: 1}}, common.Address{19: 2}, 2, 100, uint64(matches))
	c := disputes.Case{
		Domain: b.domain, Terms: b.terms, Rules: b.find, Now: 50, Chain: &disputes.View{},
		Evidence: disputes.Evidence{Matches: map[common.Hash]disputes.Match{}},
		Wishes:   disputes.Wishes{Exit: true},
	}
	var all []*match
	for i := range matches {
		m := b.match(2<<8|uint64(i), []uint8{0, 1}, toy.Params(0), 1, 1).play(toy.Win(0))
		all = append(all, m)
	}
	c.Ledger = b.ledger(2, false, []uint64{0, 0}, all...)
	for _, m := range all {
		c.Matches[m.id] = disputes.Match{Terms: m.terms, Ledger: c.Ledger, Support: m.support(1, 1, m.all(1))}
	}
	c.Chain.Happened(1, onchain.Opened{ChannelID: b.id, Terms: b.terms})
	return &c
}
