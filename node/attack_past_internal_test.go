package node

import (
	"slices"
	"testing"
	"time"

	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ethereum/go-ethereum/common"
)

// signed makes the session of a channel of two that the chain has not shown.
func (l *lab) signed(nodes ...*Node) *session {
	l.t.Helper()
	t := protocol.Terms{Deposits: stakes(5, 5), Window: 20, OpenBy: 100, Salt: common.Hash{31: 1}}
	for _, n := range nodes {
		key, err := n.config.Sessions(t.Salt)
		l.must(err)
		t.Players, t.Signers = append(t.Players, n.Account()), append(t.Signers, key.Address())
	}
	s, err := nodes[0].found(t, 0)
	l.must(err)
	return s
}

// TestAttack_Sybil_Past: ever others open a channel and close it. The latest stay kept, and whoever
// the user added or has a channel with, also after a restart. Others compete like strangers, and
// are found when the user offers them a channel.
func TestAttack_Sybil_Past(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var config Config
	alice := l.node(func(c *Config) { config = *c })
	over := func(change func(*Node)) common.Address { return l.over(alice, time.Second, change) }
	nothing := func(*Node) {}
	tower := over(func(n *Node) { l.must(alice.AddTower(n.Account(), n.net.Addresses()...)) })
	lobby := over(func(n *Node) { l.must(alice.AddLobby(n.Account(), n.net.Addresses()...)) })
	want := map[common.Address]bool{
		tower: true, lobby: true,
		over(func(n *Node) { l.must(alice.AddPeer(n.Account(), n.net.Addresses()...)) }): true,
		over(func(n *Node) { l.channel(common.Address{}, []uint64{6, 6}, alice, n) }):    true,
	}
	first := over(nothing)
	want[first] = false
	// one has another channel signed, which is forgotten unopened
	var unopened *session
	want[over(func(n *Node) { unopened = l.signed(alice, n) })] = false
	for i := range keptPast {
		want[over(nothing)] = true
		if i == 0 {
			l.must(alice.channels.forget(unopened))
		}
	}
	check := func(when string, n *Node) {
		t.Helper()
		kept := map[common.Address]bool{}
		for _, p := range n.net.Peers() {
			kept[p.Account] = p.Kept
		}
		for account, want := range want {
			if kept[account] != want {
				t.Errorf("%s: %s is kept: %t", when, account, kept[account])
			}
		}
	}
	check("now", alice)
	l.must(alice.net.Close())
	again := l.node(func(c *Config) { c.Store, c.Player, c.Sessions = config.Store, config.Player, config.Sessions })
	for _, s := range alice.allSessions() {
		_, err := again.found(s.terms, s.seat)
		l.must(err)
	}
	again.keepPeers()
	l.must(again.AddTower(tower))
	l.must(again.AddLobby(lobby))
	check("after a restart", again)
	if !again.seek(first) {
		t.Error("a player is not found whose address is stored")
	}
}

// TestAttack_Sybil_Registered: ever others register for rounds of a house, which looks for them,
// and never take the channel that it offers them. The latest stay kept.
func TestAttack_Sybil_Registered(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	var players []common.Address
	for i := range keptPast + 1 {
		player := l.key().Address()
		l.must(n.net.Keep(player))
		r := Round{ID: common.Hash{byte(i + 1)}, Terms: matchmaking.Round{House: n.Account()}, Groups: []RoundGroup{{State: GroupOffered, Players: []matchmaking.Registration{{Player: player}}}}}
		l.putRound(n, &r)
		l.must(n.drop(r.ID, 0, "the players could not be reached in time"))
		players = append(players, player)
	}
	for _, p := range n.net.Peers() {
		if i := slices.Index(players, p.Account); i >= 0 && p.Kept != (i > 0) {
			t.Errorf("player %d is kept: %t", i, p.Kept)
		}
	}
}

// TestAttack_Sybil_LeftOut: accounts register for rounds of a house and don't open the channel that
// it offers them. They are kept no longer than past players.
func TestAttack_Sybil_LeftOut(t *testing.T) {
	t.Parallel()
	arena := Join(t, nil).drive.Arena
	l := newLab(t)
	n := l.node(nil)
	n.drive.Arena = arena
	r := sitting(t, n, 1, 2, 3, 4)
	r.Terms.Fewest = 2
	o := Offer{ID: common.Hash{4}, State: OfferLapsed, Terms: protocol.Terms{
		Players: append([]common.Address{n.Account()}, r.Groups[0].players()...), Signers: []common.Address{{1}, {}, {3}, {4}},
	}, Signatures: make([][]byte, 4)}
	r.Groups[0].State, r.Groups[0].Offer = GroupOffered, o.ID
	l.putRound(n, &r)
	for _, player := range r.Groups[0].players() {
		l.must(n.net.Keep(player))
	}
	l.must(n.unopened(t.Context(), &r, 0, r.Groups[0], &o))
	for i := range keptPast {
		n.partFrom([]common.Address{{1: byte(i + 1)}})
	}
	for _, p := range n.net.Peers() {
		if absent := p.Account == r.Groups[0].players()[0]; p.Kept == absent {
			t.Errorf("%s is kept: %t", p.Account, p.Kept)
		}
	}
}
