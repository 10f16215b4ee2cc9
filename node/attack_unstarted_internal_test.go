package node

import (
	"slices"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestAttack_ClockBeatsAgreement_Unstarted: mallory concedes a match whose start he did not sign.
// Alice's tower is given the agreement, though there is no position to go with it, and holds all
// then.
func TestAttack_ClockBeatsAgreement_Unstarted(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, mallory := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, mallory)
	s, key := l.session(alice, id), l.session(mallory, id).signer
	l.must(l.session(mallory, id).step(channel.ProposeMatch{Rules: toyRules, Params: toy.Params(0), Seats: []uint8{0, 1}, Stakes: stakes(1, 1)}))
	mallory.stop() // so that he answers nothing
	l.settle()
	matches := s.machine.Matches()
	if len(matches) != 1 || !matches[0].Locked || matches[0].Rank.Agreed != 0 {
		t.Fatalf("%+v", matches)
	}
	match := matches[0].ID
	a := protocol.Agreement{MatchID: match, Payouts: []uint256.Int{*uint256.NewInt(2), {}}}
	sig, err := key.Sign(a.Digest(alice.domain))
	l.must(err)
	l.must(s.step(channel.Received{From: 1, Message: message.AgreementSignature{Agreement: a, Seat: 1, Signature: sig}}))
	list, unit := s.choose(&message.Holding{})
	if !slices.ContainsFunc(list, func(e message.TowerEvidence) bool {
		return e.Agreement != nil && e.Support == nil && e.MatchID == match
	}) {
		t.Errorf("the tower is given %+v", list)
	}
	if rest, _ := s.choose(unit); len(rest) != 0 {
		t.Errorf("whoever holds all that lacks %+v", rest)
	}
}
