// Package sandbox plays the rules of a game without a node, an opponent or a chain: for trying
// rules out, and for checking transcripts.
package sandbox

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"
)

var (
	// ErrEngine means that there is no such engine, or that the game's rules do not come for it.
	ErrEngine = errors.New("no such engine")
	// ErrDiffer means that the Go rules and the contract do not agree: the game must not be played.
	ErrDiffer = errors.New("the engines differ")
)

// Engine returns a game's rules: "go", "evm" (the contract), or "both", which fails with ErrDiffer
// where they do not agree. An empty name stands for all there are.
func Engine(g games.Game, name string) (games.Rules, error) {
	solidity := evm.Runs(g.Rules)
	switch {
	case name == "" && solidity:
		name = "evm"
	case name == "":
		name = "both"
	case solidity && (name == "go" || name == "both"):
		return nil, fmt.Errorf("%w: %s comes without Go rules, use evm", ErrEngine, g.Name)
	}
	if name == "go" {
		return g.Rules, nil
	}
	if name != "evm" && name != "both" {
		return nil, fmt.Errorf("%w %q: there are go, evm and both", ErrEngine, name)
	}
	c, err := evm.Deploy(g.Contract)
	if err != nil || name == "evm" {
		return c.Rules(), err
	}
	return both{g.Rules, c.Rules()}, nil
}

// both is two engines that must agree.
type both struct{ native, contract games.Rules }

func (b both) Start(c *games.Context) ([]byte, error) {
	return b.states("start", func(r games.Rules) ([]byte, error) { return r.Start(c) })
}

func (b both) Play(c *games.Context, state, move []byte) ([]byte, error) {
	return b.states("play", func(r games.Rules) ([]byte, error) { return r.Play(c, state, move) })
}

func (b both) Expire(c *games.Context, state []byte) ([]byte, error) {
	return b.states("expire", func(r games.Rules) ([]byte, error) { return r.Expire(c, state) })
}

func (b both) Mover(state []byte) (uint8, error) {
	seat, err := b.native.Mover(state)
	other, otherErr := b.contract.Mover(state)
	if err := differ("mover", err, otherErr); err != nil {
		return 0, err
	}
	if seat != other {
		return 0, fmt.Errorf("%w in mover: Go says %d, the contract %d", ErrDiffer, seat, other)
	}
	return seat, err
}

func (b both) Outcome(state []byte, stakes []uint256.Int) (games.Outcome, error) {
	o, err := b.native.Outcome(state, stakes)
	other, otherErr := b.contract.Outcome(state, stakes)
	if err := differ("outcome", err, otherErr); err != nil {
		return o, err
	}
	if diff := cmp.Diff(o, other); err == nil && diff != "" {
		return o, fmt.Errorf("%w in outcome (-Go +contract):\n%s", ErrDiffer, diff)
	}
	return o, err
}

func (b both) states(call string, run func(games.Rules) ([]byte, error)) ([]byte, error) {
	state, err := run(b.native)
	other, otherErr := run(b.contract)
	if err := differ(call, err, otherErr); err != nil {
		return nil, err
	}
	if !bytes.Equal(state, other) {
		return nil, fmt.Errorf("%w in %s: Go returns 0x%x, the contract 0x%x", ErrDiffer, call, state, other)
	}
	return state, err
}

// differ fails if only one engine does.
func differ(call string, native, contract error) error {
	if (native == nil) == (contract == nil) {
		return nil
	}
	return fmt.Errorf("%w in %s: Go says %v, the contract %v", ErrDiffer, call, said(native), said(contract))
}

func said(err error) string {
	if err == nil {
		return "fine"
	}
	return err.Error()
}
