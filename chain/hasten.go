package chain

import (
	"cmp"
	"context"
	"errors"
	"slices"

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
// and the gas limit of one that has become too low, or cancels one that has become pointless, or
// that blocks an answer which the account can't pay for besides.
func (u *upkeep) hasten(ctx context.Context, j *job, h haste) error {
	if waited := u.head.Number - min(u.head.Number, j.First); j.failure == nil || j.taken {
		u.client.bell.set(waited >= 4*u.config.Fees.Patience, j.name(), &StuckTx{Key: j.name(), Tx: j.report().Tx, Blocks: waited})
	}
	how := h.urgency
	short := u.short(j, how)
	patience := u.config.Fees.patience(how)
	if h.hurry {
		patience = 1
	}
	if j.cancelling() {
		patience = 0
	}
	if u.head.Number < j.Priced+patience && j.idle < patience {
		return nil
	}
	if h.answered && !j.spare() && short {
		j.cancel(ErrMadeWay.Error())
	}
	if pointless, err := u.pointless(ctx, j); err != nil || pointless && !j.cancelled() {
		return err
	}
	before, gas := j.Price, j.Gas
	signed, err := u.replace(ctx, j, how)
	if !signed {
		j.Price, j.Gas = before, gas
		return err
	}
	u.tell(j)
	return nil
}

// makeWay cancels what answers outweigh, the lightest first, while the account can't pay for all.
func (u *upkeep) makeWay(list []unlanded) {
	light := slices.Clone(list)
	slices.SortStableFunc(light, func(a, b unlanded) int { return cmp.Or(a.level()-b.level(), a.Stake.Cmp(&b.Stake)) })
	for _, j := range light {
		if slices.ContainsFunc(list, func(other unlanded) bool { return other.outweighs(j.job) }) && u.crowded(list) {
			j.cancel(ErrMadeWay.Error())
			u.tell(j.job)
		}
	}
}

// crowded reports whether the account can't pay for all that has not landed: at the price of the
// newest block or, where one is to bid more, besides what the others bid, which pools count. No
// endpoint can say so alone.
func (u *upkeep) crowded(list []unlanded) bool {
	at := u.market.Cheapest()
	raises := slices.ContainsFunc(list, func(j unlanded) bool { return !j.Price.Covers(at) })
	have, need := new(uint256.Int).Add(&u.have, &u.more), new(uint256.Int)
	for _, j := range list {
		price := min(at.Price(), u.config.Fees.limit(j.urgency))
		if raises {
			price = max(price, j.Price.Cap)
		}
		gas := j.Gas
		if j.Usual != 0 { // beyond which it may be one's word
			gas = min(gas, j.Usual+j.Usual/4)
		}
		cost, data := money.Cost(gas, uint256.NewInt(price)), at.Unestimated(j.call())
		need.Add(need, &cost).Add(need, &data)
		if !j.cancelled() {
			need.Add(need, &j.Value)
		}
	}
	return have.Lt(need)
}

// replace signs a version of a job that lands, if the newest doesn't: it bids too little, which may
// be all that the account is short of, an endpoint refuses it because its gas limit is too low, or
// its bid more than is there, or it is to be cancelled.
func (u *upkeep) replace(ctx context.Context, j *job, how urgency) (signed bool, err error) {
	before, refused := j.Price, false
	if j.failure != nil || j.cancelling() {
		// a limit that pays for data, too, becomes too low when data gets dearer, or gas cheaper
		wider, err := u.widen(ctx, j, false)
		if err != nil {
			return false, err
		}
		refused = wider && j.failure != nil
	}
	if u.short(j, how) {
		if _, err := u.widen(ctx, j, true); err != nil {
			return false, err
		}
	}
	at, ask, most := u.ask(j, how)
	at.BaseFee = u.market.Dearest().BaseFee
	next := before.Raise(ask).Within(most)
	switch {
	case (!before.Covers(at) || j.cancelling()) && next.Replaces(before):
		j.Price = next
	case (refused || j.failure != nil && before.Cap > most) && !j.full() && before.Within(most).Covers(at):
		// who refused it has none to replace
		j.Price = before.Within(most)
	default:
		return false, nil
	}
	err = u.sign(ctx, j, u.head)
	return err == nil, err
}

// short reports whether the account can't pay what a job would have to bid.
func (u *upkeep) short(j *job, how urgency) bool {
	at, _, most := u.ask(j, how)
	return !j.Price.Covers(at) && most < min(at.Price(), u.config.Fees.limit(how))
}

// widen raises a job's gas limit to what the chain estimates now, and reports whether it was too
// low. That of an empty transfer goes down, too: it does nothing with more than it takes, and one
// that was said to take more than the account can pay would hold up all that comes after it. So
// does one for which the account is short of money: a failure had it raised by one endpoint's word.
func (u *upkeep) widen(ctx context.Context, j *job, short bool) (bool, error) {
	told := *j
	if short {
		told.Failed, told.failure = false, nil
	}
	gas, err := u.limit(ctx, &told)
	other := err == nil && (j.Gas < gas || (short || j.cancelled()) && j.Gas > gas)
	if other {
		j.Gas = gas
	}
	if !isDown(err) && ctx.Err() == nil {
		err = nil // an endpoint that can't tell is no reason to leave a price where it is
	}
	return other, err
}

// ask returns the market as a job must meet it, what it asks, and the highest cap that the limits
// and the account allow. Alarms stand while either of these is too low for the market and the job's
// bid is, too.
func (u *upkeep) ask(j *job, how urgency) (at money.Market, ask money.Bid, most uint64) {
	if j.failure != nil && !j.taken && says(j.failure, cheap) {
		how = 3 // more than is customary is what the endpoint wants
	}
	ask = u.market.Ask(uint64(how))
	at = money.Market{BaseFee: u.market.BaseFee, Tip: ask.Tip}
	besides, gas := u.besides(j, u.market, false)
	if !j.spare() {
		reserve := u.reserve(u.market, 0)
		besides.Add(besides, &reserve.Need)
	}
	have := u.have
	if j.spare() {
		have.Add(&have, &u.more)
	}
	price, behind := at.Price(), !j.Price.Covers(at)
	if j.spare() && money.Affordable(&have, besides, gas) < price {
		besides, gas = u.besides(j, u.market, true)
	}
	limit, affordable := u.config.Fees.limit(how), money.Affordable(&have, besides, gas)
	if low := money.Affordable(&u.least, besides, gas); j.spare() && low >= price {
		affordable = low
	}
	u.client.bell.set(behind && limit < price, j.name(), &FeeSpike{Key: j.name(), Need: price, Limit: limit})
	need := money.Cost(gas, uint256.NewInt(price))
	need.Add(&need, besides)
	u.client.bell.set(behind && affordable < price, j.name(), &EmptyWallet{Account: u.Address(), Have: have, Need: need})
	most = min(limit, affordable)
	if j.cancelling() { // it must outbid what costs more
		most = max(most, min(j.Price.Raise(money.Bid{}).Cap, money.Affordable(&have, new(uint256.Int), j.Gas)))
	}
	return at, ask, most
}

// pointless says whether the contract would refuse a job now. Found several times in a row, the job
// turns into an empty transfer that takes its nonce: a refused transaction would pay for all its
// gas.
func (u *upkeep) pointless(ctx context.Context, j *job) (bool, error) {
	if j.cancelled() {
		return false, nil
	}
	_, err := u.client.call(ctx, u.message(j), nil)
	refused, is := errors.AsType[*Reverted](u.explain(err))
	if !is {
		j.Refused = 0
		if isDown(err) || ctx.Err() != nil {
			return false, err
		}
		return false, nil // an endpoint that can't tell is no reason to leave a price where it is
	}
	j.Priced, j.idle = u.head.Number, 0
	if j.Refused++; j.Refused >= refusals {
		j.cancel(refused.Reason.Error())
	}
	return true, nil
}
