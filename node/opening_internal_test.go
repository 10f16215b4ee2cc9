package node

import (
	"bytes"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/store/storetest"
	"github.com/ethereum/go-ethereum/common"
)

// TestAfterOpenBy: an offer that waits lapses when its time is up, and one that this player signed
// a window later: then its channel is forgotten. In between nothing is sent.
func TestAfterOpenBy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		state   OfferState
		founded bool
		now     uint64 // OpenBy is 100, and the window 20
		want    OfferState
		lives   bool
	}{
		"open, its time is up":                {OfferOpen, false, 100, OfferLapsed, false},
		"signed, its time is up":              {OfferAccepted, true, 100, OfferAccepted, true},
		"signed, the window is nearly over":   {OfferAccepted, true, 119, OfferAccepted, true},
		"signed, a window later":              {OfferAccepted, true, 120, OfferLapsed, false},
		"signed by a store that was put back": {OfferAccepted, false, 120, OfferLapsed, false},
	} {
		l := newLab(t)
		n := l.node(nil)
		signer, err := n.config.Sessions(common.Hash{})
		l.must(err)
		o := l.offer(n, 1, 0, []common.Address{n.Account(), {8}}, func(o *Offer) {
			o.Terms.Deposits = stakes(1, 1)
			o.Terms.Signers = []common.Address{signer.Address(), {9}}
			if o.State = c.state; c.state == OfferAccepted {
				o.Signatures = [][]byte{{1}, {2}}
			}
		})
		if c.founded {
			_, err := n.found(o.Terms, 0)
			l.must(err)
		}
		n.head.clock, n.head.sure = c.now, c.now
		l.must(n.tendOffer(t.Context(), o, c.now))
		if now, err := n.offer(o.ID); err != nil || now.State != c.want {
			t.Errorf("%s: it is %s, %v", name, now.State, err)
		}
		if _, err := n.session(o.Terms.ID(n.domain)); (err == nil) != c.lives {
			t.Errorf("%s: the channel lives: %v", name, err)
		}
	}
}

// TestAttack_LyingRPC_Forgotten: one of two endpoints tells a time at which no opening can be mined
// any more, when it still can. The channel that this player has signed stays: it could be played no
// more once it was forgotten and then opened.
func TestAttack_LyingRPC_Forgotten(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	signer, err := n.config.Sessions(common.Hash{})
	l.must(err)
	for id, state := range map[byte]OfferState{1: OfferOpen, 2: OfferAccepted} {
		o := l.offer(n, id, 1, []common.Address{{8}, n.Account()}, func(o *Offer) {
			o.Terms.Deposits, o.Terms.Salt = stakes(1, 1), common.Hash{}
			if o.State = state; state == OfferAccepted {
				o.Terms.Signers, o.Signatures = []common.Address{{9}, signer.Address()}, [][]byte{{1}, {2}}
				_, err := n.found(o.Terms, 1)
				l.must(err)
			}
		})
		n.head.clock, n.head.sure = o.Terms.OpenBy+1000, o.Terms.OpenBy-1
		l.must(n.tendOffer(t.Context(), o, n.now()))
		if now, err := n.offer(o.ID); err != nil || now.State != state {
			t.Errorf("the offer that was %s is %s, %v", state, now.State, err)
		}
		if _, err := n.session(o.Terms.ID(n.domain)); (err == nil) != (state == OfferAccepted) {
			t.Errorf("the channel of the offer that was %s: %v", state, err)
		}
	}
}

