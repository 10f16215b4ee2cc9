package evm

import (
	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// Rules returns the contract as a rule set for a node.
func (c *Contract) Rules() games.Rules { return rules{c} }

// Runs reports whether a rule set is a contract's, run by this package.
func Runs(r games.Rules) bool {
	_, ok := r.(rules)
	return ok
}

type rules struct{ c *Contract }

func (r rules) Start(c *games.Context) ([]byte, error) {
	p, err := r.c.Start(c)
	return p.State, err
}

func (r rules) Mover(state []byte) (uint8, error) {
	seat, _, err := r.c.Mover(state)
	return seat, err
}

func (r rules) Play(c *games.Context, state, move []byte) ([]byte, error) {
	p, err := r.c.Play(c, state, move)
	return p.State, err
}

func (r rules) Expire(c *games.Context, state []byte) ([]byte, error) {
	p, err := r.c.Expire(c, state)
	return p.State, err
}

func (r rules) Outcome(state []byte, stakes []uint256.Int) (games.Outcome, error) {
	o, _, err := r.c.Outcome(state, stakes)
	return o, err
}
