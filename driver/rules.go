package driver

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/ante-games/ante/games/evm"
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

// checkRules fails with *OtherRulesError where a game's contract is not this program's.
func (d *Driver) checkRules(ctx context.Context) error {
	for _, name := range slices.Sorted(maps.Keys(d.config.Rules)) {
		at := d.config.Rules[name]
		g, err := d.config.Games.Find(name)
		if err != nil {
			return err
		}
		want, err := evm.Runtime(g.Contract)
		if err != nil {
			return fmt.Errorf("the contract of %s: %w", name, err)
		}
		code, err := d.Client.Code(ctx, at)
		if err != nil {
			return fmt.Errorf("read the rules of %s: %w", name, err)
		}
		wrong := &OtherRulesError{Game: name, Address: at, Want: crypto.Keccak256Hash(want)}
		if len(code) > 0 {
			wrong.Hash = crypto.Keccak256Hash(code)
		}
		if wrong.Hash != wrong.Want {
			return wrong
		}
	}
	return nil
}
