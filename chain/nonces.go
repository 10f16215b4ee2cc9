package chain

import (
	"cmp"
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/params"
)

// maxFillers bounds how many skipped nonces are filled in one step: an endpoint that lies about the
// nonce gains little.
const maxFillers = 16

// displaced gives a job another nonce if a transaction of somebody else took its own, for good.
func (u *upkeep) displaced(ctx context.Context, j *job) error {
	if u.nonce <= j.Nonce || u.head.Number+1 < u.config.Confirmations {
		return nil
	}
	final, _, err := u.client.nonces(ctx, u.Address(), new(big.Int).SetUint64(u.head.Number+1-u.config.Confirmations))
	if err != nil || final <= j.Nonce {
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
	used, waiting := make(map[uint64]bool), uint64(0)
	for _, j := range u.book.Jobs {
		if used[j.Nonce] = true; j.Nonce >= u.nonce {
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
	filled := 0
	for nonce := max(u.nonce, u.book.settle(low, high)); nonce < highest && filled < maxFillers; nonce++ {
		if used[nonce] {
			continue
		}
		filler := &job{Nonce: nonce, Gas: params.TxGas, Why: "it fills a gap", First: u.head.Number, Asked: u.now}
		if _, err := u.widen(ctx, filler); err != nil {
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

// nextNonce returns the first nonce after those mined, those waiting at the endpoints, and our own.
func (s *Sender) nextNonce(ctx context.Context) (uint64, error) {
	low, high, err := s.client.pendingNonces(ctx, s.Address())
	nonce := s.book.settle(low, high)
	for _, j := range s.book.Jobs {
		nonce = max(nonce, j.Nonce+1)
	}
	return nonce, err
}
