package chain

import (
	"context"
	"errors"

	"github.com/ethereum/go-ethereum/params"
)

// refusals is how many times in a row, at different prices or blocks, the contract must be found to refuse a
// transaction before it is cancelled: an endpoint that lags may be wrong about it.
const refusals = 3

// hasten raises the price of a job that has waited long enough, or cancels one that has become pointless.
func (u *upkeep) hasten(ctx context.Context, j *job, how urgency) error {
	if waited := u.head.Number - min(u.head.Number, j.First); j.failure == nil {
		u.client.bell.set(waited >= 4*u.config.Fees.Patience, j.name(), &StuckTx{Key: j.name(), Tx: j.report().Tx, Blocks: waited})
	}
	if u.head.Number < j.Priced+u.config.Fees.patience(how) {
		return nil
	}
	if pointless, err := u.pointless(ctx, j); err != nil || pointless && !j.cancelled() {
		return err
	}
	limit := u.config.Fees.limit(how)
	next, need, ok := j.Price.raise(quote(u.head.BaseFee, u.tip, limit), how, limit)
	u.client.bell.set(need != 0, j.name(), &FeeSpike{Key: j.name(), Need: need, Limit: limit})
	if !ok {
		return nil
	}
	j.Price, next = next, j.Price
	if err := u.sign(ctx, j, u.head); err != nil {
		j.Price = next
		return err
	}
	u.tell(j)
	return nil
}

// pointless says whether the contract would refuse a job now. Found several times in a row, the job turns into an empty
// transfer that takes its nonce: a refused transaction would pay for all its gas.
func (u *upkeep) pointless(ctx context.Context, j *job) (bool, error) {
	if j.Key == "" || j.cancelled() {
		return false, nil
	}
	_, err := u.client.call(ctx, u.message(j), nil)
	refused := new(Reverted)
	if !errors.As(u.explain(err), &refused) {
		j.Refused = 0
		return false, err
	}
	j.Priced = u.head.Number
	if j.Refused++; j.Refused >= refusals {
		j.Why, j.Versions, j.Gas = refused.Reason.Error(), len(j.Sent), params.TxGas
	}
	return true, nil
}
