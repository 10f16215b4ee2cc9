package node

import (
	"errors"
	"net/http"
	"reflect"
	"slices"
	"testing"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/chaintest"
	"github.com/ante-games/ante/node/lobby"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/matchmaking"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ethereum/go-ethereum/common"
)

// TestWhatIsLookedFor: a filter takes what is of its game and asset, and of any where it names
// none.
func TestWhatIsLookedFor(t *testing.T) {
	t.Parallel()
	gold, eth := common.Address{1}, common.Address{}
	i := matchmaking.Invite{Rules: toyRules, Asset: gold}
	for k, c := range []struct {
		f    Filter
		want bool
	}{
		{Filter{}, true}, {Filter{Rules: toyRules}, true}, {Filter{Rules: common.Address{2}}, false}, {Filter{Asset: &gold}, true}, {Filter{Asset: &eth}, false},
		{Filter{Rules: toyRules, Asset: &eth}, false}, {Filter{Rules: common.Address{2}, Asset: &gold}, false},
	} {
		if c.f.fits(&i) != c.want {
			t.Errorf("%d: %t", k, !c.want)
		}
	}
}

// TestWhoWasAsked: pages are taken of who was asked, and a node is heard once, however often it
// says that this was all.
func TestWhoWasAsked(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	bob := common.Address{8}
	round := &look{waiting: map[common.Address]int{bob: 1}, found: map[common.Hash]matchmaking.SignedInvite{}, done: make(chan struct{})}
	query := n.begin(round)
	for _, c := range []struct {
		from  common.Address
		query uint64
	}{{common.Address{9}, query}, {bob, query + 1}} {
		if _, err := n.turnPage(c.from, c.query); !errors.Is(err, ErrDeclined) {
			t.Errorf("a page of %s: %v", c.from, err)
		}
	}
	if _, err := n.turnPage(bob, query); err != nil {
		t.Error(err)
	}
	n.heard(round, bob)
	n.heard(round, bob)
	select {
	case <-round.done:
	default:
		t.Error("it is still waited for")
	}
}

// TestWhoIsSentInvites: lobbies and guests are, each once, and never the player itself.
func TestWhoIsSentInvites(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	lobby, bob := common.Address{7}, common.Address{8}
	n.lobbies = []common.Address{lobby}
	i := &Invite{}
	i.Guests = []common.Address{bob, n.Account(), lobby, bob}
	if to := n.audience(i); !slices.Equal(to, []common.Address{lobby, bob}) {
		t.Errorf("%v", to)
	}
}

// TestRefusedByLobbies: the user hears of a lobby that does not show an open invite of its own.
func TestRefusedByLobbies(t *testing.T) {
	t.Parallel()
	lobby := common.Address{7}
	for name, c := range map[string]struct {
		from   common.Address
		change func(*Invite)
		want   int
	}{
		"refused": {lobby, nil, 1}, "by no lobby": {common.Address{8}, nil, 0}, "another's": {lobby, func(i *Invite) { i.Mine = false }, 0},
		"over": {lobby, func(i *Invite) { i.State = InviteEnded }, 0},
	} {
		l := newLab(t)
		n := l.node(nil)
		n.lobbies = []common.Address{lobby}
		i := l.invite(n, 1, c.change)
		if err := n.receiveRefusal(c.from, message.RefuseInvite{InviteID: i.ID, Reason: "full"}); err != nil || len(l.events(n, InviteOver)) != c.want {
			t.Errorf("%s: %v, %v", name, l.events(n, InviteOver), err)
		}
	}
}

// TestRepeatedBids: who connects is told this player's newest bid again, if the negotiation goes
// on.
func TestRepeatedBids(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Invite)
		want   int
	}{
		"there is one": {nil, 1}, "there is none": {func(i *Invite) { i.Negotiations[0].Bids = i.Negotiations[0].Bids[:1] }, 0},
		"over": {func(i *Invite) { i.Negotiations[0].Ended = "over" }, 0}, "agreed on": {func(i *Invite) { i.State = InviteJoined }, 1},
		"played": {func(i *Invite) { i.State = InvitePlayed }, 0}, "another's": {func(i *Invite) { i.Mine = false }, 1},
	} {
		l := newLab(t)
		n := l.node(nil)
		g := l.guest(n)
		l.invite(n, 1, func(i *Invite) {
			i.Negotiations = []Negotiation{{With: g.Address(), Bids: bids(g.Address(), 4, 5, 6)}}
			if c.change != nil {
				c.change(i)
			}
		})
		if err := n.resendBids(g.Address()); err != nil || len(g.told()) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestEndpointsOfALobby: a player whose invite can't be checked, because the chain doesn't answer,
// isn't told which endpoint the lobby asks.
func TestEndpointsOfALobby(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	var e *chaintest.Endpoint
	chained := Join(t, func(c *Config) {
		var err error
		e, err = chaintest.NewEndpoint(c.Chain.URL)
		l.must(err)
		t.Cleanup(e.Close)
		c.Chain.URL = e.URL
	})
	l.must(chained.Wait(t.Context(), func() (bool, error) { return chained.blind() == nil, nil }))
	n := l.node(func(c *Config) { c.Lobby = true })
	n.wallets, n.board = chain.NewWallets(chained.drive.Client), lobby.NewBoard(n.domain)
	g := l.guest(n)
	i := l.shown(n, g.Key, nil)
	i.Deputy = &protocol.SignedDeputy{Deputy: protocol.Deputy{Player: g.Address(), Key: g.Address(), Expiry: i.Expiry}, Signature: make([]byte, 65)}
	<-e.Fail(http.StatusServiceUnavailable)
	if err := n.receivePost(g.Address(), message.PostInvite{Invite: i}); !chain.Temporary(err) {
		t.Errorf("it fails with %v", err)
	}
	want := []message.Message{message.RefuseInvite{InviteID: i.ID(n.domain), Reason: "its signature can't be checked at the moment"}}
	if heard := g.told(); !reflect.DeepEqual(heard, want) {
		t.Errorf("it hears %v", heard)
	}
}
