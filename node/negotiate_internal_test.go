package node

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestBidsThatComeAgain: a bid that came before is answered only where the newest of this side
// agrees to it; one that was replaced before it came is of no account; and two of one number are
// refused.
func TestBidsThatComeAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		number, stake uint64
		ended         string
		ok            bool
		answers       int
	}{
		"the newest again": {2, 5, "", true, 1}, "the first again": {1, 3, "", true, 0}, "another of that number": {2, 4, "", false, 0},
		"another that was replaced": {1, 4, "", true, 0}, "no number": {0, 3, "", true, 0}, "it is over": {2, 5, "over", false, 0},
	} {
		l := newLab(t)
		n := l.node(nil)
		g := l.guest(n)
		i := l.invite(n, 1, func(i *Invite) {
			i.Negotiations = []Negotiation{{With: g.Address(), Bids: bids(g.Address(), 3, 9, 5, 5), Ended: c.ended}}
		})
		_, _, err := n.takeBid(g.Address(), message.Bid{InviteID: i.ID, Number: uint32(c.number), Stake: *uint256.NewInt(c.stake)})
		if heard := g.told(); (err == nil) != c.ok || len(heard) != c.answers {
			t.Errorf("%s: %v, %v", name, heard, err)
		}
	}
}

// TestWhoBidsTooOften: who bids for one invite after another is told to wait, however few bid; and
// of negotiations that are over a bounded number is remembered, the oldest of which goes.
func TestWhoBidsTooOften(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	bob := common.Address{9}
	old := func(i *Invite, count byte) {
		for k := range count {
			i.Negotiations = append(i.Negotiations, Negotiation{With: common.Address{1, k}, Ended: "over"})
		}
		i.Negotiations[0].Ended = ""
	}
	for count, want := range map[byte]int{keptNegotiations - 1: keptNegotiations - 1, keptNegotiations: keptNegotiations - 1} {
		i := l.invite(n, 1, func(i *Invite) { old(i, count) })
		if err := n.mayBid(i, nil, &Bid{By: bob, Number: 1}, ""); err != nil || len(i.Negotiations) != want || i.negotiation(common.Address{1, 0}) == nil ||
			(i.negotiation(common.Address{1, 1}) == nil) != (count == keptNegotiations) || i.negotiation(common.Address{1, 2}) == nil {
			t.Errorf("of %d negotiations %d are kept, %v", count, len(i.Negotiations), err)
		}
	}
	for n.allows(n.budgets.told, bob) {
	}
	if err := n.mayBid(l.invite(n, 1, nil), nil, &Bid{By: bob, Number: 1}, ""); !errors.Is(err, ErrBusy) {
		t.Errorf("one more: %v", err)
	}
}

// bidder has another node join an invite of a node's, without having bid yet.
func (l *lab) bidder(i *Invite, of *Node) *Node {
	l.t.Helper()
	n := l.node(nil)
	l.channel(common.Address{}, []uint64{9, 9}, of, n)
	of.whole, n.whole = false, false // what follows from an agreement needs the chain
	l.invite(n, i.ID[0], func(i *Invite) {
		i.Mine, i.Player, i.Negotiations = false, of.Account(), []Negotiation{{With: of.Account()}}
	})
	return n
}

// later has a node repeat what is due after a minute.
func (l *lab) later(n *Node) {
	l.t.Helper()
	l.now = l.now.Add(time.Minute)
	l.must(n.tendInvites(l.t.Context()))
	l.settle()
}

// TestBidsOfWhoAsksTooMuch: a bid that is taken, of somebody on whose account the chain was asked
// too much, waits, and is answered once it is repeated; the user hears nothing of it.
func TestBidsOfWhoAsksTooMuch(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	i := l.invite(n, 1, nil)
	bob := l.bidder(i, n)
	for n.allows(n.budgets.chain, bob.Account()) {
	}
	l.must(bob.placeBid(i.ID, n.Account(), &i.Least, 0))
	l.settle()
	if a, b := l.state(n, i.ID), l.state(bob, i.ID); a != InviteOpen || b != InviteOpen {
		t.Fatalf("the invite is %s, with bob %s", a, b)
	}
	l.later(bob)
	if a, b := l.state(n, i.ID), l.state(bob, i.ID); a != InviteJoined || b != InviteJoined || len(l.events(n, Alarm)) != 0 || len(l.events(n, InviteBid)) != 0 {
		t.Errorf("the invite is %s, with bob %s; %v", a, b, l.events(n, Alarm))
	}
}

