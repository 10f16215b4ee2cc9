package chain

import (
	"context"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// Reserve is what an account has to pay for answers to disputes, and what they could cost.
type Reserve struct {
	Account    common.Address
	Gas        uint64      // of the worst dispute: Fees.Reserve
	Price      uint64      // wei per gas: what lands a transaction soon in the newest block even if the base fee doubles
	Have, Need uint256.Int // wei; Need is Gas times Price
}

// Short reports whether the account could not pay.
func (r *Reserve) Short() bool { return r.Have.Lt(&r.Need) }

// Reserve returns what the account has and would need for answers to disputes, at the price of the newest block: ask before
// money is locked in a channel. It raises no alarm, and ends one.
func (s *Sender) Reserve(ctx context.Context) (Reserve, error) {
	r := Reserve{Account: s.Address(), Gas: s.config.Fees.Reserve}
	head, err := s.client.Head(ctx)
	if err != nil {
		return r, err
	}
	tip, err := s.client.tip(ctx)
	if err != nil {
		return r, err
	}
	r.Price, r.Need = quote(head.BaseFee, tip, s.config.Fees.UrgentMax).Cap, *s.reserve(head, tip)
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

func (s *Sender) reserve(head Block, tip uint64) *uint256.Int {
	price := quote(head.BaseFee, tip, s.config.Fees.UrgentMax)
	return new(uint256.Int).Mul(uint256.NewInt(s.config.Fees.Reserve), uint256.NewInt(price.Cap))
}

// afford checks that the account can pay for a job besides those on their way and, if it can wait, the reserve.
func (s *Sender) afford(ctx context.Context, j *job, head Block, tip uint64) error {
	need := j.worst()
	for _, other := range s.book.Jobs {
		if other != j && other.Landed == nil {
			need.Add(need, other.worst())
		}
	}
	if j.Deadline == 0 {
		need.Add(need, s.reserve(head, tip))
	}
	return s.has(ctx, need)
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
