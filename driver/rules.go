package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/games/foreign"
	"github.com/ethereum/go-ethereum/crypto"
)

// checkRules fails where a game's contract is not this program's, because the chain would judge its
// matches otherwise than their players, and where a game or the Arena needs to know the chain's
// blocks and does not. What it found is kept, because a node must start to defend its channels even
// if an endpoint answers none of this: code never changes.
func (d *Driver) checkRules(ctx context.Context) error {
	if d.Arena.Clock() == chain.Blocks {
		if err := d.checkNumbers(ctx, "no Arena whose clock counts blocks can be used: "+chain.OtherNumbers+"; deploy one whose clock counts seconds"); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.config.Rules)) {
		g, err := d.config.Games.Find(name)
		if err != nil {
			return err
		}
		code, pure, err := foreign.Deployed(g)
		if err != nil {
			return fmt.Errorf("the contract of %s: %w", name, err)
		}
		if err := d.checkCode(ctx, name, code); err != nil {
			return err
		}
		if pure {
			continue
		}
		if err := d.checkNumbers(ctx, "games."+name+": "+chain.OtherNumbers+", so that bets could be closed after a block has drawn; take the line out of games: that game is not played then"); err != nil {
			return err
		}
	}
	return nil
}

// checkCode compares the code at a game's address with this program's.
func (d *Driver) checkCode(ctx context.Context, name string, want []byte) error {
	at, hash := d.config.Rules[name], crypto.Keccak256Hash(want)
	return d.once(fmt.Sprintf("rules/%d/%x", d.Client.ChainID(), at), hash[:], func() error {
		code, err := d.Client.Code(ctx, at)
		switch {
		case err != nil:
			return fmt.Errorf("read the rules of %s: %w", name, err)
		case len(code) == 0:
			return fmt.Errorf("games.%s: %s has no code on this chain; correct the address, or take the line out of games: that game is not played then", name, at)
		case !bytes.Equal(code, want):
			return fmt.Errorf("games.%s: %s has other code (hash %s) than this program's rules (%s); correct the address, run the release whose rules were deployed there, or take the line out of games: that game is not played then",
				name, at, crypto.Keccak256Hash(code), hash)
		}
		return nil
	})
}

// checkNumbers sees that contracts are told the numbers of the chain's own blocks, and otherwise
// says what cannot be.
func (d *Driver) checkNumbers(ctx context.Context, not string) error {
	return d.once(fmt.Sprintf("numbers/%d", d.Client.ChainID()), []byte("own"), func() error {
		own, err := d.Client.OwnNumbers(ctx)
		if err != nil {
			return fmt.Errorf("look which numbers contracts know blocks by: %w", err)
		}
		if !own {
			return errors.New(not)
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
