package evm

import (
	"errors"
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// Rules returns the contract as a rule set for a node.
func (c *Contract) Rules() games.Rules { return rules{c: c} }

// ErrSpent is what a call of rules fails with when the gas of all calls together is used up: see
// Within.
var ErrSpent = errors.New("the gas for looking at moves is used up")

// Within returns a contract's rules with one allowance of gas for all calls together, for one
// goroutine; it counts for the allowance of the rules that it is made from, too. A call that begins
// before the allowance is used up gets all the gas that the Arena would give it, so that it judges
// as the Arena does; every later one fails with ErrSpent. Rules that are not run by this package
// are returned as they are.
func Within(r games.Rules, gas uint64) games.Rules {
	if own, ok := r.(rules); ok {
		return rules{own.c, &allowance{most: gas, outer: own.gas}}
	}
	return r
}

// Used returns the gas that rules made by Within have used, 0 for any other.
func Used(r games.Rules) uint64 {
	if own, ok := r.(rules); ok && own.gas != nil {
		return own.gas.used
	}
	return 0
}

// allowance is gas for all calls together; nil: as much as they take.
type allowance struct {
	used, most uint64
	outer      *allowance
}

func (a *allowance) spend(gas uint64) {
	for ; a != nil; a = a.outer {
		a.used += gas
	}
}

func (a *allowance) spent() bool {
	for ; a != nil; a = a.outer {
		if a.used >= a.most {
			return true
		}
	}
	return false
}

// Runs reports whether a rule set is a contract's, run by this package.
func Runs(r games.Rules) bool {
	_, ok := r.(rules)
	return ok
}

type rules struct {
	c   *Contract
	gas *allowance
}

func (r rules) position(call func() (Position, error)) ([]byte, error) {
	if r.gas.spent() {
		return nil, ErrSpent
	}
	p, err := call()
	r.gas.spend(p.Gas)
	if err != nil {
		return nil, err
	}
	// the Arena goes by the mover that it is told here
	seat, gas, err := r.c.Mover(p.State)
	r.gas.spend(gas)
	if err == nil && seat != p.Mover {
		err = fmt.Errorf("%w: the contract names mover %d, and mover %d of the state that it leads to", games.ErrIllegal, p.Mover, seat)
	}
	return p.State, err
}

func (r rules) Start(c *games.Context) ([]byte, error) {
	return r.position(func() (Position, error) { return r.c.Start(c) })
}

func (r rules) Mover(state []byte) (uint8, error) {
	if r.gas.spent() {
		return 0, ErrSpent
	}
	seat, gas, err := r.c.Mover(state)
	r.gas.spend(gas)
	return seat, err
}

func (r rules) Play(c *games.Context, state, move []byte) ([]byte, error) {
	return r.position(func() (Position, error) { return r.c.Play(c, state, move) })
}

func (r rules) Expire(c *games.Context, state []byte) ([]byte, error) {
	return r.position(func() (Position, error) { return r.c.Expire(c, state) })
}

func (r rules) Outcome(state []byte, stakes []uint256.Int) (games.Outcome, error) {
	if r.gas.spent() {
		return games.Outcome{}, ErrSpent
	}
	o, gas, err := r.c.Outcome(state, stakes)
	r.gas.spend(gas)
	return o, err
}
