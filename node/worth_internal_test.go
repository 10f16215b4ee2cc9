package node

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/gametest/toy"
	"github.com/ante-games/ante/games/splitsteal"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// TestRoundChannels: a round's channel is that of the offer that it calls for.
func TestRoundChannels(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(nil)
	o := l.offer(n, 1, 1, []common.Address{{8}, n.Account()}, nil)
	r := pairsBy(t, n, common.Address{8})
	r.Groups = []RoundGroup{{}, {Offer: o.ID}}
	l.putRound(n, &r)
	for name, c := range map[string]struct {
		id   common.Hash
		want bool
	}{"its own": {o.Terms.ID(n.domain), true}, "another": {common.Hash{1}, false}} {
		if got := n.rounds.staked(c.id); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestMetStakes: of what is proposed only the matches that this player plays have to be worth it,
// by the stakes of all that the game has seats for.
func TestMetStakes(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	game := toy.Game()
	game.Stakes = func([]byte) ([]uint256.Int, error) { return stakes(5, 5), nil }
	alice := l.node(func(c *Config) { c.Games = games.Catalog{game} })
	id := l.channel(common.Address{}, []uint64{50, 50, 50}, alice, l.node(nil), l.node(nil))
	for name, c := range map[string]struct {
		m    protocol.MatchTerms
		want error
	}{
		"as the game says":     {protocol.MatchTerms{Rules: toyRules, Seats: []uint8{0, 1}, Stakes: stakes(5, 5)}, nil},
		"others' match":        {protocol.MatchTerms{Rules: common.Address{9}, Seats: []uint8{1, 2}, Stakes: stakes(5, 5)}, nil},
		"a game that it lacks": {protocol.MatchTerms{Rules: common.Address{9}, Seats: []uint8{0, 1}, Stakes: stakes(5, 5)}, games.ErrUnknownGame},
		"with a seat too many": {protocol.MatchTerms{Rules: toyRules, Seats: []uint8{0, 1, 2}, Stakes: stakes(5, 5, 5)}, games.ErrParams},
	} {
		if err := alice.met(&Proposal{Channel: id, Matches: []protocol.MatchTerms{c.m}}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestWhatIsProposed: a match is proposed of a game that the node and its chain have, for stakes
// that the user or the game names.
func TestWhatIsProposed(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	n := l.node(func(c *Config) { delete(c.Rules, splitsteal.Name) })
	for name, c := range map[string]struct {
		r    MatchRequest
		want error
	}{
		"an unknown game":          {MatchRequest{Game: "chess"}, games.ErrUnknownGame},
		"one without its contract": {MatchRequest{Game: splitsteal.Name, Stakes: stakes(1)}, games.ErrUnknownGame},
		"for nothing said":         {MatchRequest{Game: "toy"}, games.ErrParams},
		"in an unknown channel":    {MatchRequest{Game: "toy", Stakes: stakes(1)}, ErrUnknownChannel},
	} {
		if err := n.proposeMatch(common.Hash{1}, c.r); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOthersMatches: a match of other seats is none of this node's.
func TestOthersMatches(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	alice, bob, carol := l.node(nil), l.node(nil), l.node(nil)
	id := l.match(alice, l.channel(common.Address{}, []uint64{5, 5, 5}, alice, bob, carol), 1, 0, 1)
	for n, want := range map[*Node]error{alice: nil, bob: nil, carol: ErrUnknownMatch} {
		if _, _, err := n.matchOf(id); !errors.Is(err, want) {
			t.Errorf("want %v: %v", want, err)
		}
	}
}
