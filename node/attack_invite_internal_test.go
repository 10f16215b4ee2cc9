package node

import (
	"strings"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// looked is a store that has something else happen, once, after invites were looked up so often, or
// the results looked through.
type looked struct {
	store.Store
	after int
	then  func()
}

func (s *looked) Get(key string) ([]byte, error) {
	value, err := s.Store.Get(key)
	if strings.HasPrefix(key, invitePrefix) {
		if s.after--; s.after == 0 {
			s.then()
		}
	}
	return value, err
}

// TestAttack_InviteTwice_Late: a match that its invite's player approves at the moment in which the
// other player would be too late uses the invite up: nobody else can join that.
func TestAttack_InviteTwice_Late(t *testing.T) {
	t.Parallel()
	for name, atOnce := range map[string]bool{"by the invite, which the chain kept waiting": false, "by its channel, while the invite is looked at": true} {
		l := newLab(t)
		s := &looked{Store: store.NewMemory()}
		alice, bob := l.node(func(c *Config) { c.Store, c.Policy.Approve = s, nil }), l.node(nil)
		id := l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
		i := l.agreedOn(alice, bob, 1, common.Hash{})
		i.Mine, i.Player = true, alice.Account()
		l.must(alice.saveInvite(i))
		propose := func() {
			l.must(l.session(bob, id).step(channel.ProposeMatch{Rules: toyRules, Params: toy.Params(0), Seats: []uint8{0, 1}, Stakes: stakes(5, 5)}))
			l.settle()
		}
		if atOnce {
			s.after, s.then = 2, propose
		} else {
			alice.faults[following] = fault{err: errUnread}
			propose()
			delete(alice.faults, following)
		}
		l.now = l.now.Add(2 * offerWithin)
		for range 2 {
			l.must(alice.tendInvite(t.Context(), i.ID))
			l.settle()
		}
		if n, state := len(alice.Matches()), l.state(alice, i.ID); n != 1 || state != InvitePlayed {
			t.Errorf("approved %s: %d matches are locked for the invite, which is %s", name, n, state)
		}
	}
}

// TestAttack_InviteTwice_Proposed: who joined an invite proposes its match once, also if the other
// answers that at the moment in which the joining node looks whether it has begun.
func TestAttack_InviteTwice_Proposed(t *testing.T) {
	t.Parallel()
	for want, answer := range map[InviteState]func(version uint64) channel.Input{
		InvitePlayed: func(version uint64) channel.Input { return channel.ApproveProposal{Version: version} },
		InviteEnded:  func(version uint64) channel.Input { return channel.RefuseProposal{Version: version} },
	} {
		l := newLab(t)
		alice, bob := l.node(nil), l.node(func(c *Config) { c.Policy.Approve = nil })
		id := l.channel(common.Address{}, []uint64{100, 100}, alice, bob)
		i := l.agreedOn(alice, bob, 1, id)
		proposed := 0
		reply := func() {
			l.settle()
			for _, p := range bob.Proposals() {
				proposed++
				l.must(l.session(bob, id).step(answer(p.Version)))
			}
			l.settle()
		}
		l.must(alice.tendInvite(t.Context(), i.ID))
		reply()
		l.must(alice.proposeInvited(i)) // which had not begun when it was looked at
		reply()
		if state := l.state(alice, i.ID); proposed != 1 || state != want {
			t.Errorf("the match is proposed %d times for the invite, which is %s, not %s", proposed, state, want)
		}
	}
}
