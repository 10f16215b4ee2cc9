package node

import (
	"fmt"

	"github.com/ante-games/ante/contracts"
	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// leastStake returns the least that each other seat of a match must stake: what the policy says or,
// in ETH, what a whole dispute costs, should the base fee double until then. What a token is worth
// in gas is unknown, so its least stake has to be said.
func (n *funds) leastStake(asset common.Address) (least uint256.Int, err error) {
	p := &n.config.Policy
	price := p.GasPrice
	of, said := p.LeastTokens[asset]
	switch {
	case p.AnyStake:
		return least, nil
	case said:
		return of, nil
	case asset != (common.Address{}):
		return least, fmt.Errorf("no least stake is set for token %s: who stakes next to nothing could stall at your gas (play.least_tokens, or play.any_stake)", asset)
	case !p.LeastStake.IsZero():
		return p.LeastStake, nil
	case price.IsZero():
		market := n.drive.Market().Dearest()
		price.SetUint64(market.Ahead() + market.Data())
	}
	return money.Cost(contracts.Gas["dispute_full"], &price), nil
}
