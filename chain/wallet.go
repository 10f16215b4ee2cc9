package chain

import (
	"context"

	"github.com/holiman/uint256"
)

// Reserve returns *EmptyWallet if the account could not pay for answers to disputes, at the price of the newest block:
// ask before money is locked in a channel.
func (s *Sender) Reserve(ctx context.Context) error {
	head, err := s.client.Head(ctx)
	if err != nil {
		return err
	}
	tip, err := s.client.tip(ctx)
	if err != nil {
		return err
	}
	return s.has(ctx, s.reserve(head, tip))
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
