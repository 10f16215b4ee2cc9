package node

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// funds is the player's money outside of channels: in the Arena's bank and in the wallet.
type funds struct {
	*core
	moving      lock          // held by Deposit, Withdraw, BuyTokens and RedeemTokens
	ownerSender *chain.Sender // of the player's account; nil: there is none here
	spent       chan struct{} // holds a token when the owner's sender is to look at the chain
	units       units
}

func newFunds(c *core) *funds {
	return &funds{core: c, moving: newLock(), spent: make(chan struct{}, 1)}
}

// Deposit puts money of the player's wallet into its bank balance. It returns once the transaction
// is sent: see Events. For an ERC-20 it first lets the Arena take that amount, in a transaction of
// its own, and waits until that is mined. It fails with ErrFunds when the wallet holds less, with
// ErrRequest when there is no such token, and with ErrBusy while an earlier deposit of the asset is
// on its way.
func (n *funds) Deposit(ctx context.Context, asset common.Address, amount *uint256.Int) (chain.Report, error) {
	if amount.IsZero() {
		return chain.Report{}, fmt.Errorf("%w: nothing to deposit", ErrRequest)
	}
	n.learn(ctx, asset)
	wallet, err := n.TokenBalance(ctx, asset)
	if err != nil {
		return chain.Report{}, err
	}
	if wallet.Lt(amount) {
		return chain.Report{}, fmt.Errorf("%w: the wallet %s holds %s, less than %s", ErrFunds, n.Account(), n.amount(asset, wallet), n.amount(asset, amount))
	}
	n.moving.Lock()
	defer n.moving.Unlock()
	if asset != (common.Address{}) {
		if err := n.allow(ctx, asset, amount); err != nil {
			return chain.Report{}, err
		}
	}
	return n.onceAction(ctx, "deposit", asset, amount, onchain.Deposit{Account: n.Account(), Asset: asset, Amount: *amount})
}

// Withdraw pays free bank balance to an account. It returns once the transaction is sent: see
// Events. It fails with ErrFunds when less is free, and with ErrBusy while an earlier withdrawal of
// the asset is on its way.
func (n *funds) Withdraw(ctx context.Context, asset common.Address, amount *uint256.Int, to common.Address) (chain.Report, error) {
	if to == (common.Address{}) {
		return chain.Report{}, fmt.Errorf("%w: nobody owns the zero address, so the money would be lost", ErrRequest)
	}
	if to == n.config.Arena {
		return chain.Report{}, fmt.Errorf("%w: the Arena credits nobody with what it pays to itself, so the money would be lost", ErrRequest)
	}
	n.learn(ctx, asset)
	n.moving.Lock()
	defer n.moving.Unlock()
	free, err := n.BankBalance(ctx, asset)
	if err != nil {
		return chain.Report{}, err
	}
	switch {
	case free.IsZero():
		return chain.Report{}, fmt.Errorf("%w: nothing is free in the bank; what channels hold comes back there when they are closed", ErrFunds)
	case amount.IsZero():
		return chain.Report{}, fmt.Errorf("%w: withdrawing nothing would only cost gas", ErrRequest)
	case free.Lt(amount):
		return chain.Report{}, fmt.Errorf("%w: %s is free in the bank, cannot withdraw %s", ErrFunds, n.amount(asset, free), n.amount(asset, amount))
	}
	return n.onceAction(ctx, "withdraw", asset, amount, onchain.Withdraw{Asset: asset, Amount: *amount, To: to})
}

// onceAction is once for a call of the Arena.
func (n *funds) onceAction(ctx context.Context, what string, asset common.Address, amount *uint256.Int, a onchain.Action) (chain.Report, error) {
	call, err := n.drive.Codec.Encode(a)
	if err != nil {
		return chain.Report{}, err
	}
	return n.once(ctx, what, asset, chain.Request{Why: what + " " + n.amount(asset, amount), To: n.config.Arena, Data: call.Data, Value: call.Value})
}

// once submits a request that the user asked for, unless the same kind is still on its way: a
// command given twice by mistake, or again after an answer was lost, must not move money twice. The
// lock of funds is held.
func (n *funds) once(ctx context.Context, what string, asset common.Address, r chain.Request) (chain.Report, error) {
	if n.ownerSender == nil {
		return chain.Report{}, n.elsewhere(&r)
	}
	key := fundsKey(what, asset)
	last, report, err := n.latest(key)
	if err != nil {
		return chain.Report{}, err
	}
	if report.Progress == chain.Waiting {
		return report, fmt.Errorf("%w: the %s before, transaction %s, is not mined yet: wait for it", ErrBusy, what, report.Tx)
	}
	last++
	if err := n.config.Store.Commit(map[string][]byte{key: strconv.AppendUint(nil, last, 10)}); err != nil {
		return chain.Report{}, fmt.Errorf("%w: %w", ErrStore, err)
	}
	r.Key = fmt.Sprintf("%s/%d", key, last)
	return n.ownerSender.Submit(ctx, r)
}

