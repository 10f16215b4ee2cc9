package node_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	antev1 "github.com/ante-games/ante/proto/ante/v1"
	"github.com/ante-games/ante/transport"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// clock is a player's own clock, which a test can put forward.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

// meeting is players who know a lobby, and of each other only what it shows.
type meeting struct {
	*table
	lobby *player
	clock clock
}

// meet makes a lobby and so many players with an ether in the bank, who answer nothing by themselves. Change may be nil.
func meet(t *testing.T, players int, change func(seat int, c *node.Config)) *meeting {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	m := &meeting{table: &table{ctx: ctx}}
	m.lobby = join(t, func(c *node.Config) { c.Lobby = true })
	for seat := range players {
		p := join(t, func(c *node.Config) {
			c.Policy.Accept, c.Policy.Approve, c.Now = nil, nil, m.clock.now
			if change != nil {
				change(seat, c)
			}
		})
		p.fund(t)
		m.players = append(m.players, p)
		m.attend(t, p)
	}
	return m
}

// attend makes a player a guest of the lobby.
func (m *meeting) attend(t *testing.T, p *player) {
	t.Helper()
	must(t, dev.Connect(m.ctx, p.Node, m.lobby.Node))
	must(t, p.AddLobby(m.lobby.Account()))
}

func duel(stake *uint256.Int) node.InviteRequest {
	return node.InviteRequest{Game: "toy", Least: *stake, Window: 20, Life: time.Hour}
}

// find waits until a player is shown so many invites, and returns them.
func (m *meeting) find(t *testing.T, p *player, want int) []channel.SignedInvite {
	t.Helper()
	for {
		list, err := p.Browse(m.ctx, node.Filter{})
		must(t, err)
		if len(list) == want {
			return list
		}
		m.again(t)
	}
}

// again fails when the test has no time left to look again.
func (m *meeting) again(t *testing.T) {
	t.Helper()
	must(t, m.ctx.Err())
}

// state waits until an invite of a player is in a state.
func (m *meeting) state(t *testing.T, p *player, id common.Hash, want node.InviteState) node.Invite {
	t.Helper()
	var i node.Invite
	m.wait(t, p, func() bool {
		list, err := p.Invites()
		must(t, err)
		at := slices.IndexFunc(list, func(i node.Invite) bool { return i.ID == id })
		if at >= 0 {
			i = list[at]
		}
		return i.State == want
	})
	return i
}

// started waits until two players play a match, and returns it.
func (m *meeting) started(t *testing.T, players ...*player) (list []node.Match) {
	t.Helper()
	for _, p := range players {
		m.wait(t, p, func() bool {
			return slices.ContainsFunc(p.Matches(), func(m node.Match) bool { return m.Started && m.Outcome == nil })
		})
		for _, match := range p.Matches() {
			if match.Started && match.Outcome == nil {
				list = append(list, match)
			}
		}
	}
	return list
}

// over ends a match by letting its seat 0 lose, and waits until it is booked.
func (m *meeting) over(t *testing.T, players []*player, match node.Match) {
	t.Helper()
	for _, p := range players {
		if x, err := p.Match(match.ID); err == nil && x.Seat == int(x.Mover) {
			m.play(t, p, match.ID, "win 1")
		}
	}
	for _, p := range players {
		m.wait(t, p, func() bool { r, err := p.Result(match.ID); return err == nil && r.Paid })
	}
}

