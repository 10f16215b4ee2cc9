package splitsteal

import (
	"crypto/rand"
	"fmt"
	"math/big"

	"github.com/holiman/uint256"
)

// Bot plays the equilibrium of a single match, which no opponent can make it regret: it steals
// where that is the better answer to either choice, and otherwise splits just as often as leaves
// the other nothing to gain from either choice.
func (b player) Bot(t seat) (Move, error) {
	if m, decided, err := b.Auto(t); decided {
		return m, err
	}
	stakes, err := NewStakes(t.Params, t.Context.Stakes)
	if err != nil {
		return nil, err
	}
	split, of := stakes.mix(t.Params, t.State.Phase.role())
	if split.Sign() == 0 {
		return choose(t, Steal)
	}
	n, err := rand.Int(t.Random, of)
	if err != nil {
		return nil, fmt.Errorf("read a random number: %w", err)
	}
	if n.Cmp(split) < 0 {
		return choose(t, Split)
	}
	return choose(t, Steal)
}

// mix returns how often a player should split: so many times out of so many.
func (s *Stakes) mix(p Params, r Role) (split, of *big.Int) {
	_, lost := s.gains(p, r)
	tempted, relieved := s.gains(p, r.other())
	switch {
	case lost.Sign() <= 0:
		return new(big.Int), lost // stealing is as good, whatever the other does
	case relieved.Sign() <= 0:
		return relieved.SetInt64(1), big.NewInt(1) // the other steals, and then splitting is better
	}
	return relieved, tempted.Add(tempted, relieved)
}

// gains returns what a player gains by stealing from a splitter, and by splitting with a stealer.
func (s *Stakes) gains(p Params, r Role) (steal, split *big.Int) {
	get := func(own, other Choice) *big.Int {
		shares := s.Matrix(p, own, other)
		if r == Y {
			shares = s.Matrix(p, other, own)
		}
		return map[Role]*uint256.Int{X: &shares.X, Y: &shares.Y}[r].ToBig()
	}
	steal, split = get(Steal, Split), get(Split, Steal)
	return steal.Sub(steal, get(Split, Split)), split.Sub(split, get(Steal, Steal))
}
