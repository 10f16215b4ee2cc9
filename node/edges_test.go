package node_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/lobby"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestTermsThatCanBeJoined: the terms of an offer are joined up to the edges of what may be: the
// window, until when it can be opened, the memo.
func TestTermsThatCanBeJoined(t *testing.T) {
	t.Parallel()
	p := join(t, nil)
	least, most := p.Windows()
	const now = 1000
	for name, c := range map[string]struct {
		change func(*node.Offer)
		ok     bool
	}{
		"the shortest window": {func(o *node.Offer) { o.Terms.Window = least }, true}, "a shorter one": {func(o *node.Offer) { o.Terms.Window = least - 1 }, false},
		"the longest window": {func(o *node.Offer) { o.Terms.Window = most }, true}, "a longer one": {func(o *node.Offer) { o.Terms.Window = most + 1 }, false},
		"too late": {func(o *node.Offer) { o.Terms.OpenBy = now }, false}, "just in time": {func(o *node.Offer) { o.Terms.OpenBy = now + 1 }, true},
		"far away":          {func(o *node.Offer) { o.Terms.OpenBy = now + 2*most }, true},
		"too far away":      {func(o *node.Offer) { o.Terms.OpenBy = now + 2*most + 1 }, false},
		"the longest memo":  {func(o *node.Offer) { o.Memo = strings.Repeat("m", node.MaxMemo) }, true},
		"a longer one yet":  {func(o *node.Offer) { o.Memo = strings.Repeat("m", node.MaxMemo+1) }, false},
		"a memo of no text": {func(o *node.Offer) { o.Memo = "\xff" }, false},
	} {
		o := node.Offer{Seat: 1, State: node.OfferOpen, Terms: protocol.Terms{
			Players: []common.Address{{8}, p.Account()}, Signers: make([]common.Address, 2), Deposits: []uint256.Int{*stake, *stake}, Window: least, OpenBy: now + 10,
		}}
		c.change(&o)
		if err := p.JoinTerms(&o, now, now+50); (err == nil) != c.ok || err != nil && !errors.Is(err, protocol.ErrTerms) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAttack_LyingRPC_OpenBy: an endpoint that tells a time to come has no channel accepted that
// can still be opened when that has come.
func TestAttack_LyingRPC_OpenBy(t *testing.T) {
	t.Parallel()
	p := join(t, nil)
	least, most := p.Windows()
	const sure = 1000
	told := sure + 10*most
	o := node.Offer{Seat: 1, State: node.OfferOpen, Terms: protocol.Terms{
		Players: []common.Address{{8}, p.Account()}, Signers: make([]common.Address, 2), Deposits: []uint256.Int{*stake, *stake}, Window: least, OpenBy: told + 1,
	}}
	if err := p.JoinTerms(&o, told, sure); !errors.Is(err, protocol.ErrTerms) {
		t.Errorf("it joined: %v", err)
	}
}

// TestAttack_WindowBounds_Finality: nobody joins a channel in which the time for an answer could be
// over before what is to be answered is final, however short a window the Arena takes.
func TestAttack_WindowBounds_Finality(t *testing.T) {
	t.Parallel()
	alice, bob := join(t, nil), join(t, func(c *node.Config) { c.Policy.Accept, c.Policy.Confirmations = nil, 12 })
	must(t, dev.Connect(t.Context(), alice.Node, bob.Node))
	bob.fund(t)
	for window, final := range map[uint64]bool{8*11 - 1: false, 8 * 11: true} {
		r := request(bob)
		r.Window = window
		id, err := alice.Offer(t.Context(), r)
		must(t, err)
		var refused error
		must(t, bob.Wait(t.Context(), func() (bool, error) {
			refused = bob.Accept(t.Context(), id)
			return !errors.Is(refused, node.ErrUnknownOffer), nil
		}))
		if (refused == nil) != final || refused != nil && !errors.Is(refused, protocol.ErrTerms) {
			t.Errorf("a window of %d: %v", window, refused)
		}
	}
	if _, err := bob.Offer(t.Context(), request(alice)); !errors.Is(err, protocol.ErrTerms) {
		t.Errorf("offered: %v", err)
	}
}

// TestWhatCanBeDeclined: an offer that waits is declined, and an acceptance is taken back once as
// long as the chain shows no channel. What is over stays as it is, and so does an offer that is not
// this player's to answer. A reason is text, and not too long.
func TestWhatCanBeDeclined(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice := tb.players[0]
	const refused = node.OfferState("refused")
	own, opened := alice.Account(), mustChannel(t, tb)
	for name, c := range map[string]struct {
		o      node.Offer
		reason string
		want   node.OfferState
	}{
		"waits":               {node.Offer{State: node.OfferOpen, Seat: 1}, "", node.OfferDeclined},
		"made":                {node.Offer{State: node.OfferOpen}, "no", node.OfferDeclined},
		"accepted":            {node.Offer{State: node.OfferAccepted, Seat: 1}, "no", node.OfferDeclined},
		"accepted and signed": {node.Offer{State: node.OfferAccepted, Seat: 1, Signatures: [][]byte{nil, {1}}}, "no", node.OfferAccepted},
		"taken back before":   {node.Offer{State: node.OfferAccepted, Seat: 1, Signatures: [][]byte{nil, {1}}, By: own}, "no", refused},
		"made, and accepted":  {node.Offer{State: node.OfferAccepted}, "no", refused},
		"opened":              {node.Offer{State: node.OfferOpened, Seat: 1}, "no", refused},
		"declined":            {node.Offer{State: node.OfferDeclined, Seat: 1}, "no", refused},
		"on the chain":        {node.Offer{State: node.OfferAccepted, Seat: 1, Terms: opened.Terms}, "no", refused},
		"a long reason":       {node.Offer{State: node.OfferOpen, Seat: 1}, strings.Repeat("n", node.MaxMemo), node.OfferDeclined},
		"too long a reason":   {node.Offer{State: node.OfferOpen, Seat: 1}, strings.Repeat("n", node.MaxMemo+1), refused},
		"a reason of no text": {node.Offer{State: node.OfferOpen, Seat: 1}, "\xff", refused},
	} {
		o := c.o
		o.ID = common.BytesToHash([]byte(name))
		if o.Terms.Players == nil {
			o.Terms = protocol.Terms{Players: []common.Address{{8}, {9}}, Signers: make([]common.Address, 2), Deposits: []uint256.Int{*stake, *stake}, Salt: o.ID}
			o.Terms.Players[o.Seat] = own
		}
		if o.Signatures == nil {
			o.Signatures = make([][]byte, 2)
		}
		must(t, alice.PutOffer(&o))
		err := alice.Decline(o.ID, c.reason)
		list, failed := alice.Offers()
		must(t, failed)
		for _, now := range list {
			switch {
			case now.ID != o.ID:
			case c.want == refused && (err == nil || now.State != o.State), c.want != refused && (err != nil || now.State != c.want || now.By != own):
				t.Errorf("%s: %v, and it is %s by %s", name, err, now.State, now.By)
			}
		}
		waits := o.State == node.OfferOpen && !o.Mine()
		if err := alice.Accept(tb.ctx, o.ID); err == nil || !waits && !errors.Is(err, node.ErrUnknownOffer) {
			t.Errorf("%s: accepted, %v", name, err)
		}
	}
}

// TestWhatCanBeCancelled: an open invite is cancelled, and one that this player joined is left
// while no channel is found for it; nothing else is.
func TestWhatCanBeCancelled(t *testing.T) {
	t.Parallel()
	p := join(t, nil)
	for name, c := range map[string]struct {
		i      node.Invite
		reason string
		ok     bool
	}{
		"open": {node.Invite{Mine: true, State: node.InviteOpen}, "", true}, "another's": {node.Invite{State: node.InviteOpen}, "no", true},
		"joined, its own": {node.Invite{Mine: true, State: node.InviteJoined}, "no", false}, "joined": {node.Invite{State: node.InviteJoined}, "no", true},
		"with a channel": {node.Invite{State: node.InviteJoined, Channel: common.Hash{1}}, "no", false},
		"played":         {node.Invite{State: node.InvitePlayed}, "no", false},
		"a long reason":  {node.Invite{Mine: true, State: node.InviteOpen}, strings.Repeat("n", node.MaxMemo), true},
		"too long":       {node.Invite{Mine: true, State: node.InviteOpen}, strings.Repeat("n", node.MaxMemo+1), false},
		"no text":        {node.Invite{Mine: true, State: node.InviteOpen}, "\xff", false},
	} {
		i := c.i
		i.ID = common.BytesToHash([]byte(name))
		must(t, p.PutInvite(&i))
		if err := p.CancelInvite(i.ID, c.reason); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestInvitesThatCanBeMade: an invite names a game of this chain and a window that the Arena takes,
// and lives as long as a board shows it. One that is refused leaves nothing behind.
func TestInvitesThatCanBeMade(t *testing.T) {
	t.Parallel()
	p := join(t, nil)
	least, most := p.Windows()
	for window, ok := range map[uint64]bool{least: true, least - 1: false, most: true, most + 1: false} {
		r := duel(stake)
		r.Window, r.Life = window, time.Hour
		if _, err := p.Invite(t.Context(), r); errors.Is(err, protocol.ErrTerms) == ok {
			t.Errorf("a window of %d: %v", window, err)
		}
	}
	p.fund(t)
	for life, ok := range map[time.Duration]bool{-time.Hour: false, time.Second - 1: false, time.Hour: true, lobby.Life * time.Second: true, lobby.Life*time.Second + 1: false} {
		r := duel(stake)
		r.Life = life
		before, err := p.Invites()
		must(t, err)
		_, refused := p.Invite(t.Context(), r)
		after, err := p.Invites()
		must(t, err)
		if made := len(after) > len(before); made != ok || (refused == nil) != ok || errors.Is(refused, protocol.ErrTerms) == ok {
			t.Errorf("a life of %v: made %t, %v", life, made, refused)
		}
	}
	undeployed := join(t, func(c *node.Config) { c.Rules = nil })
	if _, err := undeployed.Invite(t.Context(), duel(stake)); !errors.Is(err, games.ErrUnknownGame) {
		t.Errorf("a game that isn't on this chain: %v", err)
	}
}

// TestInviteSignedLate: a wallet takes its time to sign an invite. What has expired by then is
// refused, and leaves nothing behind.
func TestInviteSignedLate(t *testing.T) {
	t.Parallel()
	var later atomic.Int64
	p := join(t, func(c *node.Config) {
		c.Now = func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
		c.Player = slowly{c.Player, func() { later.Add(int64(2 * time.Minute)) }}
	})
	p.fund(t)
	for i, life := range []time.Duration{time.Minute, time.Hour} {
		r := duel(stake)
		r.Life = life
		_, refused := p.Invite(t.Context(), r)
		if list, err := p.Invites(); err != nil || len(list) != i || errors.Is(refused, protocol.ErrTerms) != (i == 0) {
			t.Errorf("a life of %v: %d are there, %v, %v", life, len(list), refused, err)
		}
	}
}

// slowly is a signer before whose signature something happens.
type slowly struct {
	protocol.Signer
	before func()
}

// Sign implements protocol.Signer.
func (s slowly) Sign(digest common.Hash) (protocol.Signature, error) {
	s.before()
	return s.Signer.Sign(digest)
}
