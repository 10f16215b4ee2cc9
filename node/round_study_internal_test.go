package node

import (
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ethereum/go-ethereum/common"
)

// TestTimeForStudy: a house opens no channel while the players of a round study what they play for,
// and has all the time for it afterwards that it has without.
func TestTimeForStudy(t *testing.T) {
	t.Parallel()
	const begins, late = 110 + 30, 110 + 30 + 2*20 + 1
	two, three := playerKey(t, 2).Address(), playerKey(t, 3).Address()
	for name, c := range map[string]struct {
		block uint64
		left  uint64
		want  GroupState
	}{
		"when it is drawn":  {121, 19, GroupDrawn},
		"while they study":  {begins - 1, 1, GroupDrawn},
		"when they have":    {begins, 0, GroupOffered},
		"as late as may be": {late - 1, 0, GroupOffered},
		"later":             {late, 0, GroupDropped},
	} {
		l := newLab(t)
		n := l.node(nil)
		r := pairsBy(t, n, n.Account())
		r.Terms.Study = 30
		r.ID = r.Terms.ID(n.domain)
		r.Named, r.Draw, r.Seal = []common.Address{two, three}, common.Hash{1}, sign(t, 1, r.ID)
		r.Groups = []RoundGroup{{Players: []matchmaking.Registration{bets(two, 400), bets(three, 400)}, State: GroupDrawn}}
		l.putRound(n, &r)
		l.putOffer(n, &Offer{ID: common.Hash{3}, State: OfferOpen, Memo: roundMemo(r.ID), Terms: protocol.Terms{Players: []common.Address{n.Account(), two, three}}})
		n.head.block.Number = c.block
		l.must(n.tendHouse(t.Context(), &r))
		now, err := n.Round(r.ID)
		l.must(err)
		if now.Groups[0].State != c.want || now.StudyLeft(c.block) != c.left {
			t.Errorf("%s: %s, %d blocks are left", name, now.Groups[0].State, now.StudyLeft(c.block))
		}
		now.Draw = common.Hash{}
		if left := now.StudyLeft(c.block); left != 0 {
			t.Errorf("%s: %d blocks are left to study what is not drawn", name, left)
		}
	}
}
