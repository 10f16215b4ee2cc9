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

// agreedOn has a node hold an invite of another's on which the two agreed, to be played in a
// channel.
func (l *lab) agreedOn(n, with *Node, id byte, in common.Hash) *Invite {
	l.t.Helper()
	return l.invite(n, id, func(i *Invite) {
		i.Mine, i.State, i.Player, i.With, i.Channel, i.Agreed = false, InviteJoined, with.Account(), with.Account(), in, l.now.Unix()
		i.Negotiations = []Negotiation{{With: with.Account(), Bids: bids(with.Account(), 5, 5)}}
	})
}

func (l *lab) state(n *Node, id common.Hash) InviteState {
	l.t.Helper()
	i, err := n.invite(id)
	l.must(err)
	return i.State
}

// result has a node hold the result of a match that an invite calls for.
func (l *lab) result(n *Node, i *Invite, change func(*Result)) {
	l.t.Helper()
	r := Result{Match: common.Hash{0x50, i.ID[0]}, Channel: i.Channel, Paid: true, Payouts: stakes(10, 0), Terms: protocol.MatchTerms{
		ChannelID: i.Channel, Nonce: i.After + 1, Rules: i.Rules, Params: i.Params, Seats: []uint8{0, 1}, Stakes: stakes(5, 5),
	}}
	if change != nil {
		change(&r)
	}
	l.put(n, resultPrefix+r.Match.Hex(), r)
}

// TestWhichMatchIsTheInvites: of the results of a node, one of the invite's channel, of the match
// that was agreed on, and newer than that, is what came of the invite.
func TestWhichMatchIsTheInvites(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Result)
		want   bool
	}{
		"its match": {nil, true}, "in another channel": {func(r *Result) { r.Channel = common.Hash{9} }, false},
		"for another stake": {func(r *Result) { r.Terms.Stakes = stakes(5, 6) }, false}, "of before": {func(r *Result) { r.Terms.Nonce-- }, false},
	} {
		l := newLab(t)
		n := l.node(nil)
		i := l.invite(n, 1, func(i *Invite) { i.Channel, i.After = common.Hash{7}, 512 })
		l.result(n, i, c.change)
		if begun, err := n.begun(i); err != nil || begun != c.want {
			t.Errorf("%s: %t, %v", name, begun, err)
		}
	}
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
	i := l.agreedOn(alice, bob, 1, id)
	l.match(alice, id, 6, 0, 1)
	if begun, err := alice.begun(i); err != nil || begun {
		t.Errorf("a match that runs for another stake: %t, %v", begun, err)
	}
	l.match(alice, id, 5, 0, 1)
	if begun, err := alice.begun(i); err != nil || !begun {
		t.Errorf("the match runs: %t, %v", begun, err)
	}
}

