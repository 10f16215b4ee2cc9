package node

import (
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
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
