package chain

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// call calls at a block, nil being the newest. That a contract refuses a call is taken from one
// endpoint only where the other can't tell.
func (c *Client) call(ctx context.Context, message ethereum.CallMsg, number *big.Int) ([]byte, error) {
	ask := func(ctx context.Context, e *endpoint) ([]byte, error) {
		return e.eth.CallContract(ctx, message, number)
	}
	result, err := answer(ctx, c, ask)
	if err = refusal(err); refused(err) && c.second != nil {
		if other, err := answerOf(ctx, c, c.second, ask); err == nil {
			return other, nil
		}
	}
	return result, err
}

// estimate returns the gas that a call takes. Where two endpoints tell, the higher counts if it is
// no more than usual, the most that is known to be needed, else the lower: one that lies can
// neither make a transaction fail nor keep it from being paid for. Nor can one that says that the
// contract refuses the call, where usual is known; but that the other one says by itself that it
// works must be believed, since one that lies would have what fails paid for ever.
func (c *Client) estimate(ctx context.Context, message ethereum.CallMsg, usual uint64, believed func(teller) bool) (gas uint64, by teller, err error) {
	ask := func(ctx context.Context, e *endpoint) (uint64, error) {
		gas, err := e.eth.EstimateGas(ctx, message)
		if err == nil && gas > mostGas {
			err = &Refusing{Endpoint: e.name, What: "estimates of gas", Err: fmt.Errorf("%d is more than any block takes", gas)}
		}
		return gas, err
	}
	gas, err = answer(ctx, c, ask)
	if err = refusal(err); c.second == nil || isDown(err) || ctx.Err() != nil {
		return gas, 0, err
	}
	other, otherErr := answerOf(ctx, c, c.second, ask)
	otherErr = refusal(otherErr)
	switch {
	case err == nil && otherErr == nil:
		low, high := min(gas, other), max(gas, other)
		if gas = high; high > usual {
			gas = low
		}
	case err == nil && refused(otherErr):
		if !believed(byFirst) {
			return 0, 0, otherErr
		}
		by = byFirst
	case otherErr == nil && other <= usual && believed(bySecond):
		if refused(err) {
			by = bySecond
		}
		return other, by, nil
	}
	return gas, by, err
}

// mostGas is more than any block takes on the chains of docs/deploy.md (2^50, Arbitrum's).
const mostGas = 1 << 50

// receipt returns the receipt of a transaction, nil when it is in no block, and the endpoint that
// told. A node that refuses, as go-ethereum does for as long as it indexes its transactions, can't
// tell: the other one is asked.
func (c *Client) receipt(ctx context.Context, tx common.Hash) (receipt *types.Receipt, by *endpoint, err error) {
	err = c.use(ctx, func(e *endpoint) (err error) {
		by = e
		receipt, err = c.receiptOf(ctx, e, tx)
		return err
	})
	return receipt, by, err
}

// anyReceipt is receipt, but where the first endpoint shows none, the second is asked, too: by the
// word of one alone nothing is sent, and paid for, again.
func (c *Client) anyReceipt(ctx context.Context, tx common.Hash) (receipt *types.Receipt, by *endpoint, err error) {
	receipt, by, err = c.receipt(ctx, tx)
	if receipt != nil || err != nil || by != c.first || c.second == nil {
		return receipt, by, err
	}
	receipt, err = c.receiptOf(ctx, c.second, tx)
	if isDown(err) || errors.As(err, new(*Refusing)) {
		return nil, by, nil
	}
	return receipt, c.second, err
}

// unmined reports whether every endpoint tells that none of some transactions is in a block. One
// that is down, or refuses receipts, doesn't.
func (c *Client) unmined(ctx context.Context, list []common.Hash) bool {
	shows := func(e *endpoint) bool {
		return e != nil && slices.ContainsFunc(list, func(tx common.Hash) bool {
			receipt, err := c.receiptOf(ctx, e, tx)
			return receipt != nil || err != nil
		})
	}
	return !shows(c.first) && !shows(c.second)
}

func (c *Client) receiptOf(ctx context.Context, e *endpoint, tx common.Hash) (receipt *types.Receipt, err error) {
	receipt, err = once(ctx, e, func(ctx context.Context, e *endpoint) (*types.Receipt, error) {
		return e.eth.TransactionReceipt(ctx, tx)
	})
	switch {
	case errors.Is(err, ethereum.NotFound), err == nil && receipt.BlockNumber == nil: // it waits for a block
		receipt, err = nil, nil
	case err == nil && receipt.TxHash != tx:
		err = errors.New("it shows that of another transaction")
	}
	if isDown(err) || ctx.Err() != nil {
		return nil, err
	}
	fault := &Refusing{Endpoint: e.name, What: "receipts of transactions", Err: err}
	c.bell.set(err != nil, e.name+", receipts", fault)
	if err != nil {
		return nil, fault
	}
	return receipt, nil
}

