package node

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// TestWhatPlayersAreTold: a player is told where those are whom it plays with, and nobody else, and
// why it doesn't play.
func TestWhatPlayersAreTold(t *testing.T) {
	t.Parallel()
	without := "the table plays without you: you did not open the channel in time, or had not your stake in the bank"
	for name, c := range map[string]struct {
		change  func(*Round)
		to      byte
		refusal string
		want    string
		peers   bool // carol
	}{
		"who plays":               {to: 2, peers: true},
		"who plays, refused":      {to: 2, refusal: "late", want: "late", peers: true},
		"whose group is given up": {change: func(r *Round) { r.Groups[0].State, r.Groups[0].Reason = GroupDropped, "no" }, to: 2, want: "no", peers: true},
		"who was left out":        {to: 4, want: without},
		"who is one too few":      {change: func(r *Round) { r.Groups = nil }, to: 4, want: "too few players"},
		"a stranger":              {to: 5},
		"a stranger, refused":     {to: 5, refusal: "late", want: "late"},
		"who waits":               {change: func(r *Round) { r.Seal = protocol.Signature{} }, to: 4},
		"the odd one":             {change: func(r *Round) { r.Terms.Shuffle, r.Draw = 110, common.Hash{1} }, to: 4},
	} {
		l := newLab(t)
		n := l.node(nil)
		g := l.guest(n, c.to)
		r := tableBy(t, n, n.Account())
		r.Signature, r.Seal = sign(t, 1, r.ID), sign(t, 1, r.ID)
		for _, p := range []byte{2, 3, 4} {
			r.Entries = append(r.Entries, signedBets(t, n, r.ID, p))
			r.Reach = append(r.Reach, message.Peer{Account: playerKey(t, p).Address(), Addresses: []string{string(rune('0' + p))}})
		}
		r.Groups = []RoundGroup{{Players: r.Entries[:2], State: GroupOffered}}
		if c.change != nil {
			c.change(&r)
		}
		n.notify(&r, c.refusal, g.Address())
		heard := g.told()
		if len(heard) != 1 {
			t.Fatalf("%s: %v", name, heard)
		}
		m := heard[0].(message.RoundNotice)
		if m.Refusal != c.want || (len(m.Peers) == 1) != c.peers {
			t.Errorf("%s: refused %q, with %v", name, m.Refusal, m.Peers)
		}
		for _, p := range m.Peers {
			if p.Account != playerKey(t, 3).Address() || !slices.Equal(p.Addresses, []string{"3"}) {
				t.Errorf("%s: plays with %v", name, p)
			}
		}
	}
}

// TestOpenRoundsAreTold: who asks a house is told of its own rounds of which the groups aren't
// known, as far as its budget goes, and then that these were all.
func TestOpenRoundsAreTold(t *testing.T) {
	t.Parallel()
	for left, want := range []int{0, 0, 1, 1} {
		l := newLab(t)
		n := l.node(nil)
		g := l.guest(n, 2)
		open, drawn, others := pairsBy(t, n, n.Account()), pairsBy(t, n, n.Account()), pairsBy(t, n, common.Address{7})
		drawn.ID, drawn.Draw = common.Hash{1}, common.Hash{1}
		for _, r := range []*Round{&open, &drawn, &others} {
			r.Signature = sign(t, 1, r.ID)
			l.putRound(n, r)
		}
		l.must(n.charge(n.budgets.queries, g.Address(), queryLimit.Account.Burst-left))
		err := n.receiveRoundQuery(g.Address())
		heard := g.told()
		if left == 0 {
			if !errors.Is(err, ErrBusy) || len(heard) != 0 {
				t.Errorf("without a budget: %v, %v", heard, err)
			}
			continue
		}
		if err != nil || len(heard) != want+1 || heard[want] != (message.RoundEnd{}) || want > 0 && heard[0].(message.RoundNotice).Round.House != n.Account() {
			t.Errorf("with %d left: %v, %v", left, heard, err)
		}
	}
}

// TestWhatIsWrongWithAGroup: the user is told of which group.
func TestWhatIsWrongWithAGroup(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	r := pairsBy(t, n, n.Account())
	r.Seal, r.Draw, r.Terms.Shuffle = protocol.Signature{1}, common.Hash{1}, n.block()
	r.Groups = []RoundGroup{{State: GroupDone}, {State: GroupDrawn}}
	l.putRound(n, &r)
	if err := n.tendHouse(t.Context(), &r); err == nil || !strings.Contains(err.Error(), "group 2:") {
		t.Errorf("a group without players: %v", err)
	}
	r.Groups = []RoundGroup{{State: GroupDone}, {State: GroupOffered}}
	l.putRound(n, &r)
	if err := n.tendRound(t.Context(), &r); err == nil || !strings.Contains(err.Error(), "group 2:") {
		t.Errorf("a group without an offer: %v", err)
	}
}
