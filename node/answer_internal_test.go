package node

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport/budget"
	"github.com/ethereum/go-ethereum/common"
)

// offer has a node hold an offer among players, of whom it is the one at a seat.
func (l *lab) offer(n *Node, id byte, seat int, players []common.Address, change func(*Offer)) *Offer {
	l.t.Helper()
	o := &Offer{ID: common.Hash{id}, State: OfferOpen, Seat: seat, Signatures: make([][]byte, len(players)), Terms: protocol.Terms{
		Players: players, Signers: make([]common.Address, len(players)), Deposits: stakes(make([]uint64, len(players))...), Window: 20, OpenBy: 100,
	}}
	if change != nil {
		change(o)
	}
	l.must(n.saveOffer(o))
	return o
}

// TestOffersComeFromTheirFirstSeat: an offer is one of whoever has its seat 0, to this player, with
// a signer for each seat.
func TestOffersComeFromTheirFirstSeat(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	bob, carol := common.Address{8}, common.Address{9}
	for name, players := range map[string][]common.Address{
		"of nobody": nil, "of its own alone": {bob}, "to others": {bob, carol}, "of another's": {carol, n.Account()}, "of ours": {n.Account(), bob},
	} {
		m := message.OpenOffer{Terms: protocol.Terms{Players: players, Signers: make([]common.Address, len(players)), Deposits: stakes(make([]uint64, len(players))...), Window: 20}}
		if err := n.receiveOffer(t.Context(), bob, m); !errors.Is(err, protocol.ErrTerms) {
			t.Errorf("%s: %v", name, err)
		}
	}
	m := message.OpenOffer{Terms: protocol.Terms{Players: []common.Address{bob, n.Account()}, Signers: make([]common.Address, 3), Deposits: stakes(1, 1), Window: 20}}
	if err := n.receiveOffer(t.Context(), bob, m); !errors.Is(err, protocol.ErrTerms) {
		t.Errorf("a signer too many: %v", err)
	}
	if list, err := n.Offers(); err != nil || len(list) != 0 {
		t.Errorf("%d are remembered, %v", len(list), err)
	}
}

// TestOffersThatComeAgain: an offer that this player declined, or whose acceptance it took back, is
// not answered when it comes again; one that waits may come with its signers filled in.
func TestOffersThatComeAgain(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*Offer){
		"declined": func(o *Offer) { o.State = OfferDeclined },
		"taken back": func(o *Offer) {
			o.State, o.By, o.Signatures[1] = OfferAccepted, o.Terms.Players[1], []byte{1}
		},
	} {
		l := newLab(t)
		n := l.node(nil)
		g := l.guest(n)
		o := l.offer(n, 0, 1, []common.Address{g.Address(), n.Account()}, nil)
		o.ID = n.offerID(&o.Terms)
		change(o)
		l.must(n.saveOffer(o))
		if err := n.receiveOffer(t.Context(), g.Address(), message.OpenOffer{Terms: o.Terms}); err != nil || len(g.told()) != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	l := newLab(t)
	n := l.node(nil)
	bob := common.Address{8}
	o := l.offer(n, 0, 1, []common.Address{bob, n.Account()}, nil)
	o.ID = n.offerID(&o.Terms)
	l.must(n.saveOffer(o))
	filled := o.Terms
	filled.Signers = []common.Address{{1}, {2}}
	if _, err := n.takeOffer(1, message.OpenOffer{Terms: filled}); err != nil {
		t.Errorf("one that waits: %v", err)
	}
	o.State = OfferAccepted
	l.must(n.saveOffer(o))
	if _, err := n.takeOffer(1, message.OpenOffer{Terms: filled}); !errors.Is(err, protocol.ErrTerms) {
		t.Errorf("one that is accepted, with another signer: %v", err)
	}
}

// TestNotAcceptedByItself: an offer that the user does not accept beforehand waits for the user.
func TestNotAcceptedByItself(t *testing.T) {
	t.Parallel()
	for name, accept := range map[string]func(Offer) bool{"nothing is": nil, "this is not": func(Offer) bool { return false }} {
		l := newLab(t)
		n := l.node(func(c *Config) { c.Policy.Accept = accept })
		o := l.offer(n, 1, 1, []common.Address{{8}, n.Account()}, nil)
		if err := n.consider(t.Context(), o); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if now, err := n.offer(o.ID); err != nil || now.State != OfferOpen {
			t.Errorf("%s: it is %s, %v", name, now.State, err)
		}
	}
}

