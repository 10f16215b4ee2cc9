package house

import (
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// tally sums up what a house has locked, and promised to lock, and how many channels with a player
// wait to be opened.
type tally struct {
	asset  common.Address
	player common.Address
	domain protocol.Domain
	clock  uint64 // the Arena's, by both endpoints
	loan   money.Loan
}

// sum counts each channel once: as accepted until the chain shows it, then until all of it is paid
// out. A promise counts until it can't be kept any more, or the operator has taken it back.
func (t tally) sum(offers []node.Offer, channels []node.Channel) money.Loan {
	seen := map[common.Hash]bool{}
	for i := range channels {
		seen[channels[i].ID] = channels[i].Seen
	}
	promised := map[common.Hash]bool{}
	for i := range offers {
		o := &offers[i]
		id := o.Terms.ID(t.domain)
		if o.State != node.OfferAccepted || seen[id] {
			continue
		}
		if promised[id] = true; !o.TakenBack() {
			t.count(&o.Terms, o.Seat, true)
		}
	}
	for i := range channels {
		if c := &channels[i]; c.Status != node.ChannelEnded && !promised[c.ID] {
			t.count(&c.Terms, c.Seat, !c.Seen)
		}
	}
	return t.loan
}

func (t *tally) count(terms *protocol.Terms, seat int, opening bool) {
	if opening && t.clock > terms.OpenBy {
		return
	}
	t.loan.Channels++
	if opening {
		t.loan.Opening++
	}
	if opening && terms.Players[0] == t.player {
		t.loan.Each++
	}
	if terms.Asset == t.asset {
		t.loan.Locked.Add(&t.loan.Locked, &terms.Deposits[seat])
	}
}
