package node

import (
	"errors"
	"slices"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// TestRegistrationsAreSentAgain: a registration that the house doesn't list is sent again, by
// itself and when the house connects, while the house can still take it; one that it lists, while
// it can still say that the list is sealed.
func TestRegistrationsAreSentAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change   func(*Round)
		block    uint64
		itself   bool // by itself
		connects bool // when the house connects
	}{
		"not listed yet":       {nil, 99, true, true},
		"listed":               {func(r *Round) { r.Entries = []matchmaking.Registration{*r.Own} }, 99, false, true},
		"not registered":       {func(r *Round) { r.Own = nil }, 99, false, false},
		"sealed":               {func(r *Round) { r.Seal = protocol.Signature{1} }, 99, false, false},
		"refused":              {func(r *Round) { r.Trouble = "no room" }, 99, false, false},
		"when it is over":      {nil, 100, false, true},
		"listed, and over":     {func(r *Round) { r.Entries = []matchmaking.Registration{*r.Own} }, 100, true, true},
		"listed, and just":     {func(r *Round) { r.Entries = []matchmaking.Registration{*r.Own} }, 109, true, true},
		"listed, and too late": {func(r *Round) { r.Entries = []matchmaking.Registration{*r.Own} }, 110, false, true},
		"when it is long over": {nil, 101, false, true},
	} {
		l := newLab(t)
		n := l.node(nil)
		house := l.guest(n)
		r := pairsBy(t, n, house.Address())
		own := signedBets(t, n, r.ID, 1)
		r.Own = &own
		if c.change != nil {
			c.change(&r)
		}
		l.putRound(n, &r)
		n.head.block.Number = c.block
		for what, again := range map[bool]func() error{false: n.registerAgain, true: func() error { return n.resendRounds(house.Address()) }} {
			if err := again(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			want := map[bool]bool{false: c.itself, true: c.connects}[what]
			list := house.told()
			if (len(list) != 0) != want {
				t.Errorf("%s, the house connects %t: %v", name, what, list)
			}
			for _, m := range list {
				if join := m.(message.RoundJoin); join.RoundID != r.ID || !join.Entry.Same(&own) {
					t.Errorf("%s, the house connects %t: %v", name, what, m)
				}
			}
		}
		if err := n.resendRounds(common.Address{8}); err != nil || len(house.told()) != 0 {
			t.Errorf("%s: somebody else is told, %v", name, err)
		}
	}
}

// TestPlayersThatConnectAreTold: a house tells a player of its own rounds in which it is
// registered, until nothing more comes of them.
func TestPlayersThatConnectAreTold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Round)
		want   int
	}{
		"registered":      {func(*Round) {}, 1},
		"not registered":  {func(r *Round) { r.Entries = nil }, 0},
		"when it is over": {func(r *Round) { r.Trouble = "away" }, 0},
	} {
		l := newLab(t)
		n := l.node(nil)
		g := l.guest(n, 2)
		r, _ := said(t, n, 1, false)
		r.Signature, r.Entries = sign(t, 1, r.ID), []matchmaking.Registration{signedBets(t, n, r.ID, 2)}
		c.change(&r)
		l.putRound(n, &r)
		if err := n.resendRounds(g.Address()); err != nil || len(g.told()) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRoundsAreForgotten: a node remembers so many rounds of others, none that its player missed.
// For another one the oldest makes room of which nothing more comes or, if it is the first of its
// house, that its player has not entered.
func TestRoundsAreForgotten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Round) // of the oldest
		block  uint64
		many   int
		left   int
		want   error
	}{
		"with room":                 {nil, 99, keptRounds - 1, keptRounds - 1, nil},
		"with room, and missed":     {nil, 100, keptRounds - 1, keptRounds - 2, nil},
		"with room, and sealed":     {func(r *Round) { r.Seal = sign(t, 7, r.ID) }, 100, keptRounds - 1, keptRounds - 1, nil},
		"that closed":               {nil, 100, keptRounds, keptRounds - 1, nil},
		"both that were missed":     {nil, 110, keptRounds, keptRounds - 2, nil},
		"that was sealed":           {func(r *Round) { r.Seal = sign(t, 7, r.ID) }, 100, keptRounds, keptRounds - 1, nil},
		"while it is open":          {nil, 99, keptRounds, keptRounds - 1, nil},
		"of its house":              {func(r *Round) { r.Terms.House = common.Address{8} }, 99, keptRounds, keptRounds, ErrBusy},
		"in which it was refused":   {func(r *Round) { r.Own, r.Trouble = new(matchmaking.Registration), "left out" }, 100, keptRounds, keptRounds - 1, nil},
		"that is over":              {func(r *Round) { r.Own, r.Draw = new(matchmaking.Registration), common.Hash{1} }, 99, keptRounds, keptRounds - 1, nil},
		"of its own, which stays":   {func(r *Round) { r.Terms.House = playerKey(t, 1).Address() }, 100, keptRounds, keptRounds, nil},
		"with one too many to keep": {func(r *Round) { r.Own = new(matchmaking.Registration) }, 100, keptRounds + 1, keptRounds, nil},
	} {
		l := newLab(t)
		n := l.node(nil)
		for i := range c.many {
			r := pairsBy(t, n, common.Address{7})
			r.ID = common.Hash{1, ^byte(i), ^byte(i >> 8)} // the oldest comes last in the store
			if r.Terms.Closes += uint64(i) * 10; i == 0 && c.change != nil {
				c.change(&r)
			}
			l.putRound(n, &r)
		}
		n.head.block.Number = c.block
		err := n.forgetRounds(common.Address{8})
		list, failed := n.Rounds()
		if !errors.Is(err, c.want) || failed != nil || len(list) != c.left {
			t.Errorf("%s: %d are left, %v, %v", name, len(list), err, failed)
		}
		if c.left == keptRounds-1 && c.many == keptRounds && slices.ContainsFunc(list, func(r Round) bool { return r.ID == common.Hash{1, 255, 255} }) {
			t.Errorf("%s: another one was forgotten", name)
		}
	}
}

// TestAttack_OfferFlood_Rounds: houses whose rounds never close tell as many as are remembered. A
// house that the player asks is heard all the same.
func TestAttack_OfferFlood_Rounds(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	for i := range byte(keptRounds / openRounds) {
		for k := range byte(openRounds) {
			r := tableBy(t, n, common.Address{9, i})
			r.Terms.Closes, r.Terms.Salt = 1<<40, common.Hash{k}
			r.ID = r.Terms.ID(n.domain)
			l.putRound(n, &r)
		}
	}
	r, m := said(t, n, 7, false)
	n.houses[r.Terms.House] = 0
	if err := n.receiveNotice(r.Terms.House, m); err != nil {
		t.Error(err)
	}
	if list, err := n.Rounds(); err != nil || len(list) != keptRounds {
		t.Errorf("%d are remembered, %v", len(list), err)
	}
	if r.Own = new(matchmaking.Registration); yieldsTo([]Round{r}, common.Address{8}) != nil {
		t.Error("one makes room that the player has entered")
	}
}
