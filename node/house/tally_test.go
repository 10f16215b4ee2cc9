package house

import (
	"testing"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// What a house has locked or promised counts once each, whatever state it is in, and other assets
// take places but no exposure.
func TestTally(t *testing.T) {
	bob, own, token := common.Address{1}, common.Address{2}, common.Address{3}
	domain := protocol.Domain{ChainID: 1}
	terms := func(salt byte, asset common.Address, openBy uint64) protocol.Terms {
		return protocol.Terms{Players: []common.Address{bob, own}, Signers: []common.Address{{4}, {5}}, Asset: asset,
			Deposits: amounts(1, 10), Window: 20, OpenBy: openBy, Salt: common.Hash{salt}}
	}
	in := func(tm protocol.Terms, s node.ChannelStatus, seen bool) node.Channel {
		return node.Channel{ID: tm.ID(domain), Terms: tm, Seat: 1, Status: s, Seen: seen}
	}
	offer := func(tm protocol.Terms, s node.OfferState, by common.Address) node.Offer {
		return node.Offer{Terms: tm, Seat: 1, State: s, By: by}
	}
	const soon, past = 100, 49
	eth := func(salt byte) protocol.Terms { return terms(salt, common.Address{}, soon) }
	for name, c := range map[string]struct {
		offers                         []node.Offer
		channels                       []node.Channel
		count, opening, each, exposure int
	}{
		"accepted":                            {[]node.Offer{offer(eth(1), node.OfferAccepted, common.Address{})}, nil, 1, 1, 1, 10},
		"accepted and founded":                {[]node.Offer{offer(eth(1), node.OfferAccepted, common.Address{})}, []node.Channel{in(eth(1), node.ChannelOpening, false)}, 1, 1, 1, 10},
		"seen":                                {[]node.Offer{offer(eth(1), node.OfferAccepted, common.Address{})}, []node.Channel{in(eth(1), node.ChannelOpening, true)}, 1, 0, 0, 10},
		"taken back":                          {[]node.Offer{offer(eth(1), node.OfferAccepted, own)}, []node.Channel{in(eth(1), node.ChannelOpening, false)}, 0, 0, 0, 0},
		"taken back, and opened all the same": {[]node.Offer{offer(eth(1), node.OfferAccepted, own)}, []node.Channel{in(eth(1), node.ChannelOpen, true)}, 1, 0, 0, 10},
		"open":                                {[]node.Offer{offer(eth(1), node.OfferOpened, common.Address{})}, []node.Channel{in(eth(1), node.ChannelOpen, true)}, 1, 0, 0, 10},
		"closing":                             {nil, []node.Channel{in(eth(1), node.ChannelClosing, true)}, 1, 0, 0, 10},
		"contested":                           {nil, []node.Channel{in(eth(1), node.ChannelContested, true)}, 1, 0, 0, 10},
		"over":                                {nil, []node.Channel{in(eth(1), node.ChannelEnded, true)}, 0, 0, 0, 0},
		"too late to open":                    {[]node.Offer{offer(terms(1, common.Address{}, past), node.OfferAccepted, common.Address{})}, nil, 0, 0, 0, 0},
		"not accepted":                        {[]node.Offer{offer(eth(1), node.OfferOpen, common.Address{}), offer(eth(2), node.OfferDeclined, own)}, nil, 0, 0, 0, 0},
		"another asset":                       {nil, []node.Channel{in(terms(1, token, soon), node.ChannelOpen, true), in(eth(2), node.ChannelOpen, true)}, 2, 0, 0, 10},
	} {
		l := tally{player: bob, domain: domain, clock: past + 1}.sum(c.offers, c.channels)
		if l.Channels != c.count || l.Opening != c.opening || l.Each != c.each || l.Locked.Uint64() != uint64(c.exposure) {
			t.Errorf("%s: %+v", name, l)
		}
	}
	if l := (tally{player: own, domain: domain}).sum([]node.Offer{offer(eth(1), node.OfferAccepted, common.Address{})}, nil); l.Opening != 1 || l.Each != 0 {
		t.Errorf("another player's: %+v", l)
	}
}
