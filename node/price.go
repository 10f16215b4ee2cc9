package node

import (
	"context"
	"fmt"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/contracts"
	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// lookAtPrices learns what gas costs in a block. When no endpoint tells its tip, the one before counts.
func (n *Node) lookAtPrices(ctx context.Context, b chain.Block) error {
	market, err := n.client.Market(ctx, b)
	n.mu.Lock()
	defer n.mu.Unlock()
	if err != nil {
		market.Tip, market.High = n.market.Tip, n.market.High
	}
	n.market = market
	return err
}

// gasPrice returns what a unit of gas costs now, in wei.
func (n *Node) gasPrice() uint256.Int {
	if fixed := n.config.Policy.GasPrice; !fixed.IsZero() {
		return fixed
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return *uint256.NewInt(n.market.Price())
}

// leastStake returns the least that each other seat of a match must stake: what the policy says or, in ETH, what a whole dispute
// costs, should the base fee double until then. What a token is worth in gas is unknown, so its least stake has to be said.
func (n *Node) leastStake(asset common.Address) (least uint256.Int, err error) {
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
		n.mu.Lock()
		price.SetUint64(n.market.Ahead())
		n.mu.Unlock()
	}
	return money.Cost(contracts.Gas()["dispute_full"], &price), nil
}
