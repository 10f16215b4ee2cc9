package house_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/sumscows"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/house"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Two players lock a match of their own in the channel that they have with a house, and never end
// it: the house's deposit would be locked with that for as long as they like, since by consent no
// channel is closed in which a match is locked.
func TestAttack_FrozenHouse_Apart(t *testing.T) {
	_, h, keeper, players := openWith(t, 2, `{"channels":5,"exposure":"2eth","deposit":"0.5eth","idle":"1h","games":{"mastermind":{"stake":"0.1eth"}}}`, time.Now)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	one, other := players[0], players[1]
	must(t, dev.Connect(ctx, one, other))
	each := *uint256.NewInt(1e17)
	offer, err := one.Offer(ctx, node.OpenRequest{Peers: []common.Address{h.Account(), other.Account()}, Deposits: []uint256.Int{each, each, each}, Window: 20})
	must(t, err)
	must(t, other.Wait(ctx, func() (bool, error) { list, err := other.Offers(); return len(list) == 1, err }))
	must(t, other.Accept(ctx, offer))
	c, err := one.Opened(ctx, offer)
	must(t, err)
	for _, n := range []*node.Node{h, other} {
		must(t, n.Wait(ctx, func() (bool, error) { c, err := n.Channel(c.ID); return c.Status == node.ChannelOpen, err }))
	}
	must(t, one.Propose(c.ID, node.MatchRequest{Game: "mastermind", Seats: []uint8{0, 2}, Stakes: []uint256.Int{each}}))
	must(t, one.Wait(ctx, func() (bool, error) { return len(one.Proposed()) == 0 || len(other.Proposals()) > 0, nil }))
	for _, p := range other.Proposals() {
		must(t, other.Approve(p.Channel, p.Version))
	}
	must(t, one.Wait(ctx, func() (bool, error) { return len(one.Proposed()) == 0, nil }))
	for _, m := range one.Matches() {
		must(t, h.Wait(ctx, func() (bool, error) { c, err := h.Channel(m.Channel); return len(c.Ledger.Locks) == 1, err }))
	}
	keeper.Sweep(time.Unix(1e9, 0))
	keeper.Sweep(time.Unix(1e9, 0).Add(2 * time.Hour))
	if c, err := h.Channel(c.ID); err != nil || c.Status == node.ChannelOpen {
		t.Errorf("the house's deposit stays locked: %v", err)
	}
}

// A player asks a house for a channel with a seat more than its games have: which of them would
// play is not known, and nobody but the house would deposit anything.
func TestAttack_OneSided_Seats(t *testing.T) {
	catalog := games.Catalog{sumscows.Game()}
	p, err := house.Parse([]byte(policy), catalog)
	must(t, err)
	err = p.Offer(catalog, protocol.Terms{Window: 20, Deposits: stakes(0, 5e17, 0)}, 1, money.Loan{})
	if err == nil || !strings.Contains(err.Error(), "sums-and-cows is for 2 players") {
		t.Errorf("a channel for three: %v", err)
	}
}
