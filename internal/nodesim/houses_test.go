package nodesim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/ante-games/ante/games/sumscows"
	"github.com/ante-games/ante/money"
	"github.com/ante-games/ante/node"
	"github.com/ante-games/ante/node/house"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// policy is what the house plays. In sums and cows it loses 0.01 ETH a match on average at most; in
// the toy it never knows.
const policy = `{
	"channels": 5, "exposure": "2eth", "deposit": "0.5eth", "games": {
		"toy": {"stake": "0.1eth"},
		"sums-and-cows": {"seat": 1, "params": {
			"n": {"least": 3, "most": 4}, "d": {"least": 1, "most": 2}, "guesses": {"most": 2},
			"start": {"least": "0.01eth"}, "fee": {"least": "0.01eth"}, "prize": {"most": "0.05eth"}
		}}
	}
}`

// hunt are the parameters of sums and cows in which the house loses most by its policy.
const hunt = `{"n":3,"d":1,"guesses":2,"start":"10000000000000000","fee":"10000000000000000","prize":"50000000000000000"}`

// setHouse has the first seat be a house, which the others know.
func setHouse(h *history) error {
	host := h.seats[0]
	p, err := house.Parse([]byte(policy), h.games)
	if err != nil {
		return err
	}
	host.policy, host.plan = p, plan{leave: soon}
	for _, s := range h.seats[1:] {
		r := chance(h.Seed, fmt.Sprint("plan ", s.index))
		s.plan = plan{game: sumscows.Game().Name, params: hunt, matches: 1 + r.IntN(6), leave: soon}
		if r.IntN(3) == 0 {
			s.plan.game, s.plan.params, s.plan.stakes = "toy", "", []uint256.Int{*uint256.NewInt(1e17)}
		}
		s.peers, host.peers = []*seat{host}, append(host.peers, s)
	}
	return nil
}

// useHouse is what a player does at a block. The house acts alone, and closes its channels in the
// end.
func useHouse(ctx context.Context, s *seat, n *node.Node, blocks uint64) {
	if s.index > 0 && len(n.Channels()) == 0 && s.offer == (common.Hash{}) {
		s.propose(ctx, n, *uint256.NewInt(5e17), money.OpenWithin(window))
	}
	s.playAll(ctx, n, blocks, s.index > 0)
}

// freeRoll has a player ask for channels and matches in which the house alone has something to
// lose.
func freeRoll(ctx context.Context, s *seat, r *rand.Rand) {
	for range 8 {
		s.at(r.Uint64N(soon), func() {
			n := s.running()
			if n == nil {
				return
			}
			_, err := n.Offer(ctx, node.OpenRequest{
				Peers: []common.Address{s.peers[0].account()}, Deposits: []uint256.Int{*uint256.NewInt(1), *uint256.NewInt(5e17)}, Window: window,
			})
			s.try("offer a channel for nothing", err)
			for _, c := range n.Channels() {
				if c.Status == node.ChannelOpen {
					s.try("propose a match for nothing", n.Propose(c.ID, node.MatchRequest{
						Game: "toy", Stakes: []uint256.Int{*uint256.NewInt(r.Uint64N(2)), *uint256.NewInt(1e17)},
					}))
				}
			}
		})
	}
}

// judgeHouse checks that the house's policy allows each match that it staked money in.
func judgeHouse(h *history) {
	s := h.seats[0]
	for _, c := range s.claims {
		if !c.locked {
			continue
		}
		if err := s.allowed(c); err != nil {
			h.lose("the house plays match %x of %s for %s: %v", c.terms.Nonce, c.game, stakesOf(c), err)
		}
	}
}

// allowed says why the house should not have played a match. It asks no policy: the game says what
// each puts in, and where it says nothing they put in the same.
func (s *seat) allowed(c *claim) error {
	game, err := s.games.Find(c.game)
	if err != nil {
		return err
	}
	asked := make([]uint256.Int, len(c.terms.Stakes))
	for i := range asked {
		asked[i] = c.terms.Stakes[c.seat]
	}
	if game.Stakes != nil {
		if asked, err = game.Stakes(c.terms.Params); err != nil {
			return err
		}
	}
	for i := range asked {
		if c.terms.Stakes[i].Lt(&asked[i]) {
			return fmt.Errorf("seat %d should stake %s", i, asked[i].Dec())
		}
	}
	return nil
}

func stakesOf(c *claim) (list []string) {
	for i := range c.terms.Stakes {
		list = append(list, c.terms.Stakes[i].Dec())
	}
	return list
}

// HouseMatch is what a match brought a house.
type HouseMatch struct {
	Average uint256.Int // that the policy says it loses at most on average
	Pot     uint256.Int
	Stake   uint256.Int // the house's
	Got     uint256.Int // of the pot
}

// housed returns what the matches of the history's house brought it, by its own results.
func (h *history) housed() (list []HouseMatch) {
	s := h.seats[0]
	n := s.running()
	if s.policy == nil || n == nil {
		return nil
	}
	losses, err := s.policy.Losses(h.games)
	if err != nil {
		h.fail("the house's policy: %v", err)
	}
	results, err := n.Results()
	if err != nil {
		h.fail("the house has no results: %v", err)
	}
	for _, r := range results {
		c := s.claims[r.Match]
		if c == nil {
			continue
		}
		m := HouseMatch{Stake: c.terms.Stakes[c.seat], Got: r.Payouts[c.seat]}
		for i := range c.terms.Stakes {
			m.Pot.Add(&m.Pot, &c.terms.Stakes[i])
		}
		if at := slices.IndexFunc(losses, func(l house.Loss) bool { return l.Game == c.game }); at >= 0 {
			m.Average = losses[at].Average
		}
		list = append(list, m)
	}
	return list
}
