package node_test

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/node/nodetest"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// secretive lets a test bid in the name of a player whose node knows nothing of it.
func secretive(c *node.Config) {
	nodetest.Lose(c, func(env *antev1.Envelope) bool { return env.GetEndBids() != nil })
}

// agree has mallory bid for an invite of alice's, and agree to what her node answers. It returns
// what mallory says.
func (m *meeting) agree(t *testing.T, alice, mallory *player, id common.Hash) (said [2]*antev1.Envelope) {
	t.Helper()
	bid := message.Bid{InviteID: id, Number: 1, Stake: *stake}
	said[0] = message.Envelope(common.Hash{}, bid)
	must(t, mallory.Network().Send(alice.Account(), said[0]))
	m.wait(t, alice, func() bool {
		i := m.state(t, alice, id, node.InviteOpen)
		return len(i.Negotiations) == 1 && len(i.Negotiations[0].Bids) == 2
	})
	bid.Number, bid.Agrees = 2, 1
	said[1] = message.Envelope(common.Hash{}, bid)
	must(t, mallory.Network().Send(alice.Account(), said[1]))
	return said
}

// TestAttack_LobbyHog: whoever agrees on a stake and does not come gives the place back, and gets
// it no second time.
func TestAttack_LobbyHog(t *testing.T) {
	t.Parallel()
	m := meet(t, 2, nil)
	alice, bob := m.players[0], m.players[1]
	id, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	mallory := join(t, secretive)
	must(t, dev.Connect(m.ctx, mallory.Node, alice.Node))
	said := m.agree(t, alice, mallory, id)
	m.state(t, alice, id, node.InviteJoined)
	if err := alice.CancelInvite(id, ""); !errors.Is(err, node.ErrUnknownInvite) {
		t.Errorf("cancelled although somebody joined: %v", err)
	}
	m.clock.ahead.Store(int64(2 * time.Minute))
	must(t, world(t).Chain.Mine(1))
	m.state(t, alice, id, node.InviteOpen)
	for _, again := range said {
		must(t, mallory.Network().Send(alice.Account(), again))
	}
	_, err = mallory.Offer(m.ctx, node.OpenRequest{Peers: []common.Address{alice.Account()}, Deposits: []uint256.Int{*stake, *stake}, Window: 10})
	must(t, err) // it comes after the bid, and is for no invite
	m.wait(t, alice, func() bool { list, err := alice.Offers(); return err == nil && len(list) == 1 })
	list, err := alice.Invites()
	must(t, err)
	if len(list) != 1 || list[0].State != node.InviteOpen {
		t.Fatalf("invites: %+v", list)
	}
	_, err = bob.JoinAny(m.ctx, m.find(t, bob, 1), stake)
	must(t, err)
	if i := m.state(t, alice, id, node.InvitePlayed); i.With != bob.Account() {
		t.Errorf("alice plays with %s", i.With)
	}
}

// TestAttack_OtherTerms: an agreement is good for the channel and the match that were agreed on,
// once each; whatever else comes waits for the user.
func TestAttack_OtherTerms(t *testing.T) {
	t.Parallel()
	m := meet(t, 1, nil)
	alice, mallory := m.players[0], join(t, secretive)
	must(t, dev.Connect(m.ctx, mallory.Node, alice.Node))
	id, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	m.agree(t, alice, mallory, id)
	m.state(t, alice, id, node.InviteJoined)
	offer := func(change func(*node.OpenRequest)) (common.Hash, func() node.OfferState) {
		r := node.OpenRequest{Peers: []common.Address{alice.Account()}, Deposits: []uint256.Int{*stake, *stake}, Window: 20}
		change(&r)
		id, err := mallory.Offer(m.ctx, r)
		must(t, err)
		return id, func() node.OfferState {
			list, err := alice.Offers()
			must(t, err)
			at := slices.IndexFunc(list, func(o node.Offer) bool { return o.ID == id })
			if at < 0 {
				return ""
			}
			return list[at].State
		}
	}
	var waiting []func() node.OfferState
	for _, change := range []func(*node.OpenRequest){
		func(r *node.OpenRequest) { r.Window = 10 },
		func(r *node.OpenRequest) { r.Deposits[1].Lsh(stake, 1) },
		func(r *node.OpenRequest) { r.Deposits[0].Clear() },
	} {
		_, state := offer(change)
		waiting = append(waiting, state)
	}
	good, _ := offer(func(*node.OpenRequest) {})
	// the same once more
	_, again := offer(func(r *node.OpenRequest) { r.OpenBy = now(t, alice) + 19 })
	c, err := mallory.Opened(m.ctx, good)
	must(t, err)
	_, err = alice.Opened(m.ctx, good) // whom it has reached by then
	must(t, err)
	m.wait(t, alice, func() bool { return again() != "" })
	for i, state := range append(waiting, again) {
		if got := state(); got != node.OfferOpen {
			t.Errorf("offer %d of other terms is %s", i, got)
		}
	}

	less := new(uint256.Int).Rsh(stake, 1)
	must(t, mallory.Propose(c.ID, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*less}}))
	m.wait(t, alice, func() bool { return len(alice.Proposals()) == 1 })
	must(t, alice.Refuse(c.ID, alice.Proposals()[0].Version, "not what we said"))
	m.event(t, mallory, node.ProposalFailed)
	must(t, mallory.Propose(c.ID, node.MatchRequest{Game: "toy", Stakes: []uint256.Int{*stake}}))
	m.state(t, alice, id, node.InvitePlayed)
}

