package node_test

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/node"
	"github.com/holiman/uint256"
)

// TestChecklist_Mastermind_03_Negotiation: the two propose a stake and replace it, answered or not,
// until one says what the other said last; a stake that the inviting player offered needs no word
// more; and to play for nothing takes both.
func TestChecklist_Mastermind_03_Negotiation(t *testing.T) {
	t.Parallel()
	m := meet(t, 2, func(_ int, c *node.Config) { c.Policy.AnyStake = true })
	alice, bob := m.players[0], m.players[1]
	wei := uint256.NewInt
	r := duel(wei(100))
	r.Most = *wei(200)
	id, err := alice.Invite(m.ctx, r)
	must(t, err)
	_, err = bob.Join(m.ctx, m.find(t, bob, 1)[0], wei(50)) // less than alice offers
	must(t, err)
	m.event(t, alice, node.InviteBid)
	must(t, bob.Bid(m.ctx, id, alice.Account(), wei(60), 0)) // she has not answered
	bids := func(p *player, n int) node.Invite {
		var i node.Invite
		m.wait(t, p, func() bool {
			i = m.state(t, p, id, node.InviteOpen)
			return len(i.Negotiations) == 1 && len(i.Negotiations[0].Bids) == n
		})
		return i
	}
	bids(alice, 2)
	if err := alice.Bid(m.ctx, id, bob.Account(), wei(50), 1); !errors.Is(err, channel.ErrStale) {
		t.Errorf("alice agrees to what bob replaced: %v", err)
	}
	must(t, alice.Bid(m.ctx, id, bob.Account(), wei(90), 0))
	bids(bob, 3)
	must(t, bob.Bid(m.ctx, id, alice.Account(), wei(70), 0))
	bids(alice, 4)
	must(t, alice.Bid(m.ctx, id, bob.Account(), wei(80), 0))
	bids(bob, 5)
	must(t, bob.Bid(m.ctx, id, alice.Account(), wei(80), 2))
	for _, p := range m.players {
		if i := m.state(t, p, id, node.InvitePlayed); !i.Stake.Eq(wei(80)) {
			t.Errorf("the stake is %s", i.Stake.Dec())
		}
	}
	match := m.started(t, alice, bob)[0]
	if !match.Terms.Stakes[0].Eq(wei(80)) || !match.Terms.Stakes[1].Eq(wei(80)) {
		t.Errorf("they play for %v", match.Terms.Stakes)
	}
	m.over(t, m.players, match)

	// In the original who joined could fix a stake of nothing alone. Here alice's range holds
	// nothing, and still her word is asked for.
	r = duel(new(uint256.Int))
	r.Most = *wei(100)
	if id, err = alice.Invite(m.ctx, r); err != nil {
		t.Fatal(err)
	}
	_, err = bob.Join(m.ctx, m.find(t, bob, 1)[0], new(uint256.Int))
	must(t, err)
	bids(alice, 1)
	must(t, alice.Bid(m.ctx, id, bob.Account(), new(uint256.Int), 0))
	for _, p := range m.players {
		if i := m.state(t, p, id, node.InvitePlayed); !i.Stake.IsZero() {
			t.Errorf("the stake is %s", i.Stake.Dec())
		}
	}
}

// TestNegotiationEnds: after so many bids, or when one of the two has enough, a negotiation is
// over.
func TestNegotiationEnds(t *testing.T) {
	t.Parallel()
	m := meet(t, 2, nil)
	alice, bob := m.players[0], m.players[1]
	id, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	cheap := new(uint256.Int).Rsh(stake, 1)
	_, err = bob.Join(m.ctx, m.find(t, bob, 1)[0], cheap)
	must(t, err)
	m.event(t, alice, node.InviteBid)
	for k := range uint64(7) {
		must(t, bob.Bid(m.ctx, id, alice.Account(), new(uint256.Int).AddUint64(cheap, k), 0))
	}
	if err := bob.Bid(m.ctx, id, alice.Account(), cheap, 0); !errors.Is(err, node.ErrBusy) {
		t.Errorf("a ninth bid: %v", err)
	}
	must(t, bob.CancelInvite(id, "too dear"))
	m.wait(t, alice, func() bool { i := m.state(t, alice, id, node.InviteOpen); return i.Negotiations[0].Ended == "too dear" })
}
