package node

import (
	"errors"
	"reflect"
	"testing"

	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestAttack_OfferFlood_Bids: accounts that bid too little for an invite, or do not go on once
// their bid is agreed to, take all its places. A bid in its range finds one all the same: that of
// who bid too little comes first.
func TestAttack_OfferFlood_Bids(t *testing.T) {
	t.Parallel()
	for low, want := range map[int]int{0: 0, maxNegotiations: 0, maxNegotiations - 2: 2} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
		i := l.invite(alice, 1, nil)
		for k := range byte(maxNegotiations) {
			other := common.Address{9, k}
			b := Negotiation{With: other, Bids: bids(other, 3)}
			if int(k) < maxNegotiations-low {
				b.Bids = bids(other, 5, 5)
			}
			i.Negotiations = append(i.Negotiations, b)
		}
		l.must(alice.saveInvite(i))
		l.must(alice.receiveBid(bob.Account(), message.Bid{InviteID: i.ID, Number: 1, Stake: i.Least}))
		now, err := alice.invite(i.ID)
		l.must(err)
		if b := now.negotiation(bob.Account()); b == nil || !b.bound() || now.Negotiations[want].Ended == "" || len(now.live()) != maxNegotiations {
			t.Errorf("%d bid too little: %+v", low, now.Negotiations)
		}
	}
}

// TestAttack_OfferFlood_Bargain: this player bargains with somebody about a stake outside of an
// invite's range. Accounts that bid within it, and don't go on, push out each other and not that.
func TestAttack_OfferFlood_Bargain(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, carol := l.node(nil), common.Address{8}
	i := l.invite(alice, 1, nil)
	i.Negotiations = []Negotiation{{With: carol, Bids: bids(carol, 3, 4)}}
	for k := range byte(maxNegotiations - 1) {
		i.Negotiations = append(i.Negotiations, Negotiation{With: common.Address{9, k}, Bids: bids(common.Address{9, k}, 5, 5)})
	}
	l.must(alice.saveInvite(i))
	bob := common.Address{7}
	_, _, err := alice.takeBid(bob, message.Bid{InviteID: i.ID, Number: 1, Stake: i.Least})
	l.must(err)
	now, err := alice.invite(i.ID)
	l.must(err)
	if now.negotiation(carol).Ended != "" || now.negotiation(bob) == nil || now.Negotiations[1].Ended == "" {
		t.Errorf("%+v", now.Negotiations)
	}
}

// squat has an account bid in an invite's range, as the node answers at once, and then go on to a
// stake out of it.
func (l *lab) squat(n *Node, i *Invite, by common.Address, then ...uint64) {
	l.t.Helper()
	_, _, err := n.takeBid(by, message.Bid{InviteID: i.ID, Number: 1, Stake: i.Least})
	l.must(err)
	l.must(n.placeBid(i.ID, by, &i.Least, 1))
	for k, stake := range stakes(then...) {
		_, _, err := n.takeBid(by, message.Bid{InviteID: i.ID, Number: uint32(2 + k), Stake: stake})
		l.must(err)
	}
}

// TestAttack_OfferFlood_Squatters: accounts in one place of the network bid within an invite's
// range for all its places, are answered at once, don't go on, and hang up. Who bids out of the
// range from elsewhere finds a place all the same, and whose bid in it was there before keeps its
// own.
func TestAttack_OfferFlood_Squatters(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice := l.node(nil)
	at := &leaving{Network: alice.net}
	alice.net = at
	i := l.invite(alice, 1, nil)
	honest, bob := common.Address{8}, common.Address{7}
	l.squat(alice, i, honest)
	for k := range byte(2 * maxNegotiations) {
		l.squat(alice, i, common.Address{9, k})
	}
	at.gone = true
	l.squat(alice, i, common.Address{9, 0xff})
	at.gone = false
	if now, err := alice.invite(i.ID); err != nil || now.negotiation(common.Address{9, 0xff}).Group != hungUp {
		t.Errorf("who has hung up is noted as %+v, %v", now, err)
	}
	if _, _, err := alice.takeBid(bob, message.Bid{InviteID: i.ID, Number: 1, Stake: *uint256.NewInt(3)}); err != nil {
		t.Errorf("who bids from elsewhere: %v", err)
	}
	now, err := alice.invite(i.ID)
	l.must(err)
	for _, other := range []common.Address{honest, bob} {
		if b := now.negotiation(other); b == nil || b.Ended != "" {
			t.Errorf("%s has no place: %+v", other, b)
		}
	}
}

// leaving is a grouped network of which all others are gone at times.
type leaving struct {
	Network
	gone bool
}

func (n *leaving) Group(account common.Address) string {
	if n.gone {
		return ""
	}
	return grouped{}.Group(account)
}