func fundsKey(what string, asset common.Address) string {
	return fmt.Sprintf("funds/%s/%s", what, asset)
}

// latest returns the newest request under a key, and how it stands; 0 if there is none.
func (n *funds) latest(key string) (last uint64, r chain.Report, err error) {
	value, err := n.config.Store.Get(key)
	if value == nil || err != nil {
		return 0, r, err
	}
	if last, err = strconv.ParseUint(string(value), 10, 64); err != nil {
		return 0, r, fmt.Errorf("read %s: %w", key, err)
	}
	r, err = n.ownerSender.Status(fmt.Sprintf("%s/%d", key, last))
	return last, r, err
}

// arriving reports whether a deposit of an asset is sent and not mined: it counts for nothing yet.
func (n *funds) arriving(asset common.Address) (bool, error) {
	if n.ownerSender == nil {
		return false, nil
	}
	_, r, err := n.latest(fundsKey("deposit", asset))
	return r.Progress == chain.Waiting, err
}

// WalletBalance returns what the player's account holds outside the Arena, in wei.
func (n *funds) WalletBalance(ctx context.Context) (*uint256.Int, error) {
	return n.drive.Client.Balance(ctx, n.Account())
}

// TokenBalance returns what the player's wallet holds of a token, or of ETH if the address is zero.
func (n *funds) TokenBalance(ctx context.Context, asset common.Address) (*uint256.Int, error) {
	if asset == (common.Address{}) {
		return n.WalletBalance(ctx)
	}
	return n.readToken(ctx, asset, gameToken().PackBalanceOf(n.Account()))
}

// Means returns what an account could deposit in a channel that it opens, in wei or token units:
// its bank balance and, in ETH, what it holds outside the Arena. The account's budget pays for the
// requests to the chain, including those of accepting the channel: Means fails with ErrBusy when it
// is used up.
func (n *funds) Means(ctx context.Context, asset, account common.Address) (*uint256.Int, error) {
	if err := n.charge(n.budgets.chain, account, 2+questionsOfOpening); err != nil {
		return nil, err
	}
	free, err := n.Bank(ctx, asset, account)
	if err != nil || asset != (common.Address{}) {
		return free, err
	}
	wallet, err := n.Balance(ctx, account)
	if err != nil {
		return nil, err
	}
	return free.Add(free, wallet), nil
}

// questionsToOpen is questionsOfOpening plus those about the channel's token. A token that doesn't
// answer is asked again each time.
func (n *funds) questionsToOpen(asset common.Address) int {
	if _, known := n.units.of(asset); known {
		return questionsOfOpening
	}
	return questionsOfOpening + questionsOfUnit
}

// priced is an error whose amounts can be written as those of their asset.
type priced interface {
	error
	Text(amount func(*uint256.Int) string) string
}

// inUnits is an error with another text.
type inUnits struct {
	error
	text string
}

func (e *inUnits) Error() string { return e.text }
func (e *inUnits) Unwrap() error { return e.error }

// written writes the amounts in an error as those of their asset.
func (n *funds) written(asset common.Address, err error) error {
	p, is := errors.AsType[priced](err)
	if !is {
		return err
	}
	text := p.Text(func(v *uint256.Int) string { return n.amount(asset, v) })
	return &inUnits{err, strings.Replace(err.Error(), p.Error(), text, 1)}
}

// GasPrice returns what a unit of gas costs in the newest block, in wei, without a tip.
func (n *funds) GasPrice(ctx context.Context) (*uint256.Int, error) {
	b, err := n.drive.Client.Head(ctx)
	if err != nil {
		return nil, err
	}
	return uint256.NewInt(b.BaseFee), nil
}

// Mined waits until a transaction of this node is in a block, and fails as the transaction does.
func (n *funds) Mined(ctx context.Context, key string) (r chain.Report, err error) {
	err = n.Wait(ctx, func() (bool, error) {
		if r, err = n.status(key); err != nil {
			return false, err
		}
		return r.Progress > chain.Waiting, r.Err
	})
	return r, err
}
