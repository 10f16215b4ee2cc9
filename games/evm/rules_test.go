package evm_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/evm"
	"github.com/ante-games/ante/games/mastermind"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// guessing is a position of a real match, and a guess.
func guessing(t testing.TB) (c *games.Context, state, move []byte) {
	t.Helper()
	c = &games.Context{
		Params: []byte{4, 6, 4, 12, 6, 0}, Stakes: make([]uint256.Int, 2), Signers: make([]common.Address, 2),
	}
	return c, mastermind.Codec().EncodeState(mastermind.State{Phase: mastermind.Guessing}), []byte{2, 1}
}

// One contract serves any number of goroutines, the legal and the illegal at once.
func TestRules_Concurrent(t *testing.T) {
	contract, err := evm.Deploy(mastermind.Game().Contract)
	if err != nil {
		t.Fatal(err)
	}
	rules := contract.Rules()
	c, state, move := guessing(t)
	want, err := mastermind.Game().Rules.Play(c, state, move)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 200 {
				if got, err := rules.Play(c, state, move); err != nil || !bytes.Equal(got, want) {
					t.Errorf("0x%x, %v", got, err)
					return
				}
				if _, err := rules.Play(c, state, move[:1]); err == nil {
					t.Error("an illegal move is played")
					return
				}
			}
		})
	}
	all.Wait()
}

// What a call returns belongs to the caller.
func TestRules_StateIsOwned(t *testing.T) {
	contract, err := evm.Deploy(mastermind.Game().Contract)
	if err != nil {
		t.Fatal(err)
	}
	c, state, move := guessing(t)
	first, err := contract.Play(c, state, move)
	if err != nil {
		t.Fatal(err)
	}
	kept := bytes.Clone(first.State)
	if _, err := contract.Play(c, state, []byte{0, 0}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(kept, first.State) {
		t.Error("a later call changed an earlier result")
	}
}

func BenchmarkPlay(b *testing.B) {
	contract, err := evm.Deploy(mastermind.Game().Contract)
	if err != nil {
		b.Fatal(err)
	}
	c, state, move := guessing(b)
	for name, rules := range map[string]games.Rules{"evm": contract.Rules(), "go": mastermind.Game().Rules} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rules.Play(c, state, move); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
