package node

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ethereum/go-ethereum/common"
)

// TestAttack_SignWhileDisputed_Leaving: whoever has said to leave a channel one-sidedly plays no
// new match in it, though the chain does not show that yet: not by itself, not for an invite, and
// not at its own word. The matches that run go on, and are booked.
func TestAttack_SignWhileDisputed_Leaving(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob := l.node(nil), l.node(nil)
	id := l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
	s := l.session(alice, id)
	runs := l.match(bob, id, 7, 0, 1)
	s.mu.Lock()
	l.must(s.instruct(func(w *instructions) { w.Exit = true }))
	s.mu.Unlock()

	propose := channel.ProposeMatch{Rules: toyRules, Params: toy.Params(0), Seats: []uint8{0, 1}, Stakes: stakes(5, 5)}
	l.must(l.session(bob, id).step(propose))
	l.settle()
	i := l.agreedOn(alice, bob, 1, id)
	i.Mine, i.Invite = true, matchmaking.Invite{Player: alice.Account(), Rules: toyRules, Params: toy.Params(0), Expiry: i.Expiry}
	l.must(alice.saveInvite(i))
	l.must(s.step(channel.Tick{}))
	l.must(alice.welcome(t.Context()))
	if err := s.step(propose); !errors.Is(err, channel.ErrFrozen) {
		t.Errorf("it proposes a match: %v", err)
	}
	s.again()
	s.decide()
	l.settle()
	if list := alice.Matches(); len(list) != 1 || list[0].ID != runs {
		t.Fatalf("%d matches run", len(list))
	}

	l.must(s.step(channel.MakeMove{MatchID: runs, Move: toy.Win(0)}))
	l.settle()
	if len(s.machine.Ledger().Locks) != 0 {
		t.Error("the match that ran is not booked")
	}
}