// TestAttack_LyingRPC_Unread: an endpoint keeps a node from reading, or from being sure of, the
// blocks in which a channel was opened that its player has signed. The channel stays until the node
// sees the chain again: it could be played no more once it was forgotten.
func TestAttack_LyingRPC_Unread(t *testing.T) {
	t.Parallel()
	for name, sees := range map[string]func(n *Node, sees bool){
		"not read": func(n *Node, sees bool) { n.whole = sees },
		"not certain": func(n *Node, sees bool) {
			if delete(n.faults, following); !sees {
				n.faults[following] = fault{err: errUnread}
			}
		},
	} {
		l := newLab(t)
		n := l.node(nil)
		signer, err := n.config.Sessions(common.Hash{})
		l.must(err)
		o := l.offer(n, 1, 1, []common.Address{{8}, n.Account()}, func(o *Offer) {
			o.State, o.Signatures = OfferAccepted, [][]byte{{1}, {2}}
			o.Terms.Deposits, o.Terms.Signers = stakes(1, 1), []common.Address{{9}, signer.Address()}
		})
		_, err = n.found(o.Terms, 1)
		l.must(err)
		n.head.clock, n.head.sure = o.Terms.OpenBy+1000, o.Terms.OpenBy+1000
		for _, sure := range []bool{false, true} {
			sees(n, sure)
			l.must(n.tendOffer(t.Context(), o, n.now()))
			if _, err := n.session(o.Terms.ID(n.domain)); (err == nil) == sure {
				t.Errorf("%s, and then %t: the channel: %v", name, sure, err)
			}
		}
	}
}

// TestAnsweredAtTheLastMoment: what was declined or signed since a list of offers was read is not
// noted to have lapsed: who declined is not told so, and what was signed has a channel to be
// forgotten a window later.
func TestAnsweredAtTheLastMoment(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, then OfferState }{
		"declined": {OfferOpen, OfferDeclined}, "signed": {OfferOpen, OfferAccepted}, "signed, after it was accepted": {OfferAccepted, OfferAccepted},
	} {
		l := newLab(t)
		n := l.node(nil)
		signer, err := n.config.Sessions(common.Hash{})
		l.must(err)
		o := l.offer(n, 1, 1, []common.Address{{8}, n.Account()}, func(o *Offer) {
			o.State, o.Terms.Deposits, o.Terms.Signers = c.before, stakes(1, 1), []common.Address{{9}, signer.Address()}
		})
		then := *o
		if then.State = c.then; c.then == OfferAccepted {
			then.Signatures = [][]byte{nil, {2}}
			_, err := n.found(o.Terms, 1)
			l.must(err)
		}
		l.putOffer(n, &then)
		n.head.clock, n.head.sure = 100, 100
		l.must(n.tendOffer(t.Context(), o, 100))
		if now, err := n.offer(o.ID); err != nil || now.State != c.then || len(l.events(n, OfferAnswered)) > 0 {
			t.Errorf("%s: it is %s, %v, and the user is told %q", name, now.State, err, l.events(n, OfferAnswered))
		}
		n.head.clock, n.head.sure = 120, 120
		l.must(n.tendOffers(t.Context(), 120))
		if _, err := n.session(o.Terms.ID(n.domain)); err == nil {
			t.Errorf("%s: its channel is never forgotten", name)
		}
	}
}

// TestLapsesUnread: as long as an offer can't be noted to have lapsed its channel stays.
func TestLapsesUnread(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var fails *int
	alice, bob := l.node(func(c *Config) { fails = failing(c, storetest.Commit) }), l.node(nil)
	terms := l.session(alice, l.channel(common.Address{}, []uint64{5, 5}, alice, bob)).terms
	terms.OpenBy++
	_, err := alice.found(terms, 0)
	l.must(err)
	o := l.offer(alice, 1, 0, terms.Players, func(o *Offer) {
		o.Terms, o.State, o.Signatures = terms, OfferAccepted, [][]byte{{1}, {2}}
	})
	*fails, alice.head.sure = 1, 1000
	if err := alice.tendOffer(t.Context(), o, 1000); !errors.Is(err, storetest.ErrCrash) {
		t.Errorf("it lapses: %v", err)
	}
	if _, err := alice.session(terms.ID(alice.domain)); err != nil {
		t.Error(err)
	}
}

