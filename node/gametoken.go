package node

import (
	"context"
	"fmt"

	"github.com/ante-games/ante/chain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// BuyTokens pays ETH of the player's wallet for units of a game token
// (contracts/src/games/GameToken.sol). It returns once the transaction is sent: see Events. It
// fails with ErrFunds when the wallet holds less, with ErrRequest when there is no such token, and
// with ErrBusy while an earlier purchase is on its way.
func (n *funds) BuyTokens(ctx context.Context, token common.Address, paid *uint256.Int) (chain.Report, error) {
	rate, err := n.TokenRate(ctx, token)
	if err != nil {
		return chain.Report{}, err
	}
	wallet, err := n.WalletBalance(ctx)
	if err != nil {
		return chain.Report{}, err
	}
	if paid.IsZero() || wallet.Lt(paid) {
		return chain.Report{}, fmt.Errorf("%w: the wallet holds %s, cannot pay %s for tokens", ErrFunds, n.amount(common.Address{}, wallet), n.amount(common.Address{}, paid))
	}
	units, overflow := new(uint256.Int).MulOverflow(paid, rate)
	if overflow {
		return chain.Report{}, fmt.Errorf("%w: no token has so many units", ErrFunds)
	}
	n.moving.Lock()
	defer n.moving.Unlock()
	return n.once(ctx, "buy", token, chain.Request{Why: "buy " + n.amount(token, units), To: token, Data: gameToken().PackBuy(), Value: *paid})
}

// RedeemTokens burns units of a game token in the player's wallet for what they cost. What is in
// the bank or in a channel has to be withdrawn first. It fails with ErrFunds when the wallet holds
// less, and with ErrBusy while an earlier redemption is on its way.
func (n *funds) RedeemTokens(ctx context.Context, token common.Address, units *uint256.Int) (chain.Report, error) {
	rate, err := n.TokenRate(ctx, token)
	if err != nil {
		return chain.Report{}, err
	}
	n.moving.Lock()
	defer n.moving.Unlock()
	held, err := n.TokenBalance(ctx, token)
	if err != nil {
		return chain.Report{}, err
	}
	if held.Lt(units) {
		return chain.Report{}, fmt.Errorf("%w: the wallet holds %s, cannot redeem %s: withdraw first what is in the bank", ErrFunds, n.amount(token, held), n.amount(token, units))
	}
	if units.Lt(rate) {
		return chain.Report{}, fmt.Errorf("%w: %s is worth less than a wei", ErrFunds, n.amount(token, units))
	}
	return n.once(ctx, "redeem", token, chain.Request{Why: "redeem " + n.amount(token, units), To: token, Data: gameToken().PackRedeem(units.ToBig())})
}

// TokenRate returns how many units of a game token a wei buys. It fails with ErrRequest if there is
// no such token.
func (n *funds) TokenRate(ctx context.Context, token common.Address) (*uint256.Int, error) {
	rate, err := n.readToken(ctx, token, gameToken().PackRATE())
	n.learn(ctx, token)
	if err == nil && rate.IsZero() {
		err = fmt.Errorf("%w: %s is no game token", ErrRequest, token)
	}
	return rate, err
}
