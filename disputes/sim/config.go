package sim

import (
	"cmp"
	"fmt"
	"math/rand/v2"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// Config says what to simulate.
type Config struct {
	// Game is the game under test: Rules, Contract and Player, Params unless Params are given
	// below, and Liars and Stakes if it has them. Required.
	Game games.Game
	// Params are what matches are played under, in turn; the game's defaults if empty. Choose small
	// games: they show as much in less time.
	Params [][]byte
	// Seats is how many seats the channel and each match have; 2 if zero.
	Seats int
	// Matches is the most matches that run in one channel at once; 2 if zero.
	Matches int
	// Stakes returns stakes that a match with these parameters can start with, one for each seat.
	// Nil: what Game.Stakes asks for at least, and up to a thousand more.
	Stakes func(r *rand.Rand, params []byte) []uint256.Int
	// Choose makes a move where people choose, quickly and not to their own harm; if nil, or if it
	// returns nil, the bot plays, and for seats that cheat any move of the list of legal ones,
	// where there is one.
	Choose func(r *rand.Rand, t games.Table) (*games.Decision, error)
	// Strategies are what seats that cheat draw from; All if empty.
	Strategies []Strategy
	// Games is how many histories to play; 100 if zero, a quarter of it under go test -short.
	Games int
	// Seed is that of the first history; each next one has the next number. 1 if zero.
	Seed uint64

	spoil func(s *seat) // makes an honest seat one with a defect, to see that it is found
}

func (c Config) complete() Config {
	c.Seats = cmp.Or(c.Seats, 2)
	c.Matches = cmp.Or(c.Matches, 2)
	c.Games = cmp.Or(c.Games, 100)
	c.Seed = cmp.Or(c.Seed, 1)
	if len(c.Strategies) == 0 {
		c.Strategies = All()
	}
	return c
}

// check starts a match of each kind, so that a Config that can't be played with is refused at once.
func (c *Config) check(g *ground) error {
	if c.Game.Rules == nil || c.Game.Player == nil {
		return fmt.Errorf("a simulation needs a game with Rules, Contract and Player")
	}
	if c.Seats < 2 || c.Seats > games.MaxSeats {
		return fmt.Errorf("%d seats; want 2..%d", c.Seats, games.MaxSeats)
	}
	if len(c.Params) == 0 {
		params, err := c.Game.Params.Encode(nil)
		if err != nil {
			return fmt.Errorf("the defaults of %s: %w", c.Game.Name, err)
		}
		c.Params = [][]byte{params}
	}
	for _, params := range c.Params {
		stakes := c.stakes(rand.New(rand.NewPCG(0, 0)), params, c.Seats)
		ctx := &games.Context{Params: params, Stakes: stakes, Domain: g.domain.Separator()}
		for i := range c.Seats {
			ctx.Signers = append(ctx.Signers, keys[1][i].Address())
		}
		if _, err := c.Game.Rules.Start(ctx); err != nil {
			return fmt.Errorf("%s doesn't start with params 0x%x and stakes %v: %w", c.Game.Name, params, stakes, err)
		}
	}
	return nil
}

func (c *Config) params(seed uint64) []byte { return c.Params[seed%uint64(len(c.Params))] }

func (c *Config) stakes(r *rand.Rand, params []byte, seats int) []uint256.Int {
	if c.Stakes != nil {
		return c.Stakes(r, params)
	}
	stakes := make([]uint256.Int, seats)
	if c.Game.Stakes != nil {
		if least, err := c.Game.Stakes(params); err == nil && len(least) == seats {
			copy(stakes, least)
		}
	}
	for i := range stakes {
		stakes[i].Add(&stakes[i], uint256.NewInt(1+r.Uint64N(1000)))
	}
	return stakes
}
