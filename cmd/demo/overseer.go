package main

import "github.com/ante-games/ante/games"

// overseer is a player side whose decisions are looked at before they are made; what comes back is
// made.
type overseer struct {
	games.Player
	look func(games.Table, *games.Decision) (*games.Decision, error)
}

// Unwrap implements games.Wrapper: whatever else the player side can, it still can.
func (p overseer) Unwrap() games.Player { return p.Player }

func (p overseer) Auto(t games.Table) (*games.Decision, error) { return p.decide(t, p.Player.Auto) }
func (p overseer) Bot(t games.Table) (*games.Decision, error)  { return p.decide(t, p.Player.Bot) }

func (p overseer) decide(t games.Table, by func(games.Table) (*games.Decision, error)) (*games.Decision, error) {
	d, err := by(t)
	if d == nil || err != nil {
		return d, err
	}
	return p.look(t, d)
}