// forger is a node that shows whatever it likes.
type forger struct {
	transport.Handler
	net     node.Network
	invites []matchmaking.SignedInvite
	asked   atomic.Int32
}

func (f *forger) Receive(from common.Address, env *antev1.Envelope) {
	_, m, err := message.FromEnvelope(env)
	q, ok := m.(message.ListInvites)
	if err != nil || !ok {
		f.Handler.Receive(from, env)
		return
	}
	f.asked.Add(1)
	// for ever
	_ = f.net.Send(from, message.Envelope(common.Hash{}, message.InvitePage{Query: q.Query, Invites: f.invites, More: true}))
}

// TestAttack_LyingLobby: what a lobby makes up, changes, passes on to the wrong people or keeps
// showing is not shown to the user, and it keeps nobody reading for ever.
func TestAttack_LyingLobby(t *testing.T) {
	t.Parallel()
	bob := join(t, nil)
	f := new(forger)
	mallory := join(t, func(c *node.Config) {
		network := c.Network
		c.Network = func(d protocol.Domain, h transport.Handler) (node.Network, error) {
			f.Handler = h
			var err error
			f.net, err = network(d, f)
			return f.net, err
		}
	})
	invite := func(d protocol.Domain, change func(*matchmaking.Invite)) matchmaking.SignedInvite {
		i := matchmaking.SignedInvite{Invite: matchmaking.Invite{Player: mallory.Account(), Rules: world(t).Rules["toy"], Least: *stake, Most: *stake,
			Window: 20, Expiry: uint64(time.Now().Add(time.Hour).Unix())}}
		change(&i.Invite)
		var err error
		i.Signature, err = mallory.config.Player.Sign(i.ID(d))
		must(t, err)
		return i
	}
	d := mallory.Domain()
	good := invite(d, func(*matchmaking.Invite) {})
	changed := good
	changed.Most.Lsh(stake, 4)
	f.invites = []matchmaking.SignedInvite{
		changed,
		invite(d, func(i *matchmaking.Invite) { i.Player = common.Address{9} }),
		invite(d, func(i *matchmaking.Invite) { i.Expiry = uint64(time.Now().Add(-time.Second).Unix()) }),
		invite(d, func(i *matchmaking.Invite) { i.Guests = []common.Address{{9}} }),
		// bob asks for another game
		invite(d, func(i *matchmaking.Invite) { i.Rules = world(t).Rules["mastermind"] }),
		invite(protocol.Domain{ChainID: d.ChainID + 1, Arena: d.Arena}, func(*matchmaking.Invite) {}),
		invite(protocol.Domain{ChainID: d.ChainID}, func(*matchmaking.Invite) {}),
		good,
	}
	must(t, dev.Connect(t.Context(), bob.Node, mallory.Node))
	list, err := bob.Browse(t.Context(), node.Filter{Rules: world(t).Rules["toy"]})
	must(t, err)
	if len(list) != 1 || list[0].ID(d) != good.ID(d) {
		t.Errorf("bob is shown %+v", list)
	}
	if asked := f.asked.Load(); asked > 64 {
		t.Errorf("mallory was asked %d times", asked)
	}
}