// landed reports whether a job's transaction that one endpoint shows in a block is there at the
// other one, too, and the newest block that both have. It waits for an endpoint that is behind, and
// ignores one that is stuck or, see heard, down. Fault says that the other has the block and no
// such transaction, or differs about whether it failed. That is decided by the receipts of the
// block, where an endpoint shows them: at once that it is there, also where the other one refuses
// receipts, and once it is final whether it failed; until then an answer failed by the word of one,
// since what did not fail is refused when it is tried again.
func (c *Client) landed(ctx context.Context, by *endpoint, j *job, confirmations uint64) (sure bool, shared uint64, fault *Lying, err error) {
	at, before := j.Landed, *j.Landed
	defer func() {
		if ctx.Err() != nil { // who was asked in vain said nothing
			*at, sure, fault, err = before, false, nil, ctx.Err()
		}
	}()
	h, err := c.heads(ctx, by)
	if err != nil {
		return false, 0, nil, nil // who doesn't tell its newest block may have invented it
	}
	shared = h.shared.Number
	at.alone = cmp.Or(at.alone, c.config.Now()) // until the other one is heard
	if h.other == nil {
		if h.stuck {
			at.alone = time.Time{}
		}
		return true, shared, nil, nil
	}
	theirs, err := c.receiptOf(ctx, h.other, at.Tx)
	if isDown(err) {
		return true, shared, nil, nil
	}
	refuses := err != nil
	same := theirs != nil && theirs.BlockHash == at.Hash && theirs.BlockNumber.Uint64() == at.Block
	failed := same && theirs.Status != types.ReceiptStatusSuccessful
	at.Agreed = at.Agreed || same && failed == (at.Failed != "")
	both := same // have the block
	switch {
	case same:
	case shared < at.Block: // the other one lags
		both = theirs == nil
	default:
		held, err := h.at(ctx, by, at.Block)
		if h.other == nil {
			return true, shared, nil, nil
		}
		both = err == nil && held.Hash == at.Hash
	}
	if !refuses {
		at.alone = time.Time{}
	}
	if !refuses && shared >= at.Block && (!same || failed != (at.Failed != "")) {
		fault = &Lying{Endpoint: pair(by, h.other), Number: at.Block, What: fmt.Sprintf("they tell different things of transaction %v", at.Tx)}
		if at.Agreed && both {
			fault.Endpoint = h.other.name
		}
	}
	did := failed && j.Defence && !at.Agreed
	if both && !at.Agreed && shared >= at.Block && (!same || final(at.Block, shared, confirmations)) && j.tries(by, shared) {
		if proved, err := c.status(ctx, by, at.Hash, at.Tx); err == nil {
			if fault != nil {
				fault = &Lying{Endpoint: h.other.name, Number: at.Block, What: fmt.Sprintf("what it tells of transaction %v differs from the block's receipts", at.Tx)}
			}
			if same && proved == failed {
				fault.Endpoint = by.name
			}
			at.Agreed, at.Failed, did = true, "", proved
		}
	}
	if did {
		at.Failed = cmp.Or(at.Failed, failedInBlock)
	}
	return both && (at.Agreed || same && j.Defence) || refuses && c.heard(at), shared, fault, nil
}

// heard reports whether who was heard about a landing is enough for it to be final: both endpoints,
// the only one, or one where the other was not heard for Config.MaxAge. That a call of it fails, or
// starves, for which it isn't asked for a while, makes nothing final.
func (c *Client) heard(at *landing) bool {
	return c.second == nil || at.Agreed || at.alone.IsZero() || c.config.Now().Sub(at.alone) >= c.config.MaxAge
}

// nonces returns the number of transactions of an account that are mined in a block or before it,
// as the endpoints tell it: the lowest number and the highest, and whether all of them told.
func (c *Client) nonces(ctx context.Context, account common.Address, number *big.Int) (low, high uint64, all bool, err error) {
	told, err := each(ctx, c, func(ctx context.Context, e *endpoint) (uint64, error) { return e.eth.NonceAt(ctx, account, number) })
	low, high, err = span(told, err)
	return low, high, len(told) == 2 || c.second == nil, err
}

// pendingNonces also count what waits in the endpoint's pool, up to the first gap.
func (c *Client) pendingNonces(ctx context.Context, account common.Address) (low, high uint64, err error) {
	return span(each(ctx, c, func(ctx context.Context, e *endpoint) (uint64, error) { return e.eth.PendingNonceAt(ctx, account) }))
}