// TestConcludesWhatWasSigned: the last signature is added to the offer that was signed, as long as
// it waits and all others have signed that.
func TestConcludesWhatWasSigned(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Offer)
		want   bool
	}{
		"it waits":                   {func(*Offer) {}, true},
		"it is declined":             {func(o *Offer) { o.State = OfferDeclined }, false},
		"a signature is gone":        {func(o *Offer) { o.Signatures[1] = nil }, false},
		"with another peer's signer": {func(o *Offer) { o.Terms.Signers[1] = common.Address{10} }, false},
	} {
		l := newLab(t)
		n := l.node(nil)
		signer, err := n.config.Sessions(common.Hash{})
		l.must(err)
		o := l.offer(n, 1, 0, []common.Address{n.Account(), {8}}, func(o *Offer) {
			o.Terms.Deposits = stakes(1, 1)
			o.Terms.Signers, o.Signatures = []common.Address{signer.Address(), {9}}, [][]byte{nil, {2}}
		})
		now := *o
		now.Terms.Signers, now.Signatures = slices.Clone(o.Terms.Signers), slices.Clone(o.Signatures)
		c.change(&now)
		l.putOffer(n, &now)
		l.must(n.conclude(o, []byte{1}))
		got, err := n.offer(o.ID)
		l.must(err)
		if signed := got.State == OfferAccepted && bytes.Equal(got.Signatures[0], []byte{1}); signed != c.want || (got.Signatures[0] != nil) != c.want {
			t.Errorf("%s: it is %s, signed %x", name, got.State, got.Signatures[0])
		}
		if _, err := n.session(got.Terms.ID(n.domain)); (err == nil) != c.want {
			t.Errorf("%s: the channel: %v", name, err)
		}
		if !c.want { // nor is its opening sent
			l.must(n.submitOpening(t.Context(), o))
		}
	}
}

// TestTakenBack: who has accepted an offer takes that back, unless the chain shows the channel.
func TestTakenBack(t *testing.T) {
	t.Parallel()
	const nobody, none, founded, opened = -1, 0, 1, 2
	for name, c := range map[string]struct {
		seat       int
		state      OfferState
		by         int // seat
		channel    int
		taken, may bool
	}{
		"accepted":                {1, OfferAccepted, nobody, none, false, true},
		"accepted, not opened":    {1, OfferAccepted, nobody, founded, false, true},
		"its channel is open":     {1, OfferAccepted, nobody, opened, false, false},
		"taken back":              {1, OfferAccepted, 1, founded, true, false},
		"taken back by its maker": {1, OfferAccepted, 0, founded, false, true},
		"declined":                {1, OfferDeclined, 1, none, false, false},
		"its own":                 {0, OfferAccepted, 0, founded, false, false},
	} {
		l := newLab(t)
		nodes := []*Node{l.node(nil), l.node(nil)}
		n := nodes[c.seat]
		terms := l.session(n, l.channel(common.Address{}, []uint64{5, 5}, nodes...)).terms
		if c.channel != opened {
			terms.OpenBy++
		}
		if c.channel == founded {
			_, err := n.found(terms, c.seat)
			l.must(err)
		}
		o := l.offer(n, 1, c.seat, terms.Players, func(o *Offer) {
			if o.State, o.Terms = c.state, terms; c.by != nobody {
				o.By = terms.Players[c.by]
			}
		})
		if taken, may := o.TakenBack(), n.mayTakeBack(o); taken != c.taken || may != c.may {
			t.Errorf("%s: taken back %t, may be taken back %t", name, taken, may)
		}
	}
	l := newLab(t)
	var fails *int
	n := l.node(func(c *Config) { fails = failing(c, storetest.Get) })
	o := l.offer(n, 1, 1, []common.Address{{8}, n.Account()}, func(o *Offer) { o.State = OfferAccepted })
	if *fails = 1; n.mayTakeBack(o) {
		t.Error("whether its channel is open is not known")
	}
}

// TestPlacesOfFriends: friends have as many places together as strangers, and none of them yields.
func TestPlacesOfFriends(t *testing.T) {
	t.Parallel()
	friends := func(common.Address) bool { return true }
	var list []Offer
	for i := range offerLimit.Friends.Burst {
		if yields, err := placeFor(list, common.Address{1}, "", friends); err != nil || yields != nil {
			t.Fatalf("friend %d: %v yields, %v", i, yields, err)
		}
		list = append(list, Offer{Seat: 1, State: OfferOpen, Terms: protocol.Terms{Players: []common.Address{{2, byte(i), byte(i >> 8)}, {}}}})
	}
	if _, err := placeFor(list, common.Address{1}, "", friends); !errors.Is(err, ErrDeclined) {
		t.Errorf("one friend too many: %v", err)
	}
}