// TestMeetingInALobby: two strangers meet, a channel is opened for them, they play; and when they meet again it costs no
// transaction.
func TestMeetingInALobby(t *testing.T) {
	m := meet(t, 2, nil)
	alice, bob := m.players[0], m.players[1]
	r := duel(stake)
	r.Deposit = *new(uint256.Int).Lsh(stake, 1)
	id, err := alice.Invite(m.ctx, r)
	must(t, err)
	shown := m.find(t, bob, 1)
	if got := m.find(t, m.lobby, 1); got[0].ID(alice.Domain()) != id {
		t.Errorf("the lobby shows %v", got)
	}
	if _, err := bob.Join(m.ctx, shown[0], stake); err != nil {
		t.Fatal(err)
	}
	matches := m.started(t, alice, bob)
	if x := matches[0]; !x.Terms.Stakes[0].Eq(stake) || x.Channel != matches[1].Channel || x.ID != matches[1].ID {
		t.Errorf("they play %+v", matches)
	}
	if c, err := alice.Channel(matches[0].Channel); err != nil || !c.Terms.Deposits[0].Eq(&r.Deposit) || !c.Terms.Deposits[1].Eq(&r.Deposit) {
		t.Errorf("the channel is %+v, %v", c.Terms, err)
	}
	for _, p := range m.players {
		m.state(t, p, id, node.InvitePlayed)
	}
	m.find(t, m.lobby, 0)
	m.over(t, m.players, matches[0])

	sent := func() (n int) {
		for _, p := range m.players {
			list, err := p.Transactions(100)
			must(t, err)
			n += len(list)
		}
		return n
	}
	before := sent()
	again, err := bob.Invite(m.ctx, duel(stake))
	must(t, err)
	if _, err := alice.Join(m.ctx, m.find(t, alice, 1)[0], stake); err != nil {
		t.Fatal(err)
	}
	for _, p := range m.players {
		m.state(t, p, again, node.InvitePlayed)
	}
	if got := m.started(t, alice, bob)[0]; got.Channel != matches[0].Channel || sent() != before {
		t.Errorf("the second match is in channel %s and took %d transactions", got.Channel, sent()-before)
	}
}

// TestMeetingWithoutALobby: who is connected to the inviting player finds the invite there.
func TestMeetingWithoutALobby(t *testing.T) {
	m := meet(t, 1, nil)
	alice, bob := m.players[0], join(t, nil)
	must(t, dev.Connect(m.ctx, bob.Node, alice.Node))
	_, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	_, err = bob.JoinAny(m.ctx, m.find(t, bob, 1), stake)
	must(t, err)
	m.started(t, alice, bob)
}

// TestChecklist_Mastermind_01_PublicAndPrivate: only who is named may join a private match; of several public ones any can
// be joined, that one or whichever fits.
func TestChecklist_Mastermind_01_PublicAndPrivate(t *testing.T) {
	m := meet(t, 4, nil)
	alice, bob, carol, dave := m.players[0], m.players[1], m.players[2], m.players[3]
	mastermind := node.InviteRequest{Game: "mastermind", Params: []byte(`{"rounds":1}`), Least: *stake, Window: 20, Life: time.Hour}
	private := mastermind
	private.Guests = []common.Address{bob.Account()}
	secret, err := alice.Invite(m.ctx, private)
	must(t, err)
	seen := m.find(t, bob, 1)
	m.find(t, carol, 0)
	if _, err := carol.Join(m.ctx, seen[0], stake); !errors.Is(err, node.ErrUnknownInvite) {
		t.Errorf("carol joins what is for bob: %v", err)
	}
	// Carol's node may be changed to try it all the same.
	must(t, dev.Connect(m.ctx, carol.Node, alice.Node))
	must(t, carol.Network().Send(alice.Account(), channel.Envelope(common.Hash{}, channel.Bid{InviteID: secret, Round: 1, Stake: *stake})))
	_, err = bob.Join(m.ctx, seen[0], stake)
	must(t, err)
	if i := m.state(t, alice, secret, node.InvitePlayed); i.With != bob.Account() || len(i.Bargains) != 1 {
		t.Errorf("alice plays with %s", i.With)
	}

	// Two public ones: the third player joins a given one, and the fourth whichever is left.
	first, err := alice.Invite(m.ctx, mastermind)
	must(t, err)
	second, err := bob.Invite(m.ctx, mastermind)
	must(t, err)
	list := m.find(t, carol, 2)
	at := slices.IndexFunc(list, func(i channel.SignedInvite) bool { return i.ID(alice.Domain()) == second })
	_, err = carol.Join(m.ctx, list[at], stake)
	must(t, err)
	if i := m.state(t, bob, second, node.InvitePlayed); i.With != carol.Account() {
		t.Errorf("bob plays with %s", i.With)
	}
	got, err := dave.JoinAny(m.ctx, m.find(t, dave, 1), stake)
	must(t, err)
	if got != first {
		t.Errorf("dave joined %s", got)
	}
	m.state(t, alice, first, node.InvitePlayed)
}