// TestInvitesOutlastWhatPasses: a match that was agreed on and can't be proposed now is proposed
// when it can; one that can't be at all ends the invite.
func TestInvitesOutlastWhatPasses(t *testing.T) {
	t.Parallel()
	broken := false
	faulty := func(c *Config) {
		c.Store = &storetest.Faulty{Store: c.Store, Before: func(op storetest.Op) error {
			if broken && op == storetest.Commit {
				return storetest.ErrCrash
			}
			return nil
		}}
	}
	for name, c := range map[string]struct {
		begin, end func(l *lab, n *Node, in common.Hash)
		want       error // while it lasts
	}{
		"the disk is full": {func(*lab, *Node, common.Hash) { broken = true }, func(*lab, *Node, common.Hash) { broken = false }, ErrStore},
		"the node is blind": {func(_ *lab, n *Node, _ common.Hash) { n.faults[following] = fault{err: errUnread} },
			func(_ *lab, n *Node, _ common.Hash) { delete(n.faults, following) }, ErrBlind},
		"towers are asked": {func(l *lab, n *Node, in common.Hash) { l.must(l.session(n, in).feed(channel.Hold{On: true})) },
			func(l *lab, n *Node, in common.Hash) { l.must(l.session(n, in).feed(channel.Hold{})) }, channel.ErrHeld},
	} {
		l := newLab(t)
		alice, bob := l.node(faulty), l.node(nil)
		id := l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
		i := l.agreedOn(alice, bob, 1, id)
		c.begin(l, alice, id)
		err := alice.proposeInvited(i)
		c.end(l, alice, id)
		if !errors.Is(err, c.want) || l.state(alice, i.ID) != InviteJoined {
			t.Errorf("%s: the invite is %s, %v", name, l.state(alice, i.ID), err)
		}
		l.must(alice.proposeInvited(i))
		l.settle()
		if begun, err := alice.begun(i); err != nil || !begun {
			t.Errorf("after %s: %t, %v", name, begun, err)
		}
	}

	for name, c := range map[string]struct {
		begin func(l *lab, n *Node, in common.Hash)
		want  error
		ends  bool
	}{
		"the node is closed": {func(_ *lab, n *Node, _ common.Hash) { n.stop() }, ErrClosed, false},
		"too much runs": {func(l *lab, n *Node, in common.Hash) {
			for range protocol.MaxNew {
				s := l.session(n, in)
				l.must(s.feed(channel.ProposeMatch{Rules: toyRules, Params: toy.Params(0), Seats: []uint8{0, 1}, Stakes: stakes(1, 1)}))
			}
		}, protocol.ErrBusy, false},
		"the stake is gone":   {func(l *lab, n *Node, in common.Hash) { l.match(n, in, 98, 0, 1) }, nil, true},
		"the channel is over": {func(l *lab, n *Node, in common.Hash) { l.must(n.letGo(l.session(n, in))) }, nil, true},
	} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		id := l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
		i := l.agreedOn(alice, bob, 1, id)
		c.begin(l, alice, id)
		want := InviteJoined
		if c.ends {
			want = InviteEnded
		}
		if err := alice.proposeInvited(i); !errors.Is(err, c.want) || l.state(alice, i.ID) != want {
			t.Errorf("%s: the invite is %s, %v", name, l.state(alice, i.ID), err)
		}
	}
}

// TestUnreadableResults: while it can't be read whether the match of an invite was played, the
// invite stays as it is, and nothing is proposed or approved for it.
func TestUnreadableResults(t *testing.T) {
	t.Parallel()
	for name, result := range map[string]func(*Result){"played": nil, "not played": func(r *Result) { r.Terms.Nonce = 0 }} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		id := l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
		i := l.agreedOn(alice, bob, 1, id)
		l.result(alice, i, result)
		l.spoil(alice, resultPrefix+common.Hash{0xff}.Hex())
		if err := alice.tendInvite(t.Context(), i.ID); err == nil || l.state(alice, i.ID) != InviteJoined {
			t.Errorf("%s: the invite is %s, %v", name, l.state(alice, i.ID), err)
		}
		if n := len(l.session(alice, id).machine.Wanted()); n != 0 {
			t.Errorf("%s: %d matches are proposed", name, n)
		}
		if alice.markPlayed(id) || l.state(alice, i.ID) != InviteJoined {
			t.Errorf("%s: the invite is %s", name, l.state(alice, i.ID))
		}
	}
}

// TestWhatUsesInvitesUp: a match that is locked ends the invite that calls for it, and no other;
// what can't be read is told.
func TestWhatUsesInvitesUp(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
	waits := l.agreedOn(alice, bob, 1, id)
	played := l.agreedOn(alice, bob, 2, id)
	played.Stake = stakes(7)[0]
	l.must(alice.saveInvite(played))
	l.match(alice, id, 7, 0, 1)
	if !alice.markPlayed(id) || l.state(alice, waits.ID) != InviteJoined || l.state(alice, played.ID) != InvitePlayed {
		t.Errorf("the invites are %s and %s", l.state(alice, waits.ID), l.state(alice, played.ID))
	}
	l.spoil(alice, invitePrefix+common.Hash{0xff}.Hex())
	if !alice.markPlayed(id) {
		t.Error("one that can't be read keeps the others from being looked at")
	}
	alice.config.Store = &forgetful{Store: alice.config.Store, prefix: invitePrefix, time: 1}
	if alice.markPlayed(id) {
		t.Error("all is said to have been looked at")
	}
}

// TestChangesOfInvites: an invite is changed in the state for which the change is, and only then.
func TestChangesOfInvites(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	i := l.invite(n, 1, nil)
	changed := 0
	change := func(*Invite) error { changed++; return nil }
	if err := n.changeInvite(i.ID, InviteJoined, change); err != nil || changed != 0 {
		t.Errorf("in another state: %d changes, %v", changed, err)
	}
	if err := n.changeInvite(common.Hash{9}, InviteOpen, change); !errors.Is(err, ErrUnknownInvite) || changed != 0 {
		t.Errorf("unknown: %d changes, %v", changed, err)
	}
	if err := n.changeInvite(i.ID, InviteOpen, change); err != nil || changed != 1 {
		t.Errorf("%d changes, %v", changed, err)
	}
}

