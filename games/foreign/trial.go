package foreign

import (
	"fmt"
	"io"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Trial is what came of playing random moves under the default parameters: no proof of anything, but of what it found wrong.
type Trial struct {
	Matches int
	Longest uint64 // moves of the longest match
	Stuck   int    // matches in which the manifest knew no legal move
	Wrong   error  // what the rules did that no rules may do; nil: nothing was found
}

// trialCalls bounds a trial, in calls of the rules: some seconds at the most.
const trialCalls = 20_000

// Try plays matches of random moves with stakes of one ether each, until so many are over or it takes too long.
func Try(g games.Game, matches int, random io.Reader) Trial {
	t := &trial{game: g, random: random, calls: trialCalls}
	for t.Matches < matches && t.calls > 0 && t.Wrong == nil {
		t.Wrong = t.match()
	}
	return t.Trial
}

type trial struct {
	Trial
	game   games.Game
	random io.Reader
	calls  int
}

func (t *trial) match() error {
	params, err := t.game.Params.Encode(nil)
	if err != nil {
		return err
	}
	most, err := t.game.Turns(params)
	if err != nil {
		return err
	}
	c := &games.Context{MatchID: common.Hash{1}, Params: params, Stakes: make([]uint256.Int, 2)}
	if t.game.Stakes != nil {
		if c.Stakes, err = t.game.Stakes(params); err != nil {
			return err
		}
	}
	for i := range c.Stakes {
		c.Stakes[i].SetUint64(1e18)
		c.Signers = append(c.Signers, common.Address{19: byte(i + 1)})
	}
	state, err := t.game.Rules.Start(c)
	if err != nil {
		return fmt.Errorf("a match with the default parameters can't start: %w", err)
	}
	for turn := uint64(0); ; turn++ {
		mover, err := t.game.Rules.Mover(state)
		switch {
		case err != nil:
			return fmt.Errorf("a position without a mover: %w", err)
		case mover == games.Nobody:
			t.Matches, t.Longest = t.Matches+1, max(t.Longest, turn)
			if _, err := t.game.Rules.Outcome(state, c.Stakes); err != nil {
				return fmt.Errorf("a match that is over can't be paid out: %w", err)
			}
			return nil
		case turn >= most:
			return fmt.Errorf("a match was not over after %d moves, the most there should be", most)
		}
		expired, err := t.game.Rules.Expire(c, state)
		if err != nil {
			return fmt.Errorf("after %d moves, silence has no end: %w", turn, err)
		}
		if end, err := t.game.Rules.Mover(expired); err == nil && end == games.Nobody {
			if _, err := t.game.Rules.Outcome(expired, c.Stakes); err != nil {
				return fmt.Errorf("a match that ran out of time can't be paid out: %w", err)
			}
		}
		list, err := t.game.Player.Moves(c, state)
		if t.calls -= 4 + len(list); err != nil {
			return err
		}
		if len(list) == 0 || t.calls < 0 {
			t.Matches, t.Stuck = t.Matches+1, t.Stuck+1
			return nil
		}
		i, err := games.Below(t.random, len(list))
		if err != nil {
			return err
		}
		if state, err = t.game.Rules.Play(c, state, list[i]); err != nil {
			return fmt.Errorf("a move is legal once and not again: %w", err)
		}
	}
}
