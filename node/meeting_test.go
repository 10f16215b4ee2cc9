package node_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/dev"
	"github.com/ante-games/ante/protocol/matchmaking"
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

// meet makes a lobby and so many players with an ether in the bank, who answer nothing by
// themselves. Change may be nil.
func meet(t *testing.T, players int, change func(seat int, c *node.Config)) *meeting {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
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
func (m *meeting) find(t *testing.T, p *player, want int) []matchmaking.SignedInvite {
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

// TestMeetingInALobby: two strangers meet, a channel is opened for them, they play; and when they
// meet again it costs no transaction.
func TestMeetingInALobby(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
	m := meet(t, 1, nil)
	alice, bob := m.players[0], join(t, nil)
	must(t, dev.Connect(m.ctx, bob.Node, alice.Node))
	_, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	_, err = bob.JoinAny(m.ctx, m.find(t, bob, 1), stake)
	must(t, err)
	m.started(t, alice, bob)
}

// TestMeetingSurvivesRestarts: whoever crashes when, a join goes on.
func TestMeetingSurvivesRestarts(t *testing.T) {
	t.Parallel()
	m := meet(t, 2, nil)
	alice, bob := m.players[0], m.players[1]
	id, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	cheap := new(uint256.Int).Rsh(stake, 1)
	_, err = bob.Join(m.ctx, m.find(t, bob, 1)[0], cheap)
	must(t, err)
	m.event(t, alice, node.InviteBid)
	must(t, bob.Close()) // and with it, what alice says now is lost
	must(t, alice.Bid(m.ctx, id, bob.Account(), stake, 0))
	alice.restart(t)
	bob.memory = bob.memory.Reopen()
	bob.config.Store = bob.memory
	bob.start(t)
	must(t, dev.Connect(m.ctx, bob.Node, alice.Node))
	m.wait(t, bob, func() bool { i := m.state(t, bob, id, node.InviteOpen); return len(i.Negotiations[0].Bids) == 2 })
	must(t, bob.Bid(m.ctx, id, alice.Account(), stake, 0))
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

// TestInviteOutlivesItsPlayersAbsence: a lobby shows an invite while its player is away, somebody
// joins it, and when the player is back they play. What the player took back meanwhile goes.
func TestInviteOutlivesItsPlayersAbsence(t *testing.T) {
	t.Parallel()
	m := meet(t, 2, nil)
	alice, bob := m.players[0], m.players[1]
	id, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	gone, err := alice.Invite(m.ctx, duel(stake))
	must(t, err)
	m.find(t, m.lobby, 2)
	must(t, alice.Close())
	m.wait(t, m.lobby, func() bool { return !connected(m.lobby, alice.Account()) })
	shown := m.find(t, bob, 2)
	if _, err := bob.JoinAny(m.ctx, shown, stake); err == nil {
		t.Error("of any invites bob joins one whose player is away")
	}
	at := slices.IndexFunc(shown, func(i matchmaking.SignedInvite) bool { return i.ID(bob.Domain()) == id })
	_, err = bob.Join(m.ctx, shown[at], stake)
	must(t, err)
	alice.memory = alice.memory.Reopen()
	alice.config.Store = alice.memory
	alice.start(t)
	must(t, alice.CancelInvite(gone, ""))
	m.attend(t, alice)
	must(t, dev.Connect(m.ctx, bob.Node, alice.Node))
	for _, p := range m.players {
		m.state(t, p, id, node.InvitePlayed)
	}
	m.find(t, m.lobby, 0)
}
