package node

import (
	"context"
	"fmt"
	"strconv"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Deposit puts money of the player's wallet into its bank balance. It returns once the transaction is sent: see Events. For
// an ERC-20 it first lets the Arena take that amount, in a transaction of its own, and waits until that is mined. It fails
// with ErrFunds when the wallet holds less, and with ErrBusy while an earlier deposit of the asset is on its way.
func (n *Node) Deposit(ctx context.Context, asset common.Address, amount *uint256.Int) (chain.Report, error) {
	if amount.IsZero() {
		return chain.Report{}, fmt.Errorf("%w: nothing to deposit", ErrFunds)
	}
	n.learn(ctx, asset)
	wallet, err := n.TokenBalance(ctx, asset)
	if err != nil {
		return chain.Report{}, err
	}
	if wallet.Lt(amount) {
		return chain.Report{}, fmt.Errorf("%w: the wallet %s holds %s, less than %s", ErrFunds, n.Account(), n.amount(asset, wallet), n.amount(asset, amount))
	}
	n.funds.Lock()
	defer n.funds.Unlock()
	if asset != (common.Address{}) {
		if err := n.allow(ctx, asset, amount); err != nil {
			return chain.Report{}, err
		}
	}
	return n.onceAction(ctx, "deposit", asset, amount, onchain.Deposit{Account: n.Account(), Asset: asset, Amount: *amount})
}

// Withdraw pays free bank balance out to an account. It returns once the transaction is sent: see Events. It fails with
// ErrFunds when less is free, and with ErrBusy while an earlier withdrawal of the asset is on its way.
func (n *Node) Withdraw(ctx context.Context, asset common.Address, amount *uint256.Int, to common.Address) (chain.Report, error) {
	if to == (common.Address{}) {
		return chain.Report{}, fmt.Errorf("%w: nobody owns the zero address, so the money would be lost", ErrFunds)
	}
	n.learn(ctx, asset)
	n.funds.Lock()
	defer n.funds.Unlock()
	free, err := n.BankBalance(ctx, asset)
	if err != nil {
		return chain.Report{}, err
	}
	switch {
	case free.IsZero():
		return chain.Report{}, fmt.Errorf("%w: nothing is free in the bank; what channels hold comes back there when they are closed", ErrFunds)
	case amount.IsZero():
		return chain.Report{}, fmt.Errorf("%w: withdrawing nothing would only cost gas", ErrFunds)
	case free.Lt(amount):
		return chain.Report{}, fmt.Errorf("%w: %s is free in the bank, cannot withdraw %s", ErrFunds, n.amount(asset, free), n.amount(asset, amount))
	}
	return n.onceAction(ctx, "withdraw", asset, amount, onchain.Withdraw{Asset: asset, Amount: *amount, To: to})
}

// onceAction is once for a call of the Arena.
func (n *Node) onceAction(ctx context.Context, what string, asset common.Address, amount *uint256.Int, a onchain.Action) (chain.Report, error) {
	call, err := n.drive.Codec.Encode(a)
	if err != nil {
		return chain.Report{}, err
	}
	return n.once(ctx, what, asset, chain.Request{Why: what + " " + n.amount(asset, amount), To: n.config.Arena, Data: call.Data, Value: call.Value})
}

// once submits a request that the user asked for, unless the same kind is still on its way: a command given twice by
// mistake, or again after an answer was lost, must not move money twice. The lock of funds is held.
func (n *Node) once(ctx context.Context, what string, asset common.Address, r chain.Request) (chain.Report, error) {
	if n.ownerSender == nil {
		return chain.Report{}, n.elsewhere(&r)
	}
	key := fmt.Sprintf("funds/%s/%s", what, asset)
	value, err := n.config.Store.Get(key)
	if err != nil {
		return chain.Report{}, err
	}
	last := uint64(0)
	if value != nil {
		if last, err = strconv.ParseUint(string(value), 10, 64); err != nil {
			return chain.Report{}, fmt.Errorf("read %s: %w", key, err)
		}
		report, err := n.ownerSender.Status(fmt.Sprintf("%s/%d", key, last))
		if err != nil {
			return chain.Report{}, err
		}
		if report.Progress == chain.Waiting {
			return report, fmt.Errorf("%w: the %s before, transaction %s, is not mined yet: wait for it", ErrBusy, what, report.Tx)
		}
	}
	last++
	if err := n.config.Store.Commit(map[string][]byte{key: strconv.AppendUint(nil, last, 10)}); err != nil {
		return chain.Report{}, fmt.Errorf("%w: %w", ErrStore, err)
	}
	r.Key = fmt.Sprintf("%s/%d", key, last)
	return n.ownerSender.Submit(ctx, r)
}

// WalletBalance returns what the player's account holds outside the Arena, in wei.
func (n *Node) WalletBalance(ctx context.Context) (*uint256.Int, error) {
	return n.drive.Client.Balance(ctx, n.Account())
}

// TokenBalance returns what the player's wallet holds of a token, or of ETH if the address is zero.
func (n *Node) TokenBalance(ctx context.Context, asset common.Address) (*uint256.Int, error) {
	if asset == (common.Address{}) {
		return n.WalletBalance(ctx)
	}
	return n.readToken(ctx, asset, "balanceOf(address)", n.Account())
}