// TestOpenedButNotProposed: an invite whose channel was opened waits for the match until it has
// expired, and for ten minutes at least.
func TestOpenedButNotProposed(t *testing.T) {
	t.Parallel()
	const minute = 60
	for name, c := range map[string]struct {
		agreed, expires int64 // seconds ago, and from now
		want            InviteState
	}{
		"agreed just now": {0, minute, InviteJoined}, "agreed long ago": {60 * minute, minute, InviteJoined}, "expired": {10 * minute, 0, InviteJoined},
		"agreed ten minutes ago, and expired": {10*minute + 1, 0, InviteEnded},
	} {
		l := newLab(t)
		n := l.node(nil)
		o := Offer{ID: common.Hash{3}, State: OfferOpened, Seat: 1, Terms: protocol.Terms{Players: make([]common.Address, 2)}}
		l.must(n.saveOffer(&o))
		i := l.invite(n, 1, func(i *Invite) {
			i.State, i.Offer, i.Agreed, i.Expiry = InviteJoined, o.ID, l.now.Unix()-c.agreed, uint64(l.now.Unix()+c.expires)
		})
		if err := n.checkOn(i, l.now); err != nil || l.state(n, i.ID) != c.want {
			t.Errorf("%s: %s, %v", name, l.state(n, i.ID), err)
		}
	}
}

// TestOffersForInvites: the channel of an invite is offered once: after a restart the offer is
// known by its memo.
func TestOffersForInvites(t *testing.T) {
	t.Parallel()
	for name, memos := range map[string][]string{"the first": {"it"}, "the second": {"for another", "it"}} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		i := l.agreedOn(alice, bob, 1, common.Hash{})
		for k, memo := range memos {
			o := Offer{ID: common.Hash{3, byte(k)}, State: OfferOpen, Memo: memo, Time: int64(k), Terms: protocol.Terms{Players: []common.Address{alice.Account(), bob.Account()}}}
			if memo == "it" {
				o.Memo = "for invite " + i.ID.Hex()
			}
			l.must(alice.saveOffer(&o))
		}
		l.must(alice.openFor(t.Context(), i))
		if now, err := alice.invite(i.ID); err != nil || now.Offer != (common.Hash{3, byte(len(memos) - 1)}) {
			t.Errorf("%s: it waits for offer %s, %v", name, now.Offer, err)
		}
	}
}

// TestReopenedInvites: an invite that was joined keeps its place among those that a lobby shows.
func TestReopenedInvites(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n, bob := l.node(nil), l.node(nil)
	n.drive.Arena = Join(t, nil).drive.Arena
	l.channel(common.Address{}, []uint64{9, 9}, n, bob)
	for k := range byte(maxInvites) {
		l.invite(n, k+1, func(i *Invite) {
			if k == 0 {
				i.State, i.With = InviteJoined, bob.Account()
			}
		})
	}
	five := *uint256.NewInt(5)
	_, err := n.Invite(t.Context(), InviteRequest{Game: "toy", Least: five, Window: 20, Life: time.Hour, Guests: []common.Address{bob.Account()}})
	if !errors.Is(err, ErrBusy) {
		t.Errorf("one more: %v", err)
	}
}