// TestJoinAnyIsFair: each of the invites that fit is joined sometimes.
func TestJoinAny(t *testing.T) {
	m := meet(t, 3, nil)
	alice, bob, carol := m.players[0], m.players[1], m.players[2]
	small, err := alice.Invite(m.ctx, duel(new(uint256.Int).Rsh(stake, 1)))
	must(t, err)
	fits, err := bob.Invite(m.ctx, duel(stake))
	must(t, err)
	list := m.find(t, carol, 2)
	if got, err := carol.JoinAny(m.ctx, list, stake); err != nil || got != fits {
		t.Errorf("joined %s, %v; %s takes less", got, err, small)
	}
	if _, err := carol.JoinAny(m.ctx, list, ether); !errors.Is(err, node.ErrUnknownInvite) {
		t.Errorf("joined for a stake that nobody takes: %v", err)
	}
}

// TestChecklist_Mastermind_02_Cancel: an invite that nobody has joined can be cancelled: its place is free again, nothing
// was ever locked, and who joins it afterwards is refused, after a restart, too.
func TestChecklist_Mastermind_02_Cancel(t *testing.T) {
	m := meet(t, 2, nil)
	alice, bob := m.players[0], m.players[1]
	var ids []common.Hash
	for range 8 {
		id, err := alice.Invite(m.ctx, duel(stake))
		must(t, err)
		ids = append(ids, id)
	}
	if _, err := alice.Invite(m.ctx, duel(stake)); !errors.Is(err, node.ErrBusy) {
		t.Errorf("a ninth invite: %v", err)
	}
	shown := m.find(t, bob, 8)
	must(t, alice.CancelInvite(ids[0], ""))
	m.find(t, bob, 7)
	if err := alice.CancelInvite(ids[0], ""); !errors.Is(err, node.ErrUnknownInvite) {
		t.Errorf("cancelled twice: %v", err)
	}
	_, err := alice.Invite(m.ctx, duel(stake)) // the place is free
	must(t, err)
	if got := m.free(t, alice); !got.Eq(ether) {
		t.Errorf("%s in the bank", got.Dec())
	}
	alice.restart(t)
	m.attend(t, alice)
	m.find(t, bob, 8)
	at := slices.IndexFunc(shown, func(i channel.SignedInvite) bool { return i.ID(alice.Domain()) == ids[0] })
	late := shown[at]
	must(t, bob.Network().Keep(alice.Account(), alice.Network().Addresses()...))
	_, err = bob.Join(m.ctx, late, stake)
	must(t, err)
	if i := m.state(t, bob, ids[0], node.InviteEnded); !strings.Contains(i.Reason, "cancelled") {
		t.Errorf("the late join ends with %q", i.Reason)
	}
	m.state(t, alice, ids[0], node.InviteCancelled)
}

