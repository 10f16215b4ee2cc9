package sim

import (
	"fmt"

	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// What holds of every simulated chain. Clocks are in blocks.
const (
	chainID   = 1337
	window    = 40 // of every channel
	leastTime = window / 4
	// blocks from an event's own on until it counts as final; no reorganisation is as deep
	confirmed = 4
)

// ground is a chain on which the Arena and a game's rules stand, and nothing has happened yet.
// Every history begins on a copy of it.
type ground struct {
	chain  *minichain.Chain
	domain protocol.Domain
	game   games.Game
	rules  common.Address
}

func newGround(game games.Game) (*ground, error) {
	chain, err := minichain.New(chainID)
	if err != nil {
		return nil, err
	}
	deployer := common.Address{19: 0xde}
	code := append(common.FromHex(bindings.ArenaMetaData.Bin), arenaABI.PackConstructor(true, leastTime, 100*window)...)
	arena, _, err := chain.Deploy(deployer, code)
	if err != nil {
		return nil, fmt.Errorf("deploy the Arena: %w", err)
	}
	rules, _, err := chain.Deploy(deployer, game.Contract)
	if err != nil {
		return nil, fmt.Errorf("deploy the rules of %s: %w", game.Name, err)
	}
	return &ground{chain: chain, domain: protocol.Domain{ChainID: chainID, Arena: arena}, game: game, rules: rules}, nil
}
