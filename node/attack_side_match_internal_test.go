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
