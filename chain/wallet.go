package chain

import (
	"context"

	"github.com/ante-games/ante/contracts"
	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// usualDispute is the gas of a dispute as most are.
var usualDispute = contracts.Gas["dispute_full"]

// Reserve is what an account has for disputes, and what they could cost.
type Reserve struct {
	Account common.Address
	// of the worst dispute in one channel, Fees.Reserve, and the usual one in each of the others
	Gas uint64
	// wei per gas: what lands a transaction soon in the newest block even if the base fee doubles,
	// and the data that goes with it
	Price      uint64
	Have, Need uint256.Int // wei; Need is Gas times Price
	// wei per gas: what lands a transaction in a block like the newest, and the most that is bid
	Now, Limit uint64
}

// Short reports whether the account could not pay.
func (r *Reserve) Short() bool { return r.Have.Lt(&r.Need) }

// Outbid reports whether no answer would land now, however much the account has.
func (r *Reserve) Outbid() bool { return r.Now > r.Limit }

// Reserve returns what the account has and would need for disputes in its channels and in more of
// them, at the price of the newest block: call it before money is locked in a channel. It raises no
// alarm, but may end one.
func (s *Sender) Reserve(ctx context.Context, more int) (Reserve, error) {
	head, err := s.client.Head(ctx)
	if err != nil {
		return Reserve{}, err
	}
	market, err := s.client.Market(ctx, head)
	if err != nil {
		return Reserve{}, err
	}
	r := s.reserve(market, more)
	have, err := s.client.Balance(ctx, s.Address())
	if err != nil {
		return r, err
	}
	r.Have = *have
	if !r.Short() {
		s.client.bell.set(false, s.Address().Hex(), &EmptyWallet{})
	}
	return r, nil
}

func (s *Sender) reserve(market money.Market, more int) Reserve {
	r := Reserve{
		Account: s.Address(), Gas: money.ReserveGas(s.config.Fees.Reserve, usualDispute, s.config.Channels()+more),
		Now: market.Cheapest().Price(), Limit: s.config.Fees.UrgentMax,
	}
	r.Price = min(market.Ahead(), r.Limit) + market.Data()
	r.Need = money.Cost(r.Gas, uint256.NewInt(r.Price))
	return r
}

// besides returns what else the account has to pay than gas at a job's price, its value, its data
// and what is on its way, and how much gas that is: the job's own and, as what is no answer makes
// way for one, that of the transfers which cancel it, and whose data nobody has estimated yet. So
// do answers that it outweighs, if the account is short.
func (s *Sender) besides(j *job, market money.Market, short bool) (sum *uint256.Int, gas uint64) {
	sum, gas = new(uint256.Int), j.Gas
	pay := func(wei uint256.Int) { sum.Add(sum, &wei) }
	if !j.cancelled() {
		pay(j.Value)
	}
	pay(market.Unestimated(j.call()))
	for _, other := range s.book.Jobs {
		switch {
		case other == j, other.mined, j.Key != "" && other.Key == j.Key:
			// of one key only one lands
		case j.spare() && !other.spare(), short && j.outweighs(other):
			gas += params.TxGas
			pay(market.Bytes(nil))
		default:
			pay(*other.worst())
			pay(market.Unestimated(other.call()))
		}
	}
	return sum, gas
}

// untouched returns what besides does and, where that may not pay for the job, the reserve.
func (s *Sender) untouched(j *job, market money.Market, short bool) (sum *uint256.Int, gas uint64) {
	sum, gas = s.besides(j, market, short)
	if !j.spare() {
		r := s.reserve(market, 0)
		sum.Add(sum, &r.Need)
	}
	return sum, gas
}

// afford returns the highest price at which the account can pay for a job. When that doesn't land
// it in a block like the newest, it is *EmptyWallet, and an alarm.
func (s *Sender) afford(ctx context.Context, j *job, market money.Market) (highest uint64, err error) {
	have, least, most, err := s.client.balances(ctx, s.Address())
	if err != nil {
		return 0, err
	}
	if j.spare() { // what may pay for it isn't one endpoint's word
		have, market = most, market.Cheapest()
	}
	need, gas := s.untouched(j, market, false)
	enough := min(market.Price(), s.config.Fees.limit(0))
	if j.answers() && money.Affordable(have, need, gas) < enough {
		need, gas = s.untouched(j, market, true)
		j.crowds = true
	}
	if highest = money.Affordable(have, need, gas); highest >= enough {
		if low := money.Affordable(least, need, gas); j.spare() && low >= enough {
			highest = low
		}
		s.client.bell.set(false, s.Address().Hex(), &EmptyWallet{})
		return highest, nil
	}
	cost := money.Cost(gas, uint256.NewInt(market.Price()))
	fault := &EmptyWallet{Account: s.Address(), Have: *have, Need: *need.Add(need, &cost)}
	s.client.bell.set(true, s.Address().Hex(), fault)
	return 0, fault
}

// payable returns how high an estimate of a job's gas may be so that the account can pay for it,
// and the chain takes it.
func (s *Sender) payable(ctx context.Context, j *job) (gas uint64, err error) {
	head, err := s.client.Head(ctx)
	if err != nil {
		return 0, err
	}
	market, err := s.client.Market(ctx, head)
	if err != nil {
		return 0, err
	}
	have, _, most, err := s.client.balances(ctx, s.Address())
	if err != nil {
		return 0, err
	}
	if j.spare() {
		have = most
	}
	besides, _ := s.untouched(j, market, false)
	hasty := market.Ask(3).Within(s.config.Fees.UrgentMax).Cap
	for _, other := range s.book.Jobs { // which may have to bid as much
		if other != j && !other.mined && other.Price.Cap < hasty {
			more := money.Cost(other.Gas, uint256.NewInt(hasty-other.Price.Cap))
			besides.Add(besides, &more)
		}
	}
	limit := money.Affordable(have, besides, max(1, market.Ask(0).Within(s.config.Fees.limit(0)).Cap))
	return min(limit-limit/5, params.MaxTxGas), nil
}

// has returns *EmptyWallet, and raises an alarm, if the account holds less than it needs.
func (s *Sender) has(ctx context.Context, need *uint256.Int) error {
	have, err := s.client.Balance(ctx, s.Address())
	if err != nil {
		return err
	}
	fault := &EmptyWallet{Account: s.Address(), Have: *have, Need: *need}
	s.client.bell.set(have.Lt(need), s.Address().Hex(), fault)
	if have.Lt(need) {
		return fault
	}
	return nil
}
