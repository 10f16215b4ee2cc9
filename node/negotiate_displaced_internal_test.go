package node

import (
	"errors"
	"strings"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport/memory"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// displaced is an invite of alice's for which carol, with another node, has bid 2 and then 3. Of
// others who bid within its range, and do not go on, one has taken her place.
type displaced struct {
	*lab
	alice, carol *Node
	invite       *Invite
	others       byte
}

func newDisplaced(t *testing.T) *displaced {
	t.Helper()
	d := &displaced{lab: newLab(t)}
	d.alice = d.node(nil)
	d.invite = d.lab.invite(d.alice, 1, nil)
	d.carol = d.bidder(d.invite, d.alice)
	d.bids(d.carol, d.alice, 2)
	d.bids(d.carol, d.alice, 3)
	d.crowd(maxNegotiations)
	if b := d.with(d.carol.Account()); !b.Displaced || len(b.Bids) != 1 {
		t.Fatalf("carol has a place: %+v", b)
	}
	return d
}

// crowd has others bid within the invite's range.
func (d *displaced) crowd(count int) {
	d.t.Helper()
	for range count {
		d.others++
		d.squat(d.alice, d.invite, common.Address{9, d.others})
	}
}

// bids has one of the two bid, and the other hear of it.
func (d *displaced) bids(n, to *Node, stake uint64) {
	d.t.Helper()
	d.must(n.placeBid(d.invite.ID, to.Account(), uint256.NewInt(stake), 0))
	d.settle()
}

func (d *displaced) with(account common.Address) *Negotiation {
	d.t.Helper()
	i, err := d.alice.invite(d.invite.ID)
	d.must(err)
	return i.negotiation(account)
}

// states fails unless the invite is in these states, with alice and with carol.
func (d *displaced) states(alice, carol InviteState) {
	d.t.Helper()
	if a, c := d.state(d.alice, d.invite.ID), d.state(d.carol, d.invite.ID); a != alice || c != carol {
		d.t.Errorf("the invite is %s, with carol %s: %+v", a, c, d.with(d.carol.Account()))
	}
}

// TestAttack_OfferFlood_Agrees: who has lost its place to others and agrees to what the user bids
// needs no place for that: it ends all other negotiations.
func TestAttack_OfferFlood_Agrees(t *testing.T) {
	t.Parallel()
	d := newDisplaced(t)
	d.bids(d.alice, d.carol, 4)
	d.bids(d.carol, d.alice, 4)
	d.states(InviteJoined, InviteJoined)
	if live := d.with(common.Address{9, d.others}); live.Ended == "" || len(d.events(d.alice, InviteAgreed)) != 1 {
		t.Errorf("who has its place: %+v", live)
	}
}

// TestAttack_OfferFlood_Numbers: so many others bid for an invite that some are forgotten. Somebody
// to whom the user bid is not, and can agree to that.
func TestAttack_OfferFlood_Numbers(t *testing.T) {
	t.Parallel()
	d := newDisplaced(t)
	d.bids(d.alice, d.carol, 4)
	d.crowd(keptNegotiations)
	if i, err := d.alice.invite(d.invite.ID); err != nil || len(i.Negotiations) != keptNegotiations {
		t.Errorf("of %d, %v", len(i.Negotiations), err)
	}
	d.bids(d.carol, d.alice, 4)
	d.states(InviteJoined, InviteJoined)
}

// TestAttack_OfferFlood_Lost: so many others bid for an invite within its range that somebody is
// forgotten to whom the node has agreed by itself, and whose confirmation was lost. That one
// repeats it, and plays.
func TestAttack_OfferFlood_Lost(t *testing.T) {
	t.Parallel()
	d := &displaced{lab: newLab(t)}
	d.alice = d.node(nil)
	d.invite = d.lab.invite(d.alice, 1, nil)
	d.carol = d.bidder(d.invite, d.alice)
	d.must(d.carol.placeBid(d.invite.ID, d.alice.Account(), &d.invite.Least, 0))
	for b := d.with(d.carol.Account()); b == nil || !b.bound(); b = d.with(d.carol.Account()) {
		d.net.Step()
	}
	d.net.SetFaults(memory.Faults{Lost: 1000})
	d.settle()
	d.net.SetFaults(memory.Faults{})
	d.crowd(keptNegotiations)
	if b := d.with(d.carol.Account()); b != nil {
		t.Fatalf("carol is remembered: %+v", b)
	}
	d.later(d.carol)
	d.states(InviteJoined, InviteJoined)
}

// TestForgottenBids: who agrees to a bid that this side has forgotten is answered, as far as there
// are numbers left for that, and else refused.
func TestForgottenBids(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice := l.node(nil)
	i := l.invite(alice, 1, nil)
	for agrees, want := range map[uint32]uint32{1: 3, maxBids - 2: maxBids, maxBids - 1: 0, maxNumber: 0} {
		bob := common.Address{byte(agrees)}
		_, _, err := alice.takeBid(bob, message.Bid{InviteID: i.ID, Number: 1, Stake: i.Least, Agrees: agrees})
		now, _ := alice.invite(i.ID)
		b := now.negotiation(bob)
		if want == 0 {
			if b != nil || !errors.Is(err, ErrUnknownInvite) {
				t.Errorf("who agrees to %d: %+v, %v", agrees, b, err)
			}
			continue
		}
		if l.must(err); !now.Waits(b) {
			t.Errorf("who agrees to %d is not answered", agrees)
		}
		l.must(alice.placeBid(i.ID, bob, &i.Least, 1))
		if now, _ = alice.invite(i.ID); now.negotiation(bob).mine().Number != want {
			t.Errorf("who agrees to %d is answered: %+v", agrees, now.negotiation(bob).mine())
		}
	}
}

// TestAttack_OfferFlood_Twice: a bid that has lost its place and comes back is paid for once, and
// the user hears of it, however little its sender may still have told.
func TestAttack_OfferFlood_Twice(t *testing.T) {
	t.Parallel()
	d := newDisplaced(t)
	for d.alice.allows(d.alice.budgets.told, d.carol.Account()) {
	}
	heard := len(d.events(d.alice, InviteBid))
	d.must(d.alice.endNegotiation(d.invite.ID, common.Address{9, d.others}, "no"))
	d.later(d.carol) // one more may be told by now
	if b := d.with(d.carol.Account()); b.Ended != "" || len(d.events(d.alice, InviteBid)) != heard+1 {
		t.Errorf("%+v, the user hears %q", b, d.events(d.alice, InviteBid))
	}
}

// TestDisplacedWhoEnd: who has no place and ends the negotiation has ended it.
func TestDisplacedWhoEnd(t *testing.T) {
	t.Parallel()
	d := newDisplaced(t)
	d.must(d.carol.CancelInvite(d.invite.ID, "too dear"))
	d.settle()
	d.states(InviteOpen, InviteCancelled)
	if b := d.with(d.carol.Account()); !b.over() || b.Ended != "too dear" {
		t.Errorf("%+v", b)
	}
	if err := d.alice.placeBid(d.invite.ID, d.carol.Account(), uint256.NewInt(4), 0); !errors.Is(err, ErrUnknownInvite) {
		t.Errorf("alice bids: %v", err)
	}
}

// TestDisplacedAreTold: who has no place is told like all others when an invite ends, or a stake is
// agreed on with somebody else.
func TestDisplacedAreTold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(d *displaced) error
		want InviteState
	}{
		"cancelled": {func(d *displaced) error { return d.alice.CancelInvite(d.invite.ID, "") }, InviteCancelled},
		"joined": {func(d *displaced) error {
			_, _, err := d.alice.takeBid(common.Address{9, d.others}, message.Bid{InviteID: d.invite.ID, Number: 2, Stake: d.invite.Least, Agrees: 1})
			return err
		}, InviteJoined},
	} {
		d := newDisplaced(t)
		d.bids(d.alice, d.carol, 4)
		if err := c.end(d); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		d.settle()
		d.states(c.want, InviteEnded)
		if b := d.with(d.carol.Account()); !b.over() {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

// TestAgreementsWithTheDisplaced: the user who agrees to a bid that has lost its place meanwhile
// hears that it has, and may bid as much: whoever bid it agrees by itself.
func TestAgreementsWithTheDisplaced(t *testing.T) {
	t.Parallel()
	d := newDisplaced(t)
	err := d.alice.placeBid(d.invite.ID, d.carol.Account(), uint256.NewInt(3), 2)
	if !errors.Is(err, channel.ErrStale) || !strings.Contains(err.Error(), "has taken the place") {
		t.Errorf("alice agrees: %v", err)
	}
	d.bids(d.alice, d.carol, 3)
	d.states(InviteJoined, InviteJoined)

	d = newDisplaced(t)
	d.bids(d.alice, d.carol, 2) // what carol has replaced since
	if i, err := d.alice.invite(d.invite.ID); err != nil || !i.MayBid(i.negotiation(d.carol.Account())) {
		t.Errorf("alice agreed to a bid that was replaced: %v", err)
	}
	d.bids(d.carol, d.alice, 2)
	d.states(InviteJoined, InviteJoined)
}

// TestWhichNegotiationIsForgotten: the oldest that is over goes first, then one that has no place;
// one that has a place stays, and one in which the user has bid.
func TestWhichNegotiationIsForgotten(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	i := l.invite(l.node(nil), 1, nil)
	add := func(k byte, ended string, stakes ...uint64) {
		with := common.Address{9, k}
		i.Negotiations = append(i.Negotiations, Negotiation{With: with, Bids: bids(with, stakes...), Ended: ended})
	}
	add(0, "", 5, 5)
	for k := range byte(3) {
		add(1+k, "", [][]uint64{{3, 4}, {5, 5}, {3}}[k]...)
		i.Negotiations[1+k].displace()
	}
	add(4, "over", 3, 4)
	add(5, "over", 3)
	for _, want := range []byte{4, 5, 2, 3} {
		if !i.forget() || i.negotiation(common.Address{9, want}) != nil {
			t.Errorf("%d is not forgotten: %+v", want, i.Negotiations)
		}
	}
	if i.forget() || len(i.Negotiations) != 2 {
		t.Errorf("left are %+v", i.Negotiations)
	}
}
