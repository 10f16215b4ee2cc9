package chain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
)

// Submit sends a transaction, unless one of the same key is on its way or had its effect: then it
// returns the status of that one. A transaction that the contract would refuse, or that takes more
// gas than it may, is not sent: *Reverted. Nor is one that the account cannot pay: *EmptyWallet,
// which also protects the reserve unless the request is for a dispute. When Submit returns without
// an error the transaction is stored, and sent until it lands.
func (s *Sender) Submit(ctx context.Context, request Request) (Report, error) {
	if request.Key == "" {
		return Report{}, errors.New("chain: a request needs a key")
	}
	if request.Defence {
		ctx = Hasty(As(ctx, Defence))
	}
	if err := s.take(ctx); err != nil {
		return Report{}, err
	}
	defer s.give()
	doubted := 0
	for _, j := range s.book.Jobs {
		if j.Key == request.Key {
			return j.report(), nil
		}
		if !j.mined && j.Landed != nil && j.Landed.Failed != "" && j.To == request.To && bytes.Equal(j.Data, request.Data) {
			doubted++
		}
	}
	report, done, err := s.finished(ctx, request.Key, request.Once)
	if err != nil || done {
		return report, err
	}
	if doubted >= mostAlone { // each may yet land, before those that came in its place
		return Report{}, fmt.Errorf("%d transactions that do this are on their way; only one endpoint says that they failed", doubted)
	}
	failed := report.Err != nil // what one endpoint said of it may be why
	j := &job{order: order{
		Key: request.Key, For: request.Why, To: request.To, Data: request.Data, Value: request.Value, Most: request.Most, Usual: request.Usual,
		Failed: request.Failed || failed, Again: request.Again || failed, Deadline: request.Deadline, Defence: request.Defence, Hurry: request.Hurry,
		Stake: request.Stake, Asset: request.Asset, Waits: request.Waits,
	}}
	if err := s.prepare(ctx, j); err != nil {
		return Report{}, err
	}
	s.book.Jobs = append(s.book.Jobs, j)
	if err := s.save(nil); err != nil {
		return Report{}, err
	}
	s.broadcast(ctx, j)
	if j.crowds { // before what is to make way for it lands
		err = s.clear(ctx, j)
	}
	return j.report(), err
}

// clear cancels what makes way for a job, sends that, and sends the job again. The rest waits for
// the next Step: many that wait must not make each that comes take long.
func (s *Sender) clear(ctx context.Context, j *job) error {
	u := &upkeep{Sender: s}
	if err := u.look(ctx); err != nil {
		return err
	}
	list := slices.DeleteFunc(u.unlanded(), func(other unlanded) bool { return other.Nonce < u.nonce }) // its nonce is used
	u.makeWay(list)
	var err error
	signed := []*job{j}
	for _, next := range list {
		if err == nil && next.cancelling() {
			err = u.hasten(ctx, next.job, next.haste)
			signed = append(signed, next.job)
		}
	}
	if failed := s.save(nil); failed != nil {
		return errors.Join(err, failed)
	}
	s.untold = append(s.untold, u.reports...)
	for _, next := range slices.Backward(signed) {
		s.broadcast(ctx, next)
	}
	return err
}