// TestChecklist_Mastermind_03_Negotiation: the two propose and revise a stake until one says what the other said last; a
// stake that the inviting player offered needs no word more; and to play for nothing takes both.
func TestChecklist_Mastermind_03_Negotiation(t *testing.T) {
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
	if err := bob.Bid(m.ctx, id, alice.Account(), wei(60)); !errors.Is(err, channel.ErrNotYourTurn) {
		t.Errorf("bob bids twice: %v", err)
	}
	bids := func(p *player, n int) node.Invite {
		var i node.Invite
		m.wait(t, p, func() bool {
			i = m.state(t, p, id, node.InviteOpen)
			return len(i.Bargains) == 1 && len(i.Bargains[0].Bids) == n
		})
		return i
	}
	must(t, alice.Bid(m.ctx, id, bob.Account(), wei(90)))
	bids(bob, 2)
	must(t, bob.Bid(m.ctx, id, alice.Account(), wei(70)))
	bids(alice, 3)
	must(t, alice.Bid(m.ctx, id, bob.Account(), wei(80)))
	bids(bob, 4)
	must(t, bob.Bid(m.ctx, id, alice.Account(), wei(80)))
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

	// In the original who joined could fix a stake of nothing alone. Here alice's range holds nothing, and still her word
	// is asked for.
	r = duel(new(uint256.Int))
	r.Most = *wei(100)
	if id, err = alice.Invite(m.ctx, r); err != nil {
		t.Fatal(err)
	}
	_, err = bob.Join(m.ctx, m.find(t, bob, 1)[0], new(uint256.Int))
	must(t, err)
	bids(alice, 1)
	must(t, alice.Bid(m.ctx, id, bob.Account(), new(uint256.Int)))
	for _, p := range m.players {
		if i := m.state(t, p, id, node.InvitePlayed); !i.Stake.IsZero() {
			t.Errorf("the stake is %s", i.Stake.Dec())
		}
	}
}

// TestBargainEnds: after so many bids, or when one of the two has enough, a negotiation is over.
func TestBargainEnds(t *testing.T) {
	m := meet(t, 2, nil)
	alice, bob := m.players[0], m.players[1]
	id, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	cheap := new(uint256.Int).Rsh(stake, 1)
	_, err = bob.Join(m.ctx, m.find(t, bob, 1)[0], cheap)
	must(t, err)
	m.event(t, alice, node.InviteBid)
	for round, players := 2, [2]*player{alice, bob}; round <= 16; round++ {
		p, other := players[round%2], players[1-round%2]
		m.wait(t, p, func() bool {
			i := m.state(t, p, id, node.InviteOpen)
			return len(i.Bargains) == 1 && i.Waits(&i.Bargains[0])
		})
		must(t, p.Bid(m.ctx, id, other.Account(), new(uint256.Int).AddUint64(cheap, uint64(round))))
	}
	m.wait(t, bob, func() bool { i := m.state(t, bob, id, node.InviteOpen); return len(i.Bargains[0].Bids) == 16 })
	if err := bob.Bid(m.ctx, id, alice.Account(), cheap); !errors.Is(err, node.ErrBusy) {
		t.Errorf("a seventeenth bid: %v", err)
	}
	must(t, bob.CancelInvite(id, "too dear"))
	m.wait(t, alice, func() bool { i := m.state(t, alice, id, node.InviteOpen); return i.Bargains[0].Ended == "too dear" })
}

// TestMeetingSurvivesRestarts: whoever crashes when, a join goes on.
func TestMeetingSurvivesRestarts(t *testing.T) {
	m := meet(t, 2, nil)
	alice, bob := m.players[0], m.players[1]
	id, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	cheap := new(uint256.Int).Rsh(stake, 1)
	_, err = bob.Join(m.ctx, m.find(t, bob, 1)[0], cheap)
	must(t, err)
	m.event(t, alice, node.InviteBid)
	must(t, bob.Close()) // and with it, what alice says now is lost
	must(t, alice.Bid(m.ctx, id, bob.Account(), stake))
	alice.restart(t)
	bob.memory = bob.memory.Reopen()
	bob.config.Store = bob.memory
	bob.start(t)
	must(t, dev.Connect(m.ctx, bob.Node, alice.Node))
	m.wait(t, bob, func() bool { i := m.state(t, bob, id, node.InviteOpen); return len(i.Bargains[0].Bids) == 2 })
	must(t, bob.Bid(m.ctx, id, alice.Account(), stake))
	bob.restart(t)
	must(t, dev.Connect(m.ctx, bob.Node, alice.Node))
	for _, p := range m.players {
		m.state(t, p, id, node.InvitePlayed)
	}
	m.started(t, alice, bob)
	for _, p := range m.players {
		if list, err := p.Offers(); err != nil || len(list) != 1 {
			t.Errorf("%d channels were offered, %v", len(list), err)
		}
	}
}

