package chain

import (
	"context"
	"errors"
	"strings"

	"github.com/ante-games/ante/money"
	"github.com/holiman/uint256"
)

// refusals is how many times in a row, at different prices or blocks, the contract must be found to
// refuse a transaction before it is cancelled: an endpoint that lags may be wrong about it.
const refusals = 3

// ErrMadeWay says that a transaction was cancelled in favour of an answer to a dispute: gas had
// become too expensive for both.
var ErrMadeWay = errors.New("gas is too dear for it now, and an answer to a dispute waits behind it: try again later")

// hasten raises the price of a job that has waited long enough and whose bid is below the market,
// or cancels one that has become pointless, or that blocks an answer which the account can't pay
// for besides.
func (u *upkeep) hasten(ctx context.Context, j *job, how urgency, answered bool) error {
	if waited := u.head.Number - min(u.head.Number, j.First); j.failure == nil {
		u.client.bell.set(waited >= 4*u.config.Fees.Patience, j.name(), &StuckTx{Key: j.name(), Tx: j.report().Tx, Blocks: waited})
	}
	at, ask, most := u.ask(j, how)
	if u.head.Number < j.Priced+u.config.Fees.patience(how) {
		return nil
	}
	if answered && !j.spare() && !j.Price.Covers(at) && most < min(at.Price(), u.config.Fees.limit(how)) {
		j.cancel(ErrMadeWay.Error())
		at, ask, most = u.ask(j, how)
	}
	if pointless, err := u.pointless(ctx, j); err != nil || pointless && !j.cancelled() {
		return err
	}
	before, next := j.Price, j.Price.Raise(ask).Within(most)
	if before.Covers(at) && !j.cancelling() || !next.Replaces(before) {
		return nil
	}
	j.Price = next
	if err := u.sign(ctx, j, u.head); err != nil {
		j.Price = before
		return err
	}
	u.tell(j)
	return nil
}

// ask returns the market as a job must meet it, what it asks, and the highest cap that the limits
// and the account allow. Alarms stand while either of these is too low for the market and the job's
// bid is, too.
func (u *upkeep) ask(j *job, how urgency) (at money.Market, ask money.Bid, most uint64) {
	if j.failure != nil && strings.Contains(j.failure.Error(), "underpriced") {
		how = 3 // more than is customary is what the endpoint wants
	}
	ask = u.market.Ask(uint64(how))
	at = money.Market{BaseFee: u.market.BaseFee, Tip: ask.Tip}
	besides, gas := u.besides(j, u.market)
	if !j.spare() {
		reserve := u.reserve(u.market, 0)
		besides.Add(besides, &reserve.Need)
	}
	limit, affordable := u.config.Fees.limit(how), money.Affordable(&u.have, besides, gas)
	price, behind := at.Price(), !j.Price.Covers(at)
	u.client.bell.set(behind && limit < price, j.name(), &FeeSpike{Key: j.name(), Need: price, Limit: limit})
	need := money.Cost(gas, uint256.NewInt(price))
	need.Add(&need, besides)
	u.client.bell.set(behind && affordable < price, j.name(), &EmptyWallet{Account: u.Address(), Have: u.have, Need: need})
	return at, ask, min(limit, affordable)
}

// pointless says whether the contract would refuse a job now. Found several times in a row, the job
// turns into an empty transfer that takes its nonce: a refused transaction would pay for all its
// gas.
func (u *upkeep) pointless(ctx context.Context, j *job) (bool, error) {
	if j.cancelled() {
		return false, nil
	}
	_, err := u.client.call(ctx, u.message(j), nil)
	refused := new(Reverted)
	if !errors.As(u.explain(err), &refused) {
		j.Refused = 0
		if isDown(err) || ctx.Err() != nil {
			return false, err
		}
		return false, nil // an endpoint that can't tell is no reason to leave a price where it is
	}
	j.Priced = u.head.Number
	if j.Refused++; j.Refused >= refusals {
		j.cancel(refused.Reason.Error())
	}
	return true, nil
}