// TestAttack_OfferFlood_Later: others hold all places of an invite, or take that of an honest
// bidder. Its bid ends by that on neither side: its node repeats it, and it finds a place as soon
// as there is one.
func TestAttack_OfferFlood_Later(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice := l.node(nil)
	i := l.invite(alice, 1, func(i *Invite) {
		for k := range byte(maxNegotiations) {
			i.Negotiations = append(i.Negotiations, Negotiation{With: common.Address{9, k}, Bids: bids(common.Address{9, k}, 3, 4)})
		}
	})
	bob := l.bidder(i, alice)
	waits := func(want bool) {
		t.Helper()
		now, err := alice.invite(i.ID)
		l.must(err)
		b := now.negotiation(bob.Account())
		if got := b != nil && b.Ended == ""; got != want || got && !slices.Equal(b.Bids, []Bid{{By: bob.Account(), Number: 1, Stake: *uint256.NewInt(3)}}) {
			t.Errorf("bob's bid waits for alice: %t, %+v", got, b)
		}
		if state := l.state(bob, i.ID); state != InviteOpen {
			t.Errorf("with bob the invite is %s", state)
		}
	}
	l.must(bob.placeBid(i.ID, alice.Account(), uint256.NewInt(3), 0))
	l.settle()
	waits(false)
	l.later(bob)
	waits(false)
	l.must(alice.endNegotiation(i.ID, common.Address{9, 0}, "no"))
	l.later(bob)
	waits(true)
	_, _, err := alice.takeBid(common.Address{8}, message.Bid{InviteID: i.ID, Number: 1, Stake: i.Least})
	l.must(err)
	l.later(bob)
	waits(false)
	l.must(alice.endNegotiation(i.ID, common.Address{9, 1}, "no"))
	l.later(bob)
	waits(true)
	l.must(alice.placeBid(i.ID, bob.Account(), uint256.NewInt(3), 1))
	l.settle()
	if a, b := l.state(alice, i.ID), l.state(bob, i.ID); a != InviteJoined || b != InviteJoined {
		t.Errorf("the invite is %s, with bob %s", a, b)
	}
}

// TestAttack_BuriedAlarm_Bids: who bids for an invite that its player can't pay raises one alarm,
// and not one for each account that bids: they would push other alarms out.
func TestAttack_BuriedAlarm_Bids(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	chained, n := Join(t, nil), l.node(nil)
	l.must(chained.Wait(t.Context(), func() (bool, error) { return chained.blind() == nil, nil }))
	n.drive, n.head, n.whole = chained.drive, chained.head, true
	i := l.invite(n, 1, nil)
	for range 3 {
		g := l.guest(n)
		l.must(n.receiveBid(g.Address(), message.Bid{InviteID: i.ID, Number: 1, Stake: i.Least}))
		want := []message.Message{message.EndBids{InviteID: i.ID, Reason: unpayable}}
		if heard := g.told(); !reflect.DeepEqual(heard, want) {
			t.Errorf("it hears %v", heard)
		}
	}
	if alarms, others := l.events(n, Alarm), l.events(n, InviteOver); len(alarms) != 1 || len(others) != 2 || !strings.Contains(alarms[0], ErrFunds.Error()) {
		t.Errorf("alarms %q, others %q", alarms, others)
	}
}

// TestBidsThatAreNotStored: a store that refuses a bid ends nothing, and no peer hears of it: the
// bid comes again.
func TestBidsThatAreNotStored(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	full := false
	n := l.node(func(c *Config) {
		c.Store = &storetest.Faulty{Store: c.Store, Before: func(op storetest.Op) error {
			if full && op == storetest.Commit {
				return storetest.ErrCrash
			}
			return nil
		}}
	})
	g := l.guest(n)
	i := l.invite(n, 1, nil)
	full = true
	err := n.receiveBid(g.Address(), message.Bid{InviteID: i.ID, Number: 1, Stake: *uint256.NewInt(3)})
	if heard := g.told(); !errors.Is(err, storetest.ErrCrash) || len(heard) != 0 {
		t.Errorf("the peer hears %v, %v", heard, err)
	}
}

// TestAttack_StarvedRPC_Bids: a bid that comes again takes no further step of the invite, which may
// ask the chain outside of any budget: here the step that is due ends a joined one.
func TestAttack_StarvedRPC_Bids(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	chained := Join(t, nil)
	l.must(chained.Wait(t.Context(), func() (bool, error) { return chained.blind() == nil, nil }))
	n.drive, n.head, n.whole = chained.drive, chained.head, true
	g := l.guest(n)
	i := l.invite(n, 1, func(i *Invite) {
		i.State, i.With = InviteJoined, g.Address()
		i.Negotiations = []Negotiation{{With: g.Address(), Bids: bids(g.Address(), 5, 5)}}
	})
	bid := i.negotiation(g.Address()).theirs()
	l.must(n.receiveBid(g.Address(), message.Bid{InviteID: i.ID, Number: bid.Number, Stake: bid.Stake, Agrees: bid.Agrees}))
	if state := l.state(n, i.ID); state != InviteJoined {
		t.Errorf("it is %s", state)
	}
	l.must(n.tendInvite(t.Context(), i.ID))
	if state := l.state(n, i.ID); state != InviteOpen {
		t.Errorf("no step was due, it is %s", state)
	}
}

