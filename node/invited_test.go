package node_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// toldOf returns the events of a kind that a player was told by now.
func toldOf(t *testing.T, p *player, kind node.Kind) []string {
	t.Helper()
	list, err := p.Past(0)
	must(t, err)
	var texts []string
	for _, e := range list {
		if e.Kind == kind {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// byName is an invite to a duel for one guest.
func byName(guest *player) node.InviteRequest {
	r := duel(stake)
	r.Guests = []common.Address{guest.Account()}
	return r
}

// TestAnOlderMatchIsNotTheInvites: a match that was locked before an invite was agreed on is not
// the one that it calls for, while it runs and when it is over.
func TestAnOlderMatchIsNotTheInvites(t *testing.T) {
	t.Parallel()
	tb := sit(t, 2, nil)
	alice := tb.players[0]
	id := tb.match(t, "toy", "")
	m, err := alice.Match(id)
	must(t, err)
	i := node.Invite{Channel: tb.channel, Stake: *stake}
	i.Rules, i.Params = m.Terms.Rules, m.Terms.Params
	check := func() {
		t.Helper()
		for after, want := range map[uint64]bool{m.Terms.Nonce: false, m.Terms.Nonce - 1: true} {
			i.After = after
			if begun, err := alice.Begun(&i); err != nil || begun != want {
				t.Errorf("match %d, for an invite after %d: %t, %v", m.Terms.Nonce, after, begun, err)
			}
		}
	}
	check()
	tb.play(t, alice, id, "win 0")
	_, err = alice.Finished(tb.ctx, tb.channel, 1)
	must(t, err)
	tb.wait(t, alice, func() bool { return len(alice.Matches()) == 0 })
	check()
}

// TestInvited: a guest is told of an invite by name without looking for it, once, joins it, and is
// no longer shown one that is taken back.
func TestInvited(t *testing.T) {
	t.Parallel()
	tb, alice, bob := emptyTable(t), join(t, nil), join(t, nil)
	alice.fund(t)
	bob.fund(t)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	r := byName(bob)
	id, err := alice.Invite(tb.ctx, r)
	must(t, err)
	if e := tb.event(t, bob, node.Invited); !strings.Contains(e.Text, alice.Account().Hex()+" invites you to play toy for 0.1 eth each") || !strings.Contains(e.Text, id.Hex()) {
		t.Errorf("bob reads %q", e.Text)
	}
	gone, err := alice.Invite(tb.ctx, r)
	must(t, err)
	tb.wait(t, bob, func() bool { return len(toldOf(t, bob, node.Invited)) == 2 })
	must(t, alice.CancelInvite(gone, ""))

	// After it comes an offer: by then everything that alice said before has arrived, and a public
	// invite was none of it.
	_, err = alice.Invite(tb.ctx, duel(stake))
	must(t, err)
	_, err = alice.Offer(tb.ctx, node.OpenRequest{Peers: []common.Address{bob.Account()}, Deposits: []uint256.Int{*stake, *stake}, Window: 20})
	must(t, err)
	tb.wait(t, bob, func() bool { list, err := bob.Offers(); return err == nil && len(list) == 1 })
	if n := len(toldOf(t, bob, node.Invited)); n != 2 {
		t.Errorf("bob is told %d times", n)
	}
	list, err := bob.Browse(tb.ctx, node.Filter{})
	must(t, err)
	ids := make([]common.Hash, len(list))
	for k := range list {
		ids[k] = list[k].ID(alice.Domain())
	}
	if len(ids) != 2 || !slices.Contains(ids, id) || slices.Contains(ids, gone) {
		t.Errorf("bob is shown %v", ids)
	}
	_, err = bob.Join(tb.ctx, list[slices.Index(ids, id)], stake)
	must(t, err)
	tb.wait(t, alice, func() bool {
		list, err := alice.Invites()
		return err == nil && slices.ContainsFunc(list, func(i node.Invite) bool { return i.ID == id && i.State == node.InvitePlayed })
	})
}

// TestInvited_Later: a guest who was not there is told when the two connect, and not again when
// they do once more.
func TestInvited_Later(t *testing.T) {
	t.Parallel()
	tb, alice, bob := emptyTable(t), join(t, nil), join(t, nil)
	alice.fund(t)
	_, err := alice.Invite(tb.ctx, byName(bob))
	must(t, err)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	tb.event(t, bob, node.Invited)
	alice.restart(t)
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	_, err = alice.Browse(tb.ctx, node.Filter{}) // bob answers that after what came before
	must(t, err)
	if n := len(toldOf(t, bob, node.Invited)); n != 1 {
		t.Errorf("bob is told %d times", n)
	}
}

// TestInvited_NotTooOften: nobody fills a player's screen with invites by name, and nobody posts
// another's, or a forged one.
func TestInvited_NotTooOften(t *testing.T) {
	t.Parallel()
	const burst = 16
	start := time.Now()
	tb, alice, carol := emptyTable(t), join(t, nil), join(t, nil)
	bob := join(t, func(c *node.Config) { c.Now = func() time.Time { return start } })
	must(t, dev.Connect(tb.ctx, alice.Node, bob.Node))
	signed := func(of *player, n int) matchmaking.SignedInvite {
		i := matchmaking.SignedInvite{Invite: matchmaking.Invite{
			Player: of.Account(), Rules: world(t).Rules["toy"], Least: *stake, Most: *stake, Window: 20, Guests: []common.Address{bob.Account()},
			Expiry: uint64(start.Add(time.Hour).Unix()), Salt: common.Hash{byte(n)},
		}}
		var err error
		i.Signature, err = of.config.Player.Sign(i.ID(bob.Domain()))
		must(t, err)
		return i
	}
	send := func(m message.Message) {
		must(t, alice.Network().Send(bob.Account(), message.Envelope(common.Hash{}, m)))
	}
	forged := signed(alice, 0)
	forged.Salt[1] = 1
	send(message.PostInvite{Invite: signed(carol, 0)})
	send(message.PostInvite{Invite: forged})
	for n := range 2 * burst {
		x := signed(alice, n)
		send(message.PostInvite{Invite: x})
		send(message.WithdrawInvite{InviteID: x.ID(bob.Domain())})
	}
	tb.wait(t, bob, func() bool { return len(toldOf(t, bob, node.Invited)) >= burst })
	_, err := alice.Browse(tb.ctx, node.Filter{}) // bob answers that after what came before
	must(t, err)
	texts := toldOf(t, bob, node.Invited)
	if len(texts) != burst {
		t.Errorf("bob is told %d times", len(texts))
	}
	for _, text := range texts {
		if !strings.HasPrefix(text, alice.Account().Hex()) || strings.Contains(text, forged.ID(bob.Domain()).Hex()) {
			t.Errorf("bob reads %q", text)
		}
	}
}