// TestAttack_OfferFlood_Answered: accounts bid within an invite's range and, once the node has
// answered by itself, out of it. That makes no bargain of the player's: they push out neither the
// one that is, nor who waits for an answer within the range.
func TestAttack_OfferFlood_Answered(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice := l.node(nil)
	alice.net = grouped{alice.net}
	carol, honest := common.Address{8}, common.Address{7}
	i := l.invite(alice, 1, func(i *Invite) { i.Negotiations = []Negotiation{{With: carol, Bids: bids(carol, 3, 4)}} })
	l.squat(alice, i, honest)
	for k := range byte(3 * maxNegotiations) {
		l.squat(alice, i, common.Address{9 + k}, 3)
	}
	now, err := alice.invite(i.ID)
	l.must(err)
	for _, other := range []common.Address{carol, honest} {
		if b := now.negotiation(other); b.Ended != "" {
			t.Errorf("%s has no place: %+v", other, b)
		}
	}
}

// TestAttack_OfferFlood_Told: what the node answers by itself gives nobody the right to tell the
// user of another bid. Each of those is paid for; what answers the user's own bid needs not be.
func TestAttack_OfferFlood_Told(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), common.Address{8}
	i := l.invite(alice, 1, nil)
	l.squat(alice, i, bob)
	for alice.allows(alice.budgets.told, bob) {
	}
	bid := func(number uint32, stake uint64) {
		t.Helper()
		_, _, err := alice.takeBid(bob, message.Bid{InviteID: i.ID, Number: number, Stake: *uint256.NewInt(stake)})
		l.must(err)
	}
	bid(2, 3)
	bid(3, 5)
	l.must(alice.placeBid(i.ID, bob, &i.Least, 3))
	bid(4, 3)
	if texts := l.events(alice, InviteBid); len(texts) != 0 {
		t.Errorf("the user is told %q", texts)
	}
	l.must(alice.placeBid(i.ID, bob, uint256.NewInt(4), 0))
	bid(5, 3)
	if texts := l.events(alice, InviteBid); len(texts) != 1 {
		t.Errorf("of the answer to its own bid the user is told %q", texts)
	}
}

// TestAttack_OfferFlood_Agreed: while the user's agreement to a bid out of an invite's range is on
// its way, others bid in its range, and do not go on. They take one another's places, and not that
// of who was agreed with.
func TestAttack_OfferFlood_Agreed(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice := l.node(nil)
	bob := common.Address{8}
	i := l.invite(alice, 1, func(i *Invite) { i.Negotiations = []Negotiation{{With: bob, Bids: bids(bob, 3, 3)}} })
	for k := range byte(2 * maxNegotiations) {
		bid := message.Bid{InviteID: i.ID, Number: 1, Stake: i.Least}
		_, _, err := alice.takeBid(common.Address{9, k}, bid)
		l.must(err)
		l.must(alice.placeBid(i.ID, common.Address{9, k}, &i.Least, 1))
	}
	now, err := alice.invite(i.ID)
	l.must(err)
	if b := now.negotiation(bob); b.Ended != "" || len(now.live()) != maxNegotiations {
		t.Errorf("%+v of %d", b, len(now.live()))
	}
}

// TestAttack_OfferFlood_Bidders: accounts in one place of the network bid out of an invite's range,
// and hold all its places. Who bids so from elsewhere finds one, and keeps it; but none of those
// with whom the user agreed makes room.
func TestAttack_OfferFlood_Bidders(t *testing.T) {
	t.Parallel()
	for _, agreed := range []bool{false, true} {
		l := newLab(t)
		alice := l.node(nil)
		alice.net = grouped{alice.net}
		i := l.invite(alice, 1, func(i *Invite) {
			for k := range byte(maxNegotiations) {
				b := Negotiation{With: common.Address{9, k}, Group: "\x09", Bids: bids(common.Address{9, k}, 1)}
				if agreed {
					b.Bids = bids(b.With, 1, 1)
				}
				i.Negotiations = append(i.Negotiations, b)
			}
		})
		bid := message.Bid{InviteID: i.ID, Number: 1, Stake: *uint256.NewInt(4)}
		for k := range byte(2 * maxNegotiations) {
			_, _, err := alice.takeBid(common.Address{7 + 2*min(k, 1), k}, bid)
			if found := k == 0 && !agreed; (err == nil) != found {
				t.Errorf("agreed %t, bid %d: %v", agreed, k, err)
			}
		}
		now, err := alice.invite(i.ID)
		l.must(err)
		if b := now.negotiation(common.Address{7}); (b != nil && b.Ended == "") == agreed || len(now.live()) != maxNegotiations {
			t.Errorf("agreed %t: %+v of %d", agreed, b, len(now.live()))
		}
	}
}