// TestWhatEndsNegotiations: what ends a negotiation before a channel is opened for it opens this
// player's invite to others again, and ends one of another's; afterwards there is nothing to end.
func TestWhatEndsNegotiations(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Invite)
		reason string
		want   InviteState
		ended  string // of the negotiation
	}{
		"negotiated":            {nil, "no", InviteOpen, "no"},
		"without a reason":      {nil, "", InviteOpen, "no reason given"},
		"agreed on":             {func(i *Invite) { i.State = InviteJoined }, "no", InviteOpen, "no"},
		"a channel is offered":  {func(i *Invite) { i.State, i.Offer = InviteJoined, common.Hash{5} }, "no", InviteJoined, ""},
		"an offer of before":    {func(i *Invite) { i.Offer = common.Hash{5} }, "no", InviteOpen, "no"},
		"there is a channel":    {func(i *Invite) { i.State, i.Channel = InviteJoined, common.Hash{6} }, "no", InviteJoined, ""},
		"played":                {func(i *Invite) { i.State = InvitePlayed }, "no", InvitePlayed, ""},
		"ended before":          {func(i *Invite) { i.Negotiations[0].Ended = "over" }, "no", InviteOpen, "over"},
		"another's":             {func(i *Invite) { i.Mine = false }, "no", InviteEnded, "no"},
		"another's, agreed on":  {func(i *Invite) { i.Mine, i.State = false, InviteJoined }, "no", InviteEnded, "no"},
		"another's, in a match": {func(i *Invite) { i.Mine, i.State = false, InvitePlayed }, "no", InvitePlayed, ""},
	} {
		l := newLab(t)
		n := l.node(nil)
		bob := common.Address{9}
		i := l.invite(n, 1, func(i *Invite) {
			i.Negotiations = []Negotiation{{With: bob, Bids: bids(bob, 4)}}
			if c.change != nil {
				c.change(i)
			}
		})
		l.must(n.endNegotiation(i.ID, common.Address{10}, c.reason)) // who never bid
		err := n.endNegotiation(i.ID, bob, c.reason)
		now, _ := n.invite(i.ID)
		if err != nil || now.State != c.want || now.Negotiations[0].Ended != c.ended {
			t.Errorf("%s: %s, %q, %v", name, now.State, now.Negotiations[0].Ended, err)
		}
	}
}

// TestChannelsOfNegotiations: when a negotiation about another's invite ends, the channel that was
// offered for it is taken back; one that is not remembered needs nothing, and a store that refuses
// is told.
func TestChannelsOfNegotiations(t *testing.T) {
	t.Parallel()
	commits := 0
	l := newLab(t)
	n := l.node(func(c *Config) {
		c.Store = &storetest.Faulty{Store: c.Store, Before: func(op storetest.Op) error {
			if op == storetest.Commit {
				if commits--; commits == 0 {
					return storetest.ErrCrash
				}
			}
			return nil
		}}
	})
	bob := common.Address{9}
	begin := func(offer common.Hash) {
		l.invite(n, 1, func(i *Invite) {
			i.Mine, i.State, i.Player, i.Negotiations, i.Offer = false, InviteJoined, bob, []Negotiation{{With: bob, Bids: bids(bob, 5, 5)}}, offer
		})
	}
	o := Offer{ID: common.Hash{5}, State: OfferOpen, Signatures: make([][]byte, 2), Terms: protocol.Terms{Players: []common.Address{n.Account(), bob}, Signers: make([]common.Address, 2)}}
	l.must(n.saveOffer(&o))
	begin(o.ID)
	commits = 2
	if err := n.endNegotiation(common.Hash{1}, bob, "no"); !errors.Is(err, storetest.ErrCrash) {
		t.Errorf("the store refuses: %v", err)
	}
	commits = 0
	begin(o.ID)
	l.must(n.endNegotiation(common.Hash{1}, bob, "no"))
	if now, err := n.offer(o.ID); err != nil || now.State != OfferDeclined {
		t.Errorf("the offer is %s, %v", now.State, err)
	}
	begin(common.Hash{6})
	if err := n.endNegotiation(common.Hash{1}, bob, "no"); err != nil {
		t.Errorf("an offer that nobody remembers: %v", err)
	}
}

