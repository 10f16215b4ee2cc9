package driver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/deploy"
	"github.com/ante-games/ante/games/foreign"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// listChecks lists what must be so on the chain: the Arena is what it was, and this program's,
// because any other may keep what is paid in, as is the score board, which may use up gas; a game's
// contract is this program's, because the chain would judge its matches otherwise than their
// players; and where a game or the Arena counts blocks, contracts are told the numbers that the
// chain's blocks have.
func (d *Driver) listChecks() error {
	least, most := d.Arena.Windows()
	arena, err := deploy.Arena(d.Arena.Clock() == chain.Blocks, least, most).CodeAt(d.Client.ChainID(), d.Arena.Address())
	if err != nil {
		return err
	}
	d.checks = []*check{d.arenaCheck(), d.codeCheck("chain.arena", d.Arena.Address(), arena, noArena)}
	if at := d.config.Scoreboard; at != (common.Address{}) {
		board, err := deploy.Scoreboard(d.Arena.Address()).CodeAt(d.Client.ChainID(), at)
		if err != nil {
			return err
		}
		d.checks = append(d.checks, d.codeCheck("chain.scoreboard", at, board, noBoard))
	}
	why := ""
	if d.Arena.Clock() == chain.Blocks {
		why = "no Arena whose clock counts blocks can be used: " + chain.OtherNumbers + "; deploy one whose clock counts seconds"
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
		d.checks = append(d.checks, d.codeCheck("games."+name, d.config.Rules[name], code, noRules))
		if !pure && why == "" {
			why = "games." + name + ": " + chain.OtherNumbers + ", so that bets could be closed after a block has drawn; take the line out of games: that game is not played then"
		}
	}
	if why != "" {
		d.checks = append(d.checks, d.numbersCheck(why))
	}
	return nil
}

// arenaCheck is that the Arena says of itself what it said before. What it says is kept by
// chain.ReopenArena.
func (d *Driver) arenaCheck() *check {
	return &check{about: "the Arena", held: true, agreed: d.Arena.Agreed(), look: func(ctx context.Context) (agreed bool, wrong, err error) {
		same, agreed, err := d.Arena.Confirm(ctx)
		if err == nil && !same {
			wrong = errors.New("the Arena's clock or windows are told otherwise than at the start; compare with a block explorer, and start again")
		}
		return agreed, wrong, err
	}}
}

// What to do about code that is not this program's.
const (
	noArena = "correct the address, or run the release whose Arena was deployed there; any other contract may keep what is paid in"
	noBoard = "a score board is of one Arena: correct this address or chain.arena, or take this one out: no result is published then"
	noRules = "correct the address, run the release whose rules were deployed there, or take the line out of games: that game is not played then"
)

// codeCheck is that the code at the address of a setting is this program's.
func (d *Driver) codeCheck(setting string, at common.Address, want []byte, advice string) *check {
	hash := crypto.Keccak256Hash(want)
	return &check{about: setting, key: fmt.Sprintf("rules/%d/%x", d.Client.ChainID(), at), value: hash[:], look: func(ctx context.Context) (agreed bool, wrong, err error) {
		code, agreed, err := d.Client.Code(ctx, at)
		switch {
		case err != nil:
			err = fmt.Errorf("read the code of %s: %w", setting, err)
		case len(code) == 0:
			wrong = fmt.Errorf("%s: %s has no code on this chain; %s", setting, at, advice)
		case !bytes.Equal(code, want):
			wrong = fmt.Errorf("%s: %s has other code (hash %s) than this program's (%s); %s", setting, at, crypto.Keccak256Hash(code), hash, advice)
		}
		return agreed, wrong, err
	}}
}

// numbersCheck is that contracts are told the numbers of the chain's own blocks, and otherwise says
// what cannot be.
func (d *Driver) numbersCheck(not string) *check {
	return &check{about: "numbers of blocks", key: fmt.Sprintf("numbers/%d", d.Client.ChainID()), value: []byte("own"), look: func(ctx context.Context) (agreed bool, wrong, err error) {
		own, agreed, err := d.Client.OwnNumbers(ctx)
		switch {
		case err != nil:
			err = fmt.Errorf("look which numbers contracts know blocks by: %w", err)
		case !own:
			wrong = errors.New(not)
		}
		return agreed, wrong, err
	}}
}