// TestInviteLeavesWithItsPlayer: a lobby shows the invites of players who are there.
func TestInviteLeavesWithItsPlayer(t *testing.T) {
	m := meet(t, 1, nil)
	alice := m.players[0]
	_, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	m.find(t, m.lobby, 1)
	must(t, alice.Close())
	m.find(t, m.lobby, 0)
	alice.start(t)
	m.attend(t, alice)
	m.find(t, m.lobby, 1)
}

// taciturn is a network on which nobody is told that there is nothing to negotiate.
type taciturn struct{ node.Network }

func (n taciturn) Send(to common.Address, env *antev1.Envelope) error {
	if env.GetEndBids() != nil {
		return nil
	}
	return n.Network.Send(to, env)
}

// secretive lets a test bid in the name of a player whose node knows nothing of it.
func secretive(c *node.Config) {
	network := c.Network
	c.Network = func(d channel.Domain, h transport.Handler) (node.Network, error) {
		net, err := network(d, h)
		return taciturn{net}, err
	}
}

// TestAttack_LobbyHog: whoever agrees on a stake and does not come gives the place back, and gets it no second time.
func TestAttack_LobbyHog(t *testing.T) {
	m := meet(t, 2, nil)
	alice, bob := m.players[0], m.players[1]
	id, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	mallory := join(t, secretive)
	must(t, dev.Connect(m.ctx, mallory.Node, alice.Node))
	bid := channel.Envelope(common.Hash{}, channel.Bid{InviteID: id, Round: 1, Stake: *stake})
	must(t, mallory.Network().Send(alice.Account(), bid))
	m.state(t, alice, id, node.InviteJoined)
	if err := alice.CancelInvite(id, ""); !errors.Is(err, node.ErrUnknownInvite) {
		t.Errorf("cancelled although somebody joined: %v", err)
	}
	m.clock.ahead.Store(int64(2 * time.Minute))
	must(t, world.Chain.Mine(1))
	m.state(t, alice, id, node.InviteOpen)
	must(t, mallory.Network().Send(alice.Account(), bid))
	_, err = bob.JoinAny(m.ctx, m.find(t, bob, 1), stake)
	must(t, err)
	if i := m.state(t, alice, id, node.InvitePlayed); i.With != bob.Account() {
		t.Errorf("alice plays with %s", i.With)
	}
}

// TestAttack_OtherTerms: an agreement is good for the channel and the match that were agreed on, once each; whatever else
// comes waits for the user.
func TestAttack_OtherTerms(t *testing.T) {
	m := meet(t, 1, nil)
	alice, mallory := m.players[0], join(t, secretive)
	must(t, dev.Connect(m.ctx, mallory.Node, alice.Node))
	id, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	must(t, mallory.Network().Send(alice.Account(), channel.Envelope(common.Hash{}, channel.Bid{InviteID: id, Round: 1, Stake: *stake})))
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
	_, again := offer(func(r *node.OpenRequest) { r.OpenBy = now(t, alice) + 19 }) // the same once more
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
	invites []channel.SignedInvite
	asked   atomic.Int32
}

func (f *forger) Receive(from common.Address, env *antev1.Envelope) {
	_, m, err := channel.FromEnvelope(env)
	q, ok := m.(channel.ListInvites)
	if err != nil || !ok {
		f.Handler.Receive(from, env)
		return
	}
	f.asked.Add(1)
	_ = f.net.Send(from, channel.Envelope(common.Hash{}, channel.InvitePage{Query: q.Query, Invites: f.invites, More: true})) // for ever
}

