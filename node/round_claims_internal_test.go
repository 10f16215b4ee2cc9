package node

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/protocol/message"
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
