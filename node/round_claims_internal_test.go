package node

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
)

// A house that announces rounds which never close does not fill the memory for those of others.
func TestRounds_OneHouseHidesNoOther(t *testing.T) {
	l := newLab(t)
	n := l.node(nil)
	liar, honest := playerKey(t, 7).Address(), playerKey(t, 8).Address()
	n.houses[liar], n.houses[honest] = 0, 0
	for i := range keptRounds {
		r := pairsBy(t, n, liar)
		r.Terms.Closes, r.Terms.Shuffle, r.Terms.Salt = 1<<40, 1<<40+1, common.Hash{1, byte(i), byte(i >> 8)}
		if err := n.receiveNotice(liar, message.RoundNotice{Round: r.Terms, Signature: sign(t, 7, r.Terms.ID(n.domain))}); err != nil && !errors.Is(err, ErrBusy) {
			t.Fatal(err)
		}
	}
	r := pairsBy(t, n, honest)
	err := n.receiveNotice(honest, message.RoundNotice{Round: r.Terms, Signature: sign(t, 8, r.ID)})
	if errors.Is(err, ErrBusy) {
		t.Fatal("the honest house's round is not learnt: ", err)
	}
	l.must(err)
}

// Of the peers that a house names only those are kept with whom this player is registered.
func TestRounds_KeepOpponentsOnly(t *testing.T) {
	l := newLab(t)
	n := l.node(nil)
	liar := playerKey(t, 7).Address()
	n.houses[liar] = 0
	r := pairsBy(t, n, liar)
	before := len(n.net.Peers())
	for i := range 100 {
		m := message.RoundNotice{Round: r.Terms, Signature: sign(t, 7, r.ID)}
		for k := range 15 {
			m.Peers = append(m.Peers, message.Peer{Account: common.Address{9, byte(i), byte(k)}})
		}
		l.must(n.receiveNotice(liar, m))
	}
	if now := len(n.net.Peers()); now > before {
		t.Fatalf("%d accounts are kept, %d before", now, before)
	}
}

// TestAttack_Sybil_Named: a house names, as those whom the player is to be connected to, ever other
// players of its round, each registered by a key of its own. Only the one whom the draw pairs with
// the player is kept, whether the house named it before the draw or after.
func TestAttack_Sybil_Named(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	n.drive.Client = Join(t, nil).drive.Client
	r := pairsBy(t, n, playerKey(t, 7).Address())
	own := signedBets(t, n, r.ID, 1)
	r.Own = &own
	l.putRound(n, &r)
	n.head.block.Number = 105
	before := len(n.net.Peers())
	names := func(sealed bool, from, to byte) message.RoundNotice {
		m := message.RoundNotice{Round: r.Terms, Signature: sign(t, 7, r.ID), Entries: []matchmaking.Registration{own}}
		for p := from; p < to; p++ {
			m.Entries = append(m.Entries, signedBets(t, n, r.ID, p))
			m.Peers = append(m.Peers, message.Peer{Account: playerKey(t, p).Address()})
		}
		slices.SortFunc(m.Entries, func(a, b matchmaking.Registration) int { return a.Player.Cmp(b.Player) })
		if sealed {
			m.Seal = sign(t, 7, matchmaking.SealDigest(n.domain, r.ID, m.Entries))
		}
		return m
	}
	for from := byte(100); from < 220; from += 15 {
		_ = n.receiveNotice(r.Terms.House, names(false, from, from+15))
		_ = n.receiveNotice(r.Terms.House, names(true, from, from+15))
	}
	first := names(true, 100, 115)
	kept := func(want ...common.Address) {
		t.Helper()
		if list := n.net.Peers(); len(list) != before+len(want) || len(want) > 0 && !slices.ContainsFunc(list, func(p transport.Peer) bool { return p.Account == want[0] }) {
			t.Errorf("%d accounts are kept, %d before; want %v, too", len(list), before, want)
		}
	}
	l.must(n.receiveNotice(r.Terms.House, first))
	kept()
	l.put(n, fmt.Sprintf("fact/block/%016x", r.Terms.Shuffle), common.Hash{5})
	var err error
	n.drive.Facts, err = chain.NewFacts(nil, n.config.Store, 0)
	l.must(err)
	now, err := n.Round(r.ID)
	l.must(err)
	l.must(n.drawRound(&now))
	pair := others(now.Group(n.Account()), n.Account())
	kept(pair...)
	n.net.Forget(pair[0])
	l.must(n.receiveNotice(r.Terms.House, first))
	kept(pair...)
}