// TestNoChannelWithoutItsInvite: an offer that a crash kept from being noted in its invite, or that
// was made while the invite ended, is taken back with it.
func TestNoChannelWithoutItsInvite(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(n *Node, i *Invite, offer func()) error{
		"cancelled after a crash": func(n *Node, i *Invite, offer func()) error { offer(); return n.CancelInvite(i.ID, "") },
		"declined before": func(n *Node, i *Invite, offer func()) error {
			offer()
			return errors.Join(n.Decline(common.Hash{3}, "no"), n.CancelInvite(i.ID, ""))
		},
		"ended by the other, after": func(n *Node, i *Invite, offer func()) error { offer(); return n.endNegotiation(i.ID, i.Player, "no") },
		"cancelled meanwhile": func(n *Node, i *Invite, offer func()) error {
			err := n.CancelInvite(i.ID, "")
			offer()
			return errors.Join(err, n.openFor(t.Context(), i))
		},
		"ended by the other meanwhile": func(n *Node, i *Invite, offer func()) error {
			err := n.endNegotiation(i.ID, i.Player, "no")
			offer()
			return errors.Join(err, n.openFor(t.Context(), i))
		},
	} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		i := l.agreedOn(alice, bob, 1, common.Hash{})
		o := common.Hash{3}
		l.must(end(alice, i, func() {
			l.offer(alice, o[0], 0, []common.Address{alice.Account(), bob.Account()}, func(o *Offer) { o.Memo = "for invite " + i.ID.Hex() })
		}))
		if now, err := alice.offer(o); err != nil || now.State != OfferDeclined {
			t.Errorf("%s: the offer is %s, %v", name, now.State, err)
		}
	}
}

// TestPoorPlayers: an opponent isn't told what this player lacks for the channel of an invite; the
// player is.
func TestPoorPlayers(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	chained, n := Join(t, nil), l.node(nil)
	l.must(chained.Wait(t.Context(), func() (bool, error) { return chained.blind() == nil, nil }))
	n.drive, n.head, n.whole = chained.drive, chained.head, true
	g := l.guest(n)
	i := l.invite(n, 1, func(i *Invite) {
		i.Mine, i.State, i.Player, i.With, i.Agreed = false, InviteJoined, g.Address(), g.Address(), l.now.Unix()
		i.Negotiations = []Negotiation{{With: g.Address(), Bids: bids(g.Address(), 5, 5)}}
	})
	l.must(n.openFor(t.Context(), i))
	want := []message.Message{message.EndBids{InviteID: i.ID, Reason: "the channel cannot be offered"}}
	if heard := g.told(); !reflect.DeepEqual(heard, want) {
		t.Errorf("it hears %v", heard)
	}
	if told := l.events(n, Alarm); len(told) != 1 || !strings.Contains(told[0], ErrFunds.Error()) {
		t.Errorf("the player is told %q", told)
	}
}

// TestSharedChannelsThatDo: a channel does for an invite if it has two seats, is no old copy, and
// each of them has the stake in it.
func TestSharedChannelsThatDo(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob, carol := l.node(nil), l.node(nil), l.node(nil)
	five := uint256.NewInt(5)
	l.channel(common.Address{}, []uint64{100, 100, 100}, carol, bob, alice)
	l.channel(common.Address{}, []uint64{100, 4}, alice, bob)
	l.channel(common.Address{}, []uint64{4, 100}, alice, bob)
	l.must(l.session(alice, l.channel(common.Address{}, []uint64{100, 100}, alice, bob)).feed(channel.StoreRestored{}))
	if c, ok := alice.shared(bob.Account(), common.Address{}, five); ok {
		t.Errorf("%v is shared", c.Terms)
	}
	id := l.channel(common.Address{}, []uint64{5, 5}, alice, bob)
	if c, ok := alice.shared(bob.Account(), common.Address{}, five); !ok || c.ID != id {
		t.Errorf("%v is shared", c.Terms)
	}
}