// finished tells a transaction that had its effect. One that is no longer in the chain, after a
// reorganisation deeper than the confirmations, is not finished, nor is one that failed: asked for
// again, it is tried again. Both endpoints must tell that it is not there: by the word of one it
// would be paid for twice. Of what the contract refuses a second time both must show that it is:
// the word of one would keep it from being sent.
func (s *Sender) finished(ctx context.Context, key string, once bool) (Report, bool, error) {
	o, err := s.outcome(key)
	if err != nil || o == nil || o.Dropped != "" {
		return Report{}, false, err
	}
	if o.Landed.Failed != "" {
		return o.report(key), false, nil
	}
	receipt, by, err := s.client.anyReceipt(ctx, o.Landed.Tx)
	if receipt == nil && err == nil && !once {
		return o.report(key), !s.client.unmined(ctx, []common.Hash{o.Landed.Tx}), nil
	}
	if receipt == nil || err != nil || !once {
		return o.report(key), receipt != nil, err
	}
	known := receipt.BlockHash == o.Landed.Hash // who was heard of that was enough
	at := &landing{Tx: o.Landed.Tx, Block: receipt.BlockNumber.Uint64(), Hash: receipt.BlockHash, Agreed: known && o.Landed.Agreed}
	if receipt.Status != types.ReceiptStatusSuccessful { // in the block that it is in now
		at.Failed = failedInBlock
	}
	sure, _, _, err := s.client.landed(ctx, by, &job{Landed: at}, s.config.Confirmations)
	return o.report(key), sure && (known || s.client.heard(at)) && at.Failed == "", err
}

// prepare tries a transaction, prices it, gives it the next nonce and signs it.
func (s *Sender) prepare(ctx context.Context, j *job) error {
	head, err := s.client.Head(ctx)
	if err != nil {
		return err
	}
	if j.Asked, err = s.config.Now(ctx); err != nil {
		return err
	}
	j.Gas, err = s.limit(ctx, j)
	if err != nil && !refused(err) && !j.Value.IsZero() {
		// too little for the value is refused without a reason
		return errors.Join(s.has(ctx, &j.Value), err)
	}
	if err != nil {
		return s.explain(err)
	}
	market, err := s.client.Market(ctx, head)
	if err != nil {
		return err
	}
	most, err := s.afford(ctx, j, market)
	if err != nil {
		return err
	}
	j.Price = market.Ask(0).Within(min(most, s.config.Fees.limit(0)))
	if j.Nonce, err = s.nextNonce(ctx); err != nil {
		return err
	}
	j.First = head.Number
	return s.sign(ctx, j, head)
}

// limit returns the gas limit of a job: what the chain estimates, which may be more than its call
// takes, as on Arbitrum, where it pays for the data, too; and a quarter more, since others may
// change the state before it lands, and with it what it costs. That must not take it beyond what a
// transaction may have (EIP-7825), on chains that have this bound: they take none that has more.
func (s *Sender) limit(ctx context.Context, j *job) (uint64, error) {
	message := s.message(j)
	if self := s.Address(); j.cancelled() {
		message = ethereum.CallMsg{From: self, To: &self}
	}
	usual := j.Usual
	if j.failure != nil && !j.cancelling() || j.Failed && !j.cancelled() { // perhaps for want of gas
		payable, err := s.payable(ctx, j)
		if err != nil {
			return 0, err
		}
		usual = max(usual, payable)
	}
	gas, by, err := s.client.estimate(ctx, message, usual, func(by teller) bool { return !j.Again && s.believed(j, by) })
	j.By = by
	gas = max(gas, params.TxGas) // no transaction takes less, whatever is estimated
	switch more := gas + gas/4; {
	case gas == params.TxGas: // which pays for nothing that may change
	case gas <= params.MaxTxGas:
		gas = min(more, params.MaxTxGas)
	default:
		gas = more
	}
	if err == nil && j.Most != 0 && gas > j.Most && !j.cancelled() {
		err = &Reverted{Reason: fmt.Errorf("it takes a gas limit of %d, more than %d", gas, j.Most)}
	}
	return gas, err
}

func (s *Sender) message(j *job) ethereum.CallMsg {
	return ethereum.CallMsg{From: s.Address(), To: &j.To, Data: j.Data, Value: j.Value.ToBig()}
}

// explain puts the contract's reason into words.
func (s *Sender) explain(err error) error {
	if refused, is := errors.AsType[*Reverted](err); is && len(refused.Data) > 0 {
		refused.Reason = s.config.Explain(refused.Data)
	}
	return err
}