// TestAnsweredMeanwhile: an offer that is answered while the node is about to accept it by itself
// is no trouble that a user is told of.
func TestAnsweredMeanwhile(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(func(c *Config) { c.Policy.Accept = func(Offer) bool { return true } })
	o := l.offer(n, 1, 1, []common.Address{{8}, n.Account()}, nil)
	l.offer(n, 1, 1, o.Terms.Players, func(o *Offer) { o.State = OfferAccepted })
	if err, told := n.consider(t.Context(), o), l.events(n, OfferReceived); err != nil || len(told) != 0 {
		t.Errorf("told: %q, %v", told, err)
	}
}

// TestWhenToOfferAgain: an offerer is told when to come back by the budget that is spent, or in ten
// seconds; who asks without end is told nothing more.
func TestWhenToOfferAgain(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	g := l.guest(n)
	for again, want := range map[time.Duration]uint32{0: 11, 1: 1, 3 * time.Second: 4, 2 * time.Hour: 3601} {
		why := fmt.Errorf("%w: %w", ErrBusy, &budget.Spent{Again: again})
		if err := n.later(g.Address(), common.Hash{1}, why); !errors.Is(err, ErrBusy) {
			t.Error(err)
		}
		heard := g.told()
		if len(heard) != 1 || heard[0].(message.OpenReply).Again != want {
			t.Errorf("after %s: %v", again, heard)
		}
	}
	for n.allows(n.budgets.queries, g.Address()) {
	}
	if err := n.later(g.Address(), common.Hash{1}, ErrBusy); !errors.Is(err, ErrBusy) || len(g.told()) != 0 {
		t.Errorf("once too often: %v", err)
	}
}

// TestAcceptedOnceMore: only an offer that is accepted still is accepted again.
func TestAcceptedOnceMore(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	g := l.guest(n)
	o := l.offer(n, 1, 1, []common.Address{g.Address(), n.Account()}, func(o *Offer) { o.State = OfferDeclined })
	if err := n.repeat(o.ID, o.Terms, []byte{1}); err != nil || len(g.told()) != 0 {
		t.Errorf("declined meanwhile: %v", err)
	}
	if err := n.repeat(common.Hash{2}, o.Terms, []byte{1}); !errors.Is(err, ErrUnknownOffer) {
		t.Errorf("forgotten meanwhile: %v", err)
	}
}

// TestSignaturesOfOtherTerms: a player's signature counts for the terms that this node knows, not
// for some that name another signer of somebody else's.
func TestSignaturesOfOtherTerms(t *testing.T) {
	t.Parallel()
	for name, other := range map[string]bool{"the same": false, "other": true} {
		l := newLab(t)
		n := l.node(nil)
		bob, carol := l.guest(n), l.guest(n)
		o := l.offer(n, 0, 0, []common.Address{n.Account(), bob.Address(), carol.Address()}, func(o *Offer) {
			o.Terms.Signers = []common.Address{{1}, {2}, {3}}
			o.Signatures[1] = []byte{1}
		})
		o.ID = n.offerID(&o.Terms)
		l.must(n.saveOffer(o))
		signed := o.Terms
		signed.Signers = []common.Address{{1}, {2}, {3}}
		if other {
			signed.Signers[1] = common.Address{4}
		}
		sig, err := carol.Sign(signed.ID(n.domain))
		l.must(err)
		_, err = n.takeReply(carol.Address(), message.OpenReply{OfferID: o.ID, Terms: signed, Signatures: [][]byte{nil, nil, sig[:]}})
		l.must(err)
		if now, err := n.offer(o.ID); err != nil || (now.Signatures[2] == nil) != other {
			t.Errorf("%s terms: signed %t, %v", name, now.Signatures[2] != nil, err)
		}
	}
}

