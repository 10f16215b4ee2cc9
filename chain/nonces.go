package chain

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/params"
)

// maxFillers bounds how many skipped nonces are filled: an endpoint that lies about the nonce gains
// little.
const maxFillers = 16

// displaced gives a job another nonce if a transaction of somebody else took its own, for good: by
// the word of all endpoints, since what was sent may yet land. Of what may not be paid for twice
// they must tell receipts, too; of an answer the contract takes one only.
func (u *upkeep) displaced(ctx context.Context, j *job) error {
	if u.nonce <= j.Nonce || u.head.Number+1 < u.config.Confirmations {
		return nil
	}
	final, _, all, err := u.client.nonces(ctx, u.Address(), new(big.Int).SetUint64(u.head.Number+1-u.config.Confirmations))
	if err != nil || final <= j.Nonce || !all || !j.Defence && !u.client.unmined(ctx, j.Sent) {
		return err
	}
	if j.cancelled() {
		u.end(j, &outcome{Dropped: "another transaction took its nonce", Nonce: j.Nonce, For: j.For})
		return nil
	}
	fresh := &job{order: j.order}
	err = u.prepare(ctx, fresh)
	if errors.As(err, new(*EmptyWallet)) {
		return nil // its alarm stands; the others are looked after
	}
	if refused, is := errors.AsType[*Reverted](err); is {
		u.end(j, &outcome{Dropped: refused.Reason.Error(), Nonce: j.Nonce, For: j.For})
		return nil
	}
	if err != nil {
		return err
	}
	fresh.Asked, fresh.First = j.Asked, j.First
	*j = *fresh
	slices.SortFunc(u.book.Jobs, byNonce)
	u.tell(j)
	return nil
}

func byNonce(a, b *job) int { return cmp.Compare(a.Nonce, b.Nonce) }

// fill takes nonces that nobody uses, so that those after them can land.
func (u *upkeep) fill(ctx context.Context) error {
	if len(u.book.Jobs) == 0 {
		return nil
	}
	waiting := uint64(0)
	for _, j := range u.book.Jobs {
		if j.Nonce >= u.nonce {
			waiting++
		}
	}
	highest := u.book.Jobs[len(u.book.Jobs)-1].Nonce
	if highest < u.nonce || waiting == highest+1-u.nonce {
		return nil
	}
	low, high, err := u.client.pendingNonces(ctx, u.Address())
	if err != nil {
		return err
	}
	first, filled := max(u.nonce, u.book.settle(low, high)), 0
	end, err := u.gather(ctx, first)
	if err != nil {
		return err
	}
	for nonce := first; nonce < end && filled < maxFillers; nonce++ {
		if slices.ContainsFunc(u.book.Jobs, func(j *job) bool { return j.Nonce == nonce }) {
			continue
		}
		filler := &job{Nonce: nonce, Gas: params.TxGas, Why: "it fills a gap", First: u.head.Number, Asked: u.now}
		if _, err := u.widen(ctx, filler, false); err != nil {
			return err
		}
		filler.Price = u.market.Ask(0).Within(u.config.Fees.Max)
		if err := u.sign(ctx, filler, u.head); err != nil {
			return err
		}
		u.book.Jobs = append(u.book.Jobs, filler)
		u.client.bell.ring(Alarm{About: u.Address().Hex(), Fault: &NonceGap{Account: u.Address(), Nonce: nonce}, Once: true})
		filled++
	}
	slices.SortFunc(u.book.Jobs, byNonce)
	return nil
}

// gather gives jobs whose nonces are too far on, by the word of an endpoint that was asked alone,
// the next ones, once they have waited for long: until then it may be the lower nonce that is
// wrong. It returns the first nonce after those of the jobs that are near.
func (u *upkeep) gather(ctx context.Context, next uint64) (end uint64, err error) {
	defer func() { slices.SortFunc(u.book.Jobs, byNonce) }()
	moves := false
	for _, j := range u.book.Jobs {
		if j.Nonce > next+maxFillers {
			moves = moves || u.agreed && u.waited(j)
			if !moves || j.mined {
				return next, nil
			}
			before := *j
			j.Nonce, j.Raw, j.Earlier = next, nil, nil // what was sent may yet land
			if err := u.sign(ctx, j, u.head); err != nil {
				*j = before
				return next, err
			}
			u.tell(j)
		}
		next = max(next, j.Nonce+1)
	}
	return next, nil
}

// nextNonce returns the first nonce after those mined, those waiting at the endpoints, and our own.
func (s *Sender) nextNonce(ctx context.Context) (uint64, error) {
	low, high, err := s.client.pendingNonces(ctx, s.Address())
	nonce := s.book.settle(low, high)
	for _, j := range s.book.Jobs {
		nonce = max(nonce, j.Nonce+1)
	}
	return nonce, err
}
