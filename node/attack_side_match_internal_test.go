package node

import (
	"strings"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestAttack_SybilPair_SideMatch: in the channel of a subsidised pair one of the two proposes
// another match that the house's policy takes. What the house gets in that would count as what the
// round has brought, and the subsidy as never spent, so that it is paid again and again.
func TestAttack_SybilPair_SideMatch(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	house, carol := l.node(nil), l.node(nil)
	r, g, subsidy := l.pair(house, carol)
	l.putOffer(house, &Offer{ID: g.Offer, State: OfferOpened, Terms: l.session(house, g.Channel).terms})
	r.Groups = []RoundGroup{g}
	l.putRound(house, &r)
	s := l.session(carol, g.Channel) // whose turn to propose is first
	l.must(s.step(channel.ProposeMatch{
		Rules: toyRules, Params: toy.Params(0), Seats: []uint8{games.House, 2}, Stakes: stakes(subsidy, subsidy),
	}))
	l.settle()
	if list := house.Matches(); len(list) != 0 {
		t.Errorf("the house plays %s there", list[0].Game)
	}
	l.must(house.proposeRound(&r, &g))
	l.settle()
	if list := house.Matches(); len(list) != 1 || list[0].Game != r.Game {
		t.Errorf("the house plays %d matches there", len(list))
	}
}

// TestAttack_SybilPair_Apart: in the channel of a subsidised pair the two lock all that they have
// in a match of their own before the house proposes the one that was drawn. That could never be
// locked then, nor the channel be closed, as long as the two like: the subsidy would be locked with
// it.
func TestAttack_SybilPair_Apart(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	house, carol := l.node(nil), l.node(nil)
	r, g, _ := l.pair(house, carol)
	r.Groups = []RoundGroup{g}
	l.putRound(house, &r)
	s := l.session(carol, g.Channel) // whose turn to propose is first
	l.must(s.step(channel.ProposeMatch{Rules: toyRules, Params: toy.Params(0), Seats: []uint8{1, 2}, Stakes: stakes(400, 400)}))
	l.settle()
	l.must(house.tendGroup(t.Context(), &r, 0, g))
	l.settle()
	if list := house.Matches(); len(list) != 1 || list[0].Game != r.Game {
		t.Errorf("the house plays %d matches there", len(list))
	}
}

// TestAttack_CheapMatch_Round: two players register for a round with less than it costs to enforce
// their match. Their channel is not opened at the house's gas: the match could not be proposed in
// it, and the subsidy would be locked for as long as they like.
func TestAttack_CheapMatch_Round(t *testing.T) {
	t.Parallel()
	two, three := playerKey(t, 2).Address(), playerKey(t, 3).Address()
	for least, why := range map[uint64]string{1000: "too few players still have their stake", 1001: "the stakes sum to"} {
		l := newLab(t)
		house := l.node(func(c *Config) { c.Policy.AnyStake, c.Policy.LeastStake = false, *uint256.NewInt(least) })
		told := Join(t, nil).drive
		house.drive.Arena, house.drive.Client = told.Arena, told.Client
		r := pairsBy(t, house, house.Account())
		r.Named = []common.Address{two, three}
		r.Groups = []RoundGroup{{Players: []matchmaking.Registration{bets(two, 400), bets(three, 400)}, State: GroupDrawn}}
		l.putRound(house, &r)
		l.must(house.offerGroup(t.Context(), &r, 0))
		now, err := house.Round(r.ID)
		l.must(err)
		if g := now.Groups[0]; !strings.Contains(g.Reason, why) {
			t.Errorf("for at least %d it is %s: %q", least, g.State, g.Reason)
		}
	}
}
