package driver

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/games/evm"
	"github.com/ante-games/ante/games/foreign"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// OtherRulesError says that the chain has other code at a game's address than this program plays
// by. A match by two rule sets could be judged otherwise by the chain than by its players.
type OtherRulesError struct {
	Game    string
	Address common.Address
	Hash    common.Hash // keccak256 of the code on the chain; zero: there is none
	Want    common.Hash // keccak256 of the code that this program would deploy
}

func (e *OtherRulesError) Error() string {
	has := "has no code on this chain"
	if e.Hash != (common.Hash{}) {
		has = fmt.Sprintf("has other code (hash %s) than this program's rules (%s)", e.Hash, e.Want)
	}
	return fmt.Sprintf("games.%s: %s %s; correct the address, run the release whose rules were deployed there, or take the line out of games: that game is not played then", e.Game, e.Address, has)
}

// OtherNumbersError says that contracts on this chain are told the numbers of another chain's
// blocks (chain.Client.OwnNumbers), so that nothing which counts blocks can be used there.
type OtherNumbersError struct{ Game string } // "": the Arena

func (e *OtherNumbersError) Error() string {
	const why = "contracts on this chain are told the numbers of another chain's blocks"
	if e.Game == "" {
		return why + ": no Arena whose clock counts blocks can be used here; deploy one whose clock counts seconds"
	}
	return fmt.Sprintf("games.%s: %s, so that bets could be closed after a block has drawn; take the line out of games: that game is not played then", e.Game, why)
}

// checkRules fails with *OtherRulesError where a game's contract is not this program's, and with
// *OtherNumbersError where one, or the Arena, needs to know the chain's blocks and does not. What
// it found is kept, because a node must start to defend its channels even if an endpoint answers
// none of this: code never changes.
func (d *Driver) checkRules(ctx context.Context) error {
	if d.Arena.Clock() == chain.Blocks {
		if err := d.checkNumbers(ctx, ""); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.config.Rules)) {
		g, err := d.config.Games.Find(name)
		if err != nil {
			return err
		}
		code, err := evm.Runtime(g.Contract)
		if err != nil {
			return fmt.Errorf("the contract of %s: %w", name, err)
		}
		if err := d.checkCode(ctx, name, code); err != nil {
			return err
		}
		if foreign.Vet(code) == nil {
			continue // it knows nothing but its input
		}
		if err := d.checkNumbers(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// checkCode compares the code at a game's address with this program's.
func (d *Driver) checkCode(ctx context.Context, name string, want []byte) error {
	at := d.config.Rules[name]
	wrong := &OtherRulesError{Game: name, Address: at, Want: crypto.Keccak256Hash(want)}
	return d.once(fmt.Sprintf("rules/%d/%x", d.Client.ChainID(), at), wrong.Want[:], func() error {
		code, err := d.Client.Code(ctx, at)
		if err != nil {
			return fmt.Errorf("read the rules of %s: %w", name, err)
		}
		if bytes.Equal(code, want) {
			return nil
		}
		if len(code) > 0 {
			wrong.Hash = crypto.Keccak256Hash(code)
		}
		return wrong
	})
}

// checkNumbers sees that contracts are told the numbers of the chain's own blocks.
func (d *Driver) checkNumbers(ctx context.Context, game string) error {
	return d.once(fmt.Sprintf("numbers/%d", d.Client.ChainID()), []byte("own"), func() error {
		own, err := d.Client.OwnNumbers(ctx)
		if err != nil {
			return fmt.Errorf("look which numbers contracts know blocks by: %w", err)
		}
		if !own {
			return &OtherNumbersError{Game: game}
		}
		return nil
	})
}

// once keeps that a check has passed, and asks no more then: what it looks at never changes.
func (d *Driver) once(key string, passed []byte, check func() error) error {
	kept, err := d.config.Store.Get(key)
	if err != nil || bytes.Equal(kept, passed) {
		return err
	}
	if err := check(); err != nil {
		return err
	}
	return d.config.Store.Commit(map[string][]byte{key: passed})
}
