// Package cheat has what players do who are shown to cheat, or to fall silent.
package cheat

import "github.com/ante-games/ante/games"

// Overseer is a player side whose decisions are looked at before they are made; what comes back is
// made.
type Overseer struct {
	games.Player
	Look func(games.Table, *games.Decision) (*games.Decision, error)
}

// Unwrap implements games.Wrapper: whatever else the player side can, it still can.
func (p Overseer) Unwrap() games.Player { return p.Player }

// Auto implements games.Player.
func (p Overseer) Auto(t games.Table) (*games.Decision, error) { return p.decide(t, p.Player.Auto) }

// Bot implements games.Player.
func (p Overseer) Bot(t games.Table) (*games.Decision, error) { return p.decide(t, p.Player.Bot) }

func (p Overseer) decide(t games.Table, by func(games.Table) (*games.Decision, error)) (*games.Decision, error) {
	d, err := by(t)
	if d == nil || err != nil {
		return d, err
	}
	return p.Look(t, d)
}