// TestDeclines: an offer that waits is declined by a word; an acceptance that is signed stays,
// whoever takes back what, and is noted once.
func TestDeclines(t *testing.T) {
	t.Parallel()
	bob := common.Address{8}
	for name, c := range map[string]struct {
		seat   int
		state  OfferState
		reason string
		signed bool
		want   OfferState
		noted  string
	}{
		"it waits": {0, OfferOpen, "", false, OfferDeclined, "no"}, "bob's waits": {1, OfferOpen, "", false, OfferDeclined, "no"},
		"bob's is accepted, not signed": {1, OfferAccepted, "", false, OfferDeclined, "no"},
		"bob's is signed":               {1, OfferAccepted, "", true, OfferAccepted, "no"},
		"bob's is signed, taken back":   {1, OfferAccepted, "before", true, OfferAccepted, "before"},
		"it is accepted by all":         {0, OfferAccepted, "", true, OfferAccepted, ""},
		"it is opened":                  {1, OfferOpened, "", true, OfferOpened, ""},
	} {
		l := newLab(t)
		n := l.node(nil)
		players := []common.Address{n.Account(), bob}
		if c.seat == 1 {
			players = []common.Address{bob, n.Account()}
		}
		o := l.offer(n, 1, c.seat, players, func(o *Offer) {
			o.State, o.Reason = c.state, c.reason
			if c.signed {
				o.Signatures[c.seat] = []byte{1}
			}
		})
		l.must(n.takeDecline(o, bob, "no"))
		if now, err := n.offer(o.ID); err != nil || now.State != c.want || now.Reason != c.noted || (len(l.events(n, OfferAnswered)) == 1) != (c.noted == "no") {
			t.Errorf("%s: %s, %q, %v", name, now.State, now.Reason, err)
		}
	}
}

// TestRepeatedAcceptances: who connects is told again that its offer is accepted, unless the player
// has taken that back.
func TestRepeatedAcceptances(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Offer)
		want   int
	}{
		"accepted":   {func(*Offer) {}, 1},
		"taken back": {func(o *Offer) { o.By = o.Terms.Players[1] }, 0},
		"waits":      {func(o *Offer) { o.State = OfferOpen }, 0},
	} {
		l := newLab(t)
		n := l.node(nil)
		g := l.guest(n)
		l.offer(n, 1, 1, []common.Address{g.Address(), n.Account()}, func(o *Offer) {
			o.State = OfferAccepted
			c.change(o)
		})
		if err := n.resendOffers(g.Address()); err != nil || len(g.told()) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAttack_SwappedOffer_Twice: an offer comes twice with all its signers, and other ones, while
// its player is asked to sign it. What was signed first is the channel that is founded, and the
// only one of which a signature leaves.
func TestAttack_SwappedOffer_Twice(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	n.drive.Arena = Join(t, nil).drive.Arena
	g := l.guest(n)
	signer, err := n.config.Sessions(common.Hash{})
	l.must(err)
	o := l.offer(n, 1, 1, []common.Address{g.Address(), n.Account(), {9}}, func(o *Offer) {
		o.State, o.Terms.Deposits, o.Terms.Signers = OfferAccepted, stakes(1, 1, 1), []common.Address{{10}, signer.Address(), {}}
	})
	for _, other := range []common.Address{{11}, {12}} {
		t := o.Terms
		t.Signers = []common.Address{{10}, signer.Address(), other}
		sig, err := n.config.Player.Sign(t.ID(n.domain))
		l.must(err)
		l.must(n.repeat(o.ID, t, sig[:]))
	}
	first := o.Terms
	first.Signers = []common.Address{{10}, signer.Address(), {11}}
	id, heard := first.ID(n.domain), g.told()
	for _, m := range heard {
		reply := m.(message.OpenReply)
		if err := (protocol.Authority{}).Account(n.Account(), id, reply.Signatures[1]); err != nil || reply.Terms.ID(n.domain) != id {
			t.Errorf("the reply is of channel %s: %v", reply.Terms.ID(n.domain), err)
		}
	}
	if n.live(id) == nil || len(heard) != 2 {
		t.Errorf("channel %s is not founded, or not replied: %v", id, heard)
	}
}
