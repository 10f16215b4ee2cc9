package nodesim

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
	window    = 24 // of every channel
	leastTime = window / 4
)

// ground is a chain on which the Arena and the rules stand, and nothing has happened yet. Every
// history begins on a copy of it.
type ground struct {
	chain  *minichain.Chain
	domain protocol.Domain
	games  games.Catalog
	rules  map[string]common.Address
}

func newGround(catalog games.Catalog) (*ground, error) {
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
	g := &ground{chain: chain, domain: protocol.Domain{ChainID: chainID, Arena: arena}, games: catalog, rules: map[string]common.Address{}}
	for _, game := range catalog {
		if g.rules[game.Name], _, err = chain.Deploy(deployer, game.Contract); err != nil {
			return nil, fmt.Errorf("deploy the rules of %s: %w", game.Name, err)
		}
	}
	return g, nil
}