// TestAttack_LyingLobby: what a lobby makes up, changes, passes on to the wrong people or keeps showing is not shown to the
// user, and it keeps nobody reading for ever.
func TestAttack_LyingLobby(t *testing.T) {
	bob := join(t, nil)
	f := new(forger)
	mallory := join(t, func(c *node.Config) {
		network := c.Network
		c.Network = func(d channel.Domain, h transport.Handler) (node.Network, error) {
			f.Handler = h
			var err error
			f.net, err = network(d, f)
			return f.net, err
		}
	})
	invite := func(d channel.Domain, change func(*channel.Invite)) channel.SignedInvite {
		i := channel.SignedInvite{Invite: channel.Invite{Player: mallory.Account(), Rules: world.Rules["toy"], Least: *stake, Most: *stake,
			Window: 20, Expiry: uint64(time.Now().Add(time.Hour).Unix())}}
		change(&i.Invite)
		var err error
		i.Signature, err = mallory.config.Player.Sign(i.ID(d))
		must(t, err)
		return i
	}
	d := mallory.Domain()
	good := invite(d, func(*channel.Invite) {})
	changed := good
	changed.Most.Lsh(stake, 4)
	f.invites = []channel.SignedInvite{
		changed,
		invite(d, func(i *channel.Invite) { i.Player = common.Address{9} }),
		invite(d, func(i *channel.Invite) { i.Expiry = uint64(time.Now().Add(-time.Second).Unix()) }),
		invite(d, func(i *channel.Invite) { i.Guests = []common.Address{{9}} }),
		invite(d, func(i *channel.Invite) { i.Rules = world.Rules["mastermind"] }), // bob asks for another game
		invite(channel.Domain{ChainID: d.ChainID + 1, Arena: d.Arena}, func(*channel.Invite) {}),
		invite(channel.Domain{ChainID: d.ChainID}, func(*channel.Invite) {}),
		good,
	}
	must(t, dev.Connect(t.Context(), bob.Node, mallory.Node))
	list, err := bob.Browse(t.Context(), node.Filter{Rules: world.Rules["toy"]})
	must(t, err)
	if len(list) != 1 || list[0].ID(d) != good.ID(d) {
		t.Errorf("bob is shown %+v", list)
	}
	if asked := f.asked.Load(); asked > 64 {
		t.Errorf("mallory was asked %d times", asked)
	}
}

func TestInviteExpires(t *testing.T) {
	m := meet(t, 1, nil)
	alice := m.players[0]
	id, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	m.find(t, m.lobby, 1)
	m.clock.ahead.Store(int64(2 * time.Hour))
	must(t, world.Chain.Mine(1))
	if i := m.state(t, alice, id, node.InviteEnded); i.Reason != "it expired" {
		t.Errorf("it ended with %q", i.Reason)
	}
	m.find(t, m.lobby, 0)
}

func TestBadInvites(t *testing.T) {
	m := meet(t, 1, nil)
	alice := m.players[0]
	for name, c := range map[string]struct {
		change func(*node.InviteRequest)
		want   error
	}{
		"cheap":          {func(r *node.InviteRequest) { r.Least.SetOne() }, channel.ErrCheap},
		"dear":           {func(r *node.InviteRequest) { r.Most.Lsh(ether, 1) }, node.ErrFunds},
		"empty range":    {func(r *node.InviteRequest) { r.Most.Rsh(stake, 1) }, channel.ErrTerms},
		"small deposit":  {func(r *node.InviteRequest) { r.Deposit.Rsh(stake, 1) }, channel.ErrTerms},
		"short window":   {func(r *node.InviteRequest) { r.Window = dev.MinWindow - 1 }, channel.ErrTerms},
		"for itself":     {func(r *node.InviteRequest) { r.Guests = []common.Address{alice.Account()} }, channel.ErrTerms},
		"no such game":   {func(r *node.InviteRequest) { r.Game = "chess" }, nil},
		"bad parameters": {func(r *node.InviteRequest) { r.Game, r.Params = "mastermind", []byte(`{"pegs":99}`) }, nil},
	} {
		r := duel(stake)
		c.change(&r)
		if _, err := alice.Invite(m.ctx, r); err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
	if list, err := alice.Invites(); err != nil || len(list) != 0 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}
