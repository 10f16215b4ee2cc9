package cheat

import (
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// Exposure has a player side say so, with the match, when its seat is about to make a move that
// convicts it.
func Exposure(r games.Rules, exposed func(match common.Hash)) func(games.Table, *games.Decision) (*games.Decision, error) {
	return func(t games.Table, d *games.Decision) (*games.Decision, error) {
		if next, err := r.Play(t.Context, t.State, d.Move); err == nil {
			if out, err := r.Outcome(next, t.Context.Stakes); err == nil && out.Guilty&(1<<t.Seat) != 0 {
				exposed(t.Context.MatchID)
			}
		}
		return d, nil
	}
}