// TestOldOffersYield: an offer of a stranger's that nobody answers is declined after an hour.
func TestOldOffersYield(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, friend := l.node(nil), l.node(nil)
	l.channel(common.Address{}, []uint64{5, 5}, alice, friend)
	for i, c := range []struct {
		seat int
		from common.Address
		age  time.Duration
		want OfferState
	}{
		{1, common.Address{8}, waitsFor * time.Second, OfferOpen}, {1, common.Address{8}, (waitsFor + 1) * time.Second, OfferDeclined},
		{1, friend.Account(), (waitsFor + 1) * time.Second, OfferOpen}, {0, alice.Account(), (waitsFor + 1) * time.Second, OfferOpen},
	} {
		players := []common.Address{c.from, alice.Account()}
		if c.seat == 0 {
			players[1] = common.Address{8}
		}
		o := l.offer(alice, byte(i), c.seat, players, func(o *Offer) { o.Time = l.now.Add(-c.age).Unix() })
		l.must(alice.yieldOld([]Offer{*o}))
		if now, err := alice.offer(o.ID); err != nil || now.State != c.want {
			t.Errorf("%d: it is %s, %v", i, now.State, err)
		}
	}
}

// TestOffersAreRepeated: an offer that waits is sent again to those who have not signed it, once
// there is something for them to sign; what is signed by all, declined or forgotten is not.
func TestOffersAreRepeated(t *testing.T) {
	t.Parallel()
	one, two := common.Address{1}, common.Address{2}
	for name, c := range map[string]struct {
		signers    []common.Address
		signatures [][]byte
		state      OfferState
		want       []bool // who is told
		again      bool
	}{
		"nobody has answered":      {[]common.Address{one, {}, {}}, [][]byte{nil, nil, nil}, OfferOpen, []bool{true, true}, true},
		"one has named its signer": {[]common.Address{one, two, {}}, [][]byte{nil, nil, nil}, OfferOpen, []bool{false, true}, true},
		"both have":                {[]common.Address{one, two, two}, [][]byte{nil, nil, nil}, OfferOpen, []bool{true, true}, true},
		"one has signed":           {[]common.Address{one, two, two}, [][]byte{nil, {1}, nil}, OfferOpen, []bool{false, true}, true},
		"both have signed":         {[]common.Address{one, two, two}, [][]byte{nil, {1}, {2}}, OfferOpen, []bool{false, false}, false},
		"declined":                 {[]common.Address{one, {}, {}}, [][]byte{nil, nil, nil}, OfferDeclined, []bool{false, false}, false},
		"forgotten":                {nil, nil, "", []bool{false, false}, false},
	} {
		l := newLab(t)
		n := l.node(nil)
		guests := []*guest{l.guest(n), l.guest(n)}
		id := common.Hash{1}
		if c.state != "" {
			l.offer(n, 1, 0, []common.Address{n.Account(), guests[0].Address(), guests[1].Address()}, func(o *Offer) {
				o.Terms.Signers, o.Signatures, o.State = c.signers, c.signatures, c.state
			})
		}
		n.reminders.add(id, l.now)
		l.now = l.now.Add(remindMin)
		l.must(n.remindOffers())
		for i, g := range guests {
			if told := len(g.told()) == 1; told != c.want[i] {
				t.Errorf("%s: guest %d is told %t", name, i, told)
			}
		}
		if _, again := n.reminders.due[id]; again != c.again {
			t.Errorf("%s: it is sent again %t", name, again)
		}
	}
	l := newLab(t)
	n := l.node(nil)
	l.spoil(n, offerPrefix+common.Hash{1}.Hex())
	n.reminders.add(common.Hash{1}, l.now)
	l.now = l.now.Add(remindMin)
	if err := n.remindOffers(); err == nil || len(n.reminders.due) != 1 {
		t.Errorf("one that can't be read: %v, %d are due", err, len(n.reminders.due))
	}
}