// TestBidsOfNoGroup: bidders of whom an older program noted no group are no crowd, and no place of
// theirs is for who bids out of an invite's range. Those who hang up at once are one.
func TestBidsOfNoGroup(t *testing.T) {
	t.Parallel()
	for _, group := range []string{"", hungUp} {
		l := newLab(t)
		n := l.node(nil)
		n.net = grouped{n.net}
		i := l.invite(n, 1, func(i *Invite) {
			for k := range byte(maxNegotiations) {
				i.Negotiations = append(i.Negotiations, Negotiation{With: common.Address{9, k}, Group: group, Bids: bids(common.Address{9, k}, 1)})
			}
		})
		_, _, err := n.takeBid(common.Address{7}, message.Bid{InviteID: i.ID, Number: 1, Stake: *uint256.NewInt(4)})
		if (err == nil) != (group == hungUp) {
			t.Errorf("of group %q: %v", group, err)
		}
	}
}

// TestBidderWhoMoves: a bid is taken from where its bidder is when it comes, though it moves to
// where others hold all places meanwhile.
func TestBidderWhoMoves(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice := l.node(nil)
	alice.net = &moving{Network: alice.net, groups: []string{"\x07"}}
	i := l.invite(alice, 1, func(i *Invite) {
		for k := range byte(maxNegotiations) {
			i.Negotiations = append(i.Negotiations, Negotiation{With: common.Address{9, k}, Group: "\x09", Bids: bids(common.Address{9, k}, 1)})
		}
	})
	_, _, err := alice.takeBid(common.Address{7}, message.Bid{InviteID: i.ID, Number: 1, Stake: *uint256.NewInt(4)})
	l.must(err)
	now, err := alice.invite(i.ID)
	l.must(err)
	if b := now.negotiation(common.Address{7}); b.Group != "\x07" || len(now.live()) != maxNegotiations {
		t.Errorf("%+v of %d", b, len(now.live()))
	}
}

// moving is a network in which an account is in these groups, one after the other, and then in
// \x09.
type moving struct {
	Network
	groups []string
}

func (n *moving) Group(common.Address) string {
	if len(n.groups) == 0 {
		return "\x09"
	}
	group := n.groups[0]
	n.groups = n.groups[1:]
	return group
}

// TestEndedInThoseWords: who ends a negotiation in the words in which a place is taken away has
// ended it for good.
func TestEndedInThoseWords(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	bob := common.Address{9}
	i := l.invite(n, 1, func(i *Invite) { i.Negotiations = []Negotiation{{With: bob, Bids: bids(bob, 3, 4)}} })
	var other Negotiation
	other.displace()
	l.must(n.receiveEnd(bob, message.EndBids{InviteID: i.ID, Reason: other.Ended}))
	if _, _, err := n.takeBid(bob, message.Bid{InviteID: i.ID, Number: 2, Stake: *uint256.NewInt(4), Agrees: 1}); !errors.Is(err, ErrUnknownInvite) {
		t.Errorf("it bids again: %v", err)
	}
}

// TestBidsToTheDisplaced: while somebody with whom the user bargains has no place, the user's bid
// can be replaced; who comes back and agrees to the older one has no agreement.
func TestBidsToTheDisplaced(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	g := l.guest(n)
	bob := g.Address()
	i := l.invite(n, 1, func(i *Invite) {
		i.Negotiations = []Negotiation{{With: bob, Bids: bids(bob, 3, 4)}}
		for k := range byte(maxNegotiations - 1) {
			i.Negotiations = append(i.Negotiations, Negotiation{With: common.Address{9, k}, Bids: bids(common.Address{9, k}, 3, 4)})
		}
	})
	_, _, err := n.takeBid(common.Address{8}, message.Bid{InviteID: i.ID, Number: 1, Stake: i.Least})
	l.must(err)
	now, err := n.invite(i.ID)
	l.must(err)
	if b := now.negotiation(bob); b.Ended == "" || !now.MayBid(b) || now.Waits(b) {
		t.Errorf("may bid %t, waits %t: %+v", now.MayBid(b), now.Waits(b), b)
	}
	l.must(n.placeBid(i.ID, bob, uint256.NewInt(6), 0))
	want := message.Bid{InviteID: i.ID, Number: 2, Stake: *uint256.NewInt(6)}
	l.must(n.resendBids(bob))
	if heard := g.told(); !reflect.DeepEqual(heard, []message.Message{want, want}) {
		t.Errorf("bob hears %v", heard)
	}
	l.must(n.endNegotiation(i.ID, common.Address{9, 0}, "no"))
	_, _, err = n.takeBid(bob, message.Bid{InviteID: i.ID, Number: 2, Stake: *uint256.NewInt(4), Agrees: 1})
	l.must(err)
	if now, err = n.invite(i.ID); err != nil || now.State != InviteOpen || now.negotiation(bob).Ended != "" {
		t.Errorf("the invite is %s, %+v, %v", now.State, now.negotiation(bob), err)
	}
}