// Waiting returns how many transactions of an account are in no block yet, as far as every endpoint
// has them.
func (c *Client) Waiting(ctx context.Context, account common.Address) (uint64, error) {
	_, mined, _, err := c.nonces(ctx, account, nil)
	if err != nil {
		return 0, err
	}
	next, _, err := c.pendingNonces(ctx, account)
	return next - min(next, mined), err
}

func span(told []uint64, err error) (low, high uint64, _ error) {
	if err != nil {
		return 0, 0, err
	}
	return slices.Min(told), slices.Max(told), nil
}

// balances returns the wei of an account as the first endpoint tells it that answers, and the least
// and the most that one tells: by the word of one alone no account is too poor to defend itself,
// nor does it bid what it can't pay where less would do.
func (c *Client) balances(ctx context.Context, account common.Address) (own, least, most *uint256.Int, err error) {
	told, err := each(ctx, c, func(ctx context.Context, e *endpoint) (*uint256.Int, error) {
		wei, err := e.eth.BalanceAt(ctx, account, nil)
		if err != nil {
			return nil, err
		}
		balance, _ := uint256.FromBig(wei) // see Balance
		return balance, nil
	})
	if err != nil {
		return nil, nil, nil, err
	}
	return told[0], slices.MinFunc(told, (*uint256.Int).Cmp), slices.MaxFunc(told, (*uint256.Int).Cmp), nil
}

// fees are what an endpoint says of a market: the priority fee, in wei per gas, and the price of
// data.
type fees struct {
	tip  uint64
	data dataFee
}

func (c *Client) fees(ctx context.Context, e *endpoint) (f fees, err error) {
	if f.tip, err = c.tip(ctx, e); err == nil {
		f.data, err = c.dataFee(ctx, e)
	}
	return f, err
}

// tip returns the priority fee that an endpoint suggests, in wei per gas.
func (c *Client) tip(ctx context.Context, e *endpoint) (uint64, error) {
	wei, err := answerOf(ctx, c, e, func(ctx context.Context, e *endpoint) (*big.Int, error) { return e.eth.SuggestGasTipCap(ctx) })
	if err != nil {
		return 0, err
	}
	if !wei.IsUint64() {
		return 0, &Lying{Endpoint: e.name, What: fmt.Sprintf("the suggested tip is %v wei per gas", wei)}
	}
	return wei.Uint64(), nil
}

// Market returns the price of gas in a block; if no endpoint suggests a tip, and tells what data
// costs, without these and with an error. It asks both endpoints: one alone could name a price so
// low that nothing lands, or so high that nothing is worth its gas.
func (c *Client) Market(ctx context.Context, b Block) (money.Market, error) {
	m := money.Market{BaseFee: b.BaseFee}
	// one that doesn't tell has no say
	if other, err := c.otherHead(ctx, c.first); err == nil && other != nil && other.BaseFee != b.BaseFee {
		m.Cheap, m.Dear = min(b.BaseFee, other.BaseFee), max(b.BaseFee, other.BaseFee)
	}
	ours, err := c.fees(ctx, c.first)
	theirs := ours
	if c.second != nil {
		other, failed := c.fees(ctx, c.second)
		switch {
		case failed == nil && err == nil:
			theirs = other
		case failed == nil:
			ours, theirs, err = other, other, nil
		}
	}
	if err != nil {
		return m, err
	}
	data := ours.data.lower(theirs.data)
	m.Tip, m.High = min(ours.tip, theirs.tip), max(ours.tip, theirs.tip)
	m.Byte, m.InGas = data.wei, data.by != nil && data.by.inGas
	return m, nil
}

// Broadcast sends a signed transaction to both endpoints. It succeeds if one of them accepts or
// already has it.
func (c *Client) Broadcast(ctx context.Context, tx *types.Transaction) error {
	if taken, err := c.broadcast(ctx, tx); !taken {
		return err
	}
	return nil
}

// broadcast sends a transaction to both endpoints, and returns whether one of them takes it or has
// it, and why others do not. Where one that answers does not, one that is down gives no reason.
func (c *Client) broadcast(ctx context.Context, tx *types.Transaction) (taken bool, refused error) {
	for _, e := range []*endpoint{c.first, c.second} {
		if e == nil {
			continue
		}
		err := c.ask(ctx, e, func(e *endpoint) error {
			return e.do(ctx, func(ctx context.Context) error { return e.eth.SendTransaction(ctx, tx) })
		})
		switch {
		case err == nil || harmless(err):
			taken = true
		case refused == nil || isDown(refused):
			refused = err
		case !isDown(err):
			refused = fmt.Errorf("%w; %w", refused, err)
		}
	}
	return taken, refused
}