// TestOneIsQuicker: when a stake is agreed on with one, whoever else bids is told that it is too
// late.
func TestOneIsQuicker(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	bob, carol, dan := l.guest(n), l.guest(n), l.guest(n)
	i := l.invite(n, 1, func(i *Invite) {
		i.Guests = []common.Address{dan.Address()}
		i.Negotiations = []Negotiation{{With: bob.Address(), Bids: bids(bob.Address(), 5, 5)}, {With: carol.Address(), Bids: bids(carol.Address(), 4)}, {With: common.Address{8}, Ended: "over"}}
	})
	l.must(n.agree(i, &i.Negotiations[0]))
	if i.Negotiations[0].Ended != "" || i.Negotiations[1].Ended != "somebody else was quicker" || i.Negotiations[2].Ended != "over" {
		t.Errorf("%+v", i.Negotiations)
	}
	if heard := carol.told(); len(heard) != 1 || heard[0] != (message.EndBids{InviteID: i.ID, Reason: "somebody else was quicker"}) {
		t.Errorf("carol hears %v", heard)
	}
	if heard := bob.told(); len(heard) != 0 {
		t.Errorf("bob hears %v", heard)
	}
	if heard := dan.told(); len(heard) != 1 || heard[0] != (message.WithdrawInvite{InviteID: i.ID}) {
		t.Errorf("dan, whom it invited, hears %v", heard)
	}
	if texts := l.events(n, InviteAgreed); len(texts) != 1 || !strings.Contains(texts[0], "to play "+toy.Game().Name+" for") {
		t.Errorf("the user is told %q", texts)
	}
}

// TestBidsOfTheUser: the user bids to somebody who bids, replaces what was bid before, and agrees
// to the newest bid of the other side, by its stake or by its number; after that, or after too many
// bids, no more.
func TestBidsOfTheUser(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	listens := l.guest(n)
	bob := listens.Address()
	i := l.invite(n, 1, func(i *Invite) { i.Negotiations = []Negotiation{{With: bob, Bids: bids(bob, 4), Ended: "over"}} })
	for _, with := range []common.Address{bob, {8}} {
		if err := n.placeBid(i.ID, with, uint256.NewInt(6), 0); !errors.Is(err, ErrUnknownInvite) {
			t.Errorf("to %s: %v", with, err)
		}
	}
	i.Negotiations[0].Ended = ""
	i.Negotiations[0].Bids = append(i.Negotiations[0].Bids, Bid{By: bob, Number: 2, Stake: *uint256.NewInt(5)})
	for _, c := range []struct {
		stake  uint64
		agrees uint32
		want   error
		said   uint32 // to which bid the one that is sent agrees
	}{
		{4, 1, channel.ErrStale, 0}, {4, 2, channel.ErrStale, 0}, {5, 3, channel.ErrStale, 0}, {4, 0, nil, 0}, {5, 0, nil, 2}, {5, 2, nil, 2},
	} {
		l.must(n.saveInvite(i))
		err := n.placeBid(i.ID, bob, uint256.NewInt(c.stake), c.agrees)
		heard := listens.told()
		if !errors.Is(err, c.want) || len(heard) != 0 != (err == nil) {
			t.Errorf("%d, for bid %d: %v, bob hears %v", c.stake, c.agrees, err, heard)
		} else if want := (message.Bid{InviteID: i.ID, Number: 1, Stake: *uint256.NewInt(c.stake), Agrees: c.said}); err == nil && heard[0] != want {
			t.Errorf("bob hears %v", heard[0])
		}
	}
	if err := n.placeBid(i.ID, bob, uint256.NewInt(6), 0); !errors.Is(err, ErrBusy) {
		t.Errorf("after an agreement: %v", err)
	}
	i.Negotiations[0].Bids = bids(bob, 4)
	l.must(n.saveInvite(i))
	for stake := range uint64(maxBids) {
		l.must(n.placeBid(i.ID, bob, uint256.NewInt(10+stake), 0))
	}
	if err := n.placeBid(i.ID, bob, uint256.NewInt(4), 1); !errors.Is(err, ErrBusy) {
		t.Errorf("one bid too many: %v", err)
	}
	if now, err := n.invite(i.ID); err != nil || now.Negotiations[0].mine() != (Bid{By: n.Account(), Number: maxBids, Stake: *uint256.NewInt(9 + maxBids)}) {
		t.Errorf("%v, %v", now, err)
	}
}
