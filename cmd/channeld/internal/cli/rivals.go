package cli

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/ante-games/ante/cmd/internal/cheat"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/node"
	"github.com/ethereum/go-ethereum/common"
)

// rival is a bot that somebody who tries channeld plays against.
type rival struct {
	name, does string
	adapt      func(context.Context, *node.Config)
	house      bool // seat 0 is its own
}

var rivals = []rival{
	{name: "hanna", does: "plays honestly"},
	{name: "holly", does: "plays honestly, and is the house at Box 9: you bet, she pays", house: true},
	{name: "slim", does: "plays honestly, and thinks for three seconds about every move", adapt: slow},
	{name: "sid", does: "makes one move in a match and falls silent: the chain decides", adapt: silent},
	{name: "lara", does: "lies at mastermind, battleships and sums-and-cows, and the chain convicts her", adapt: lying},
}

// think is how long a slow opponent takes for a move.
const think = 3 * time.Second

func slow(ctx context.Context, c *node.Config) {
	c.Games = overseen(c.Games, func(games.Game) look {
		return func(_ games.Table, d *games.Decision) (*games.Decision, error) {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(think):
				return d, nil
			}
		}
	})
}

// silent makes one move in each match, and no other.
func silent(_ context.Context, c *node.Config) {
	var mu sync.Mutex
	moved := map[common.Hash]string{}
	c.Games = overseen(c.Games, func(games.Game) look {
		return func(t games.Table, d *games.Decision) (*games.Decision, error) {
			mu.Lock()
			defer mu.Unlock()
			state, match := string(t.State), t.Context.MatchID
			if from, ever := moved[match]; ever && from != state {
				return nil, nil
			}
			moved[match] = state
			return d, nil
		}
	})
}

// look is what an opponent makes of its decisions.
type look = func(games.Table, *games.Decision) (*games.Decision, error)

// overseen returns the games with what an opponent makes of its decisions in them.
func overseen(catalog games.Catalog, look func(games.Game) look) games.Catalog {
	catalog = slices.Clone(catalog)
	for i := range catalog {
		catalog[i].Player = cheat.Overseer{Player: catalog[i].Player, Look: look(catalog[i])}
	}
	return catalog
}

func lying(_ context.Context, c *node.Config) { cheat.Lie(c) }
