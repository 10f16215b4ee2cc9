package node

import (
	"errors"
	"testing"
	"time"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_LateOpen_Round: a house offers a group its channel, to be opened far later than a
// channel usually is. A player who registered signs that only when the time is near: else the house
// and the others of the group could open it, and have the match begin, when the player is away.
func TestAttack_LateOpen_Round(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for left, want := range map[uint64]OfferState{50: OfferAccepted, 1000: OfferOpen} {
		n := Join(t, nil)
		l.must(n.Wait(t.Context(), func() (bool, error) { return n.blind() == nil, nil }))
		r, o := l.offered(n, common.Address{7})
		o.Terms.OpenBy = n.now() + left
		l.putOffer(n, &o)
		if err := n.tendPlayer(t.Context(), &r); err != nil && !errors.Is(err, ErrUnknownOffer) { // the node did at a block
			t.Error(err)
		}
		if now, err := n.offer(o.ID); err != nil || now.State != want {
			t.Errorf("what can be opened for %d is %s, %v", left, now.State, err)
		}
	}
}

// TestAttack_LateOpen_Invite: who joins an invite offers a channel for it, to be opened far later
// than a channel usually is. It is none that the invite calls for.
func TestAttack_LateOpen_Invite(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for left, want := range map[uint64]OfferState{30: OfferAccepted, 1000: OfferOpen} {
		n, bob := Join(t, nil), common.Address{0xb0}
		l.must(n.Wait(t.Context(), func() (bool, error) { return n.blind() == nil, nil }))
		i := &Invite{ID: common.Hash{1}, Mine: true, State: InviteJoined, With: bob, Agreed: time.Now().Unix(), Negotiations: []Negotiation{{With: bob}}}
		i.Player, i.Rules, i.Params, i.Window, i.Expiry = n.Account(), n.config.Rules["toy"], []byte{1}, 20, uint64(time.Now().Unix()+3600)
		l.must(n.saveInvite(i))
		o, err := n.takeOffer(1, message.OpenOffer{Terms: protocol.Terms{Players: []common.Address{bob, n.Account()}, Signers: []common.Address{{1}, {}},
			Deposits: stakes(0, 0), Window: 20, OpenBy: n.now() + left}})
		l.must(err)
		if err := n.tendInvites(t.Context()); err != nil && !errors.Is(err, ErrUnknownOffer) {
			t.Error(err)
		}
		if now, err := n.offer(o.ID); err != nil || now.State != want {
			t.Errorf("what can be opened for %d is %s, %v", left, now.State, err)
		}
	}
}