// TestRefusedMatches: a match that is refused ends the invite of another's that calls for it, and
// no other.
func TestRefusedMatches(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Invite)
		ends   bool
	}{
		"refused": {nil, true}, "this player's own": {func(i *Invite) { i.Mine = true }, false},
		"open":               {func(i *Invite) { i.State = InviteOpen }, false},
		"in another channel": {func(i *Invite) { i.Channel = common.Hash{9} }, false},
		"another match":      {func(i *Invite) { i.Stake = stakes(6)[0] }, false},
	} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		i := l.agreedOn(alice, bob, 1, common.Hash{7})
		if c.change != nil {
			c.change(i)
		}
		l.must(alice.saveInvite(i))
		refused := channel.ProposalRefused{Reason: "no", Matches: []protocol.MatchTerms{{Rules: i.Rules, Params: i.Params, Stakes: stakes(5, 5)}}}
		before := i.State
		alice.meeting.refused(common.Hash{7}, refused)
		if got := l.state(alice, i.ID); (got == InviteEnded) != c.ends || !c.ends && got != before {
			t.Errorf("%s: %s", name, got)
		}
	}
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	i := l.agreedOn(alice, bob, 1, common.Hash{7})
	l.spoil(alice, invitePrefix+common.Hash{0xff}.Hex())
	alice.config.Store = &forgetful{Store: alice.config.Store, prefix: invitePrefix, time: 1}
	for _, want := range []InviteState{InviteJoined, InviteEnded} { // the store fails, and then but one can't be read
		alice.meeting.refused(i.Channel, channel.ProposalRefused{Matches: []protocol.MatchTerms{{Rules: i.Rules, Params: i.Params, Stakes: stakes(5, 5)}}})
		if got := l.state(alice, i.ID); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestNothingIsProposedUnnoted: the channel of a match is written down before the match is proposed
// in it.
func TestNothingIsProposedUnnoted(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	fails := 0
	alice, bob := l.node(func(c *Config) {
		c.Store = &storetest.Faulty{Store: c.Store, Before: func(op storetest.Op) error {
			if op == storetest.Commit && fails > 0 {
				fails--
				return storetest.ErrCrash
			}
			return nil
		}}
	}), l.node(nil)
	id := l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
	i := l.agreedOn(alice, bob, 1, common.Hash{})
	fails = 1
	if err := alice.tendInvite(t.Context(), i.ID); !errors.Is(err, storetest.ErrCrash) || len(l.session(alice, id).machine.Wanted()) != 0 {
		t.Errorf("%v, and a match is proposed", err)
	}
	l.must(alice.tendInvite(t.Context(), i.ID))
	l.settle()
	l.must(alice.tendInvite(t.Context(), i.ID))
	if got := l.state(alice, i.ID); got != InvitePlayed {
		t.Errorf("then it is %s", got)
	}
}

// TestWelcomed: what waits and was agreed on meanwhile is approved, and nothing else.
func TestWelcomed(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(func(c *Config) { c.Policy.Approve = nil }), l.node(nil)
	id := l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
	s := l.session(bob, id)
	l.must(s.step(channel.ProposeMatch{Rules: toyRules, Params: toy.Params(0), Seats: []uint8{0, 1}, Stakes: stakes(5, 5)}))
	l.settle()
	other := l.agreedOn(alice, bob, 1, id)
	other.Mine, other.Stake = true, stakes(6)[0]
	l.must(alice.saveInvite(other))
	l.must(alice.welcome(t.Context()))
	l.settle()
	if list := alice.Proposals(); len(list) != 1 || len(alice.Matches()) != 0 {
		t.Fatalf("%d proposals wait", len(list))
	}
	other.Stake = stakes(5)[0]
	l.must(alice.saveInvite(other))
	l.must(alice.welcome(t.Context()))
	l.settle()
	if !slices.ContainsFunc(alice.Matches(), func(m Match) bool { return m.Channel == id }) {
		t.Error("the match is not locked")
	}
}

// TestAttack_OfferFlood_Invite: newer offers have a node forget the one by which the channel of an
// invite was opened. The match is proposed in the channel all the same, and one that nobody
// proposes in time, or for which there is no channel, ends the invite.
func TestAttack_OfferFlood_Invite(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]InviteState{"in time": InviteJoined, "too late": InviteEnded} {
		l := newLab(t)
		n := l.node(nil)
		i := l.invite(n, 1, func(i *Invite) {
			i.State, i.Offer, i.Agreed = InviteJoined, common.Hash{3}, l.now.Unix()-3600
			if want == InviteEnded {
				i.Expiry = uint64(l.now.Unix())
			}
		})
		if err := n.tendInvite(t.Context(), i.ID); err != nil || l.state(n, i.ID) != want {
			t.Errorf("proposed %s: %s, %v", name, l.state(n, i.ID), err)
		}
	}
	for name, want := range map[string]InviteState{"open": InvitePlayed, "not there": InviteEnded} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(nil)
		if want == InvitePlayed {
			l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
		}
		i := l.agreedOn(alice, bob, 1, common.Hash{})
		i.Offer = common.Hash{3}
		l.must(alice.saveInvite(i))
		for range 2 {
			if err := alice.tendInvite(t.Context(), i.ID); err != nil {
				t.Errorf("the channel is %s: %v", name, err)
			}
			l.settle()
		}
		if got := l.state(alice, i.ID); got != want {
			t.Errorf("the channel is %s: the invite is %s", name, got)
		}
	}
}
