package chain

import (
	"context"
	"errors"
	"math/big"
	"slices"

	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// Step looks after all transactions on their way: it notices those that landed, became final or
// were undone, raises the price of those that wait, fills gaps and sends everything again. It
// returns what changed. After a crash a change may be reported twice, after an error never: Status
// is authoritative.
func (s *Sender) Step(ctx context.Context) ([]Report, error) {
	ctx = Hasty(As(ctx, Defence))
	if err := s.take(ctx); err != nil {
		return nil, err
	}
	defer s.give()
	err := s.step(ctx)
	reports := s.untold
	s.untold = nil
	return reports, err
}

// step is Step, in turn. What changed is untold.
func (s *Sender) step(ctx context.Context) error {
	if len(s.book.Jobs) == 0 {
		return nil
	}
	u := &upkeep{Sender: s, over: make(map[string]*outcome)}
	err := u.run(ctx)
	if failed := s.save(u.over); failed != nil { // what was signed before an error is kept, too
		return errors.Join(err, failed)
	}
	s.untold = append(s.untold, u.reports...)
	for _, j := range s.book.Jobs {
		if (j.Landed == nil || j.doubted) && !isDown(err) {
			s.broadcast(ctx, j)
		}
	}
	return err
}

// upkeep is one Step.
type upkeep struct {
	*Sender
	head    Block
	now     uint64 // the Arena's clock
	market  money.Market
	have    uint256.Int // wei of the account
	more    uint256.Int // that an endpoint tells of besides
	least   uint256.Int // that one tells of
	nonce   uint64      // of the account at the head
	highest uint64      // that an endpoint tells of
	agreed  bool        // all endpoints told theirs, so that no nonce below the lowest is unused
	reports []Report
	over    map[string]*outcome
}

// look asks the chain what counts for all jobs.
func (u *upkeep) look(ctx context.Context) (err error) {
	if u.head, err = u.client.Head(ctx); err != nil {
		return err
	}
	if u.now, err = u.config.Now(ctx); err != nil {
		return err
	}
	if u.market, err = u.client.Market(ctx, u.head); err != nil {
		return err
	}
	have, least, most, err := u.client.balances(ctx, u.Address())
	if err != nil {
		return err
	}
	u.have, u.least = *have, *least
	u.more.Sub(most, have)
	low, high, all, err := u.client.nonces(ctx, u.Address(), nil)
	if err != nil {
		return err
	}
	if u.agreed = all; all {
		u.book.Used = max(u.book.Used, low)
	}
	u.nonce, u.highest = u.book.settle(low, high), high
	return nil
}

func (u *upkeep) run(ctx context.Context) error {
	if err := u.look(ctx); err != nil {
		return err
	}
	// One wrong word about the newest block, as a job was signed, must not keep it from being
	// priced again.
	for _, j := range u.book.Jobs {
		j.Asked, j.First = min(j.Asked, u.now), min(j.First, u.head.Number)
		j.idle++
	}
	for _, j := range slices.Clone(u.book.Jobs) {
		if err := u.observe(ctx, j); err != nil {
			return err
		}
	}
	list := u.unlanded()
	u.makeWay(list)
	for _, next := range list {
		if err := u.hasten(ctx, next.job, next.haste); err != nil {
			return err
		}
	}
	return u.fill(ctx)
}

// haste is how soon a job must land, for itself and for those that wait behind it.
type haste struct {
	urgency
	hurry    bool // one has only a few blocks
	answered bool // one behind it is an answer
}

// unlanded is a job that has not landed.
type unlanded struct {
	*job
	haste
}

// unlanded returns the jobs that have not landed, and raises the alarms about their deadlines. The
// first is raised first: of money that is not enough for all, it gets as much as it needs, since no
// other lands before it.
func (u *upkeep) unlanded() (list []unlanded) {
	var h haste
	for _, j := range slices.Backward(u.book.Jobs) {
		if j.mined {
			continue
		}
		own := urgencyOf(j.Asked, u.now, j.Deadline)
		u.client.bell.set(own == 3, j.name(), &DeadlineNear{Key: j.name(), Now: u.now, Deadline: j.Deadline})
		hurry := j.Hurry && !j.cancelled()
		if hurry || u.waited(j) { // perhaps for the tip that one endpoint names, which never lands
			own = max(own, 1)
		}
		h.urgency, h.hurry = max(h.urgency, own), h.hurry || hurry
		list = append(list, unlanded{job: j, haste: h})
		h.answered = h.answered || j.Defence && !j.cancelled()
	}
	slices.Reverse(list)
	return list
}

// waited reports whether a job has waited so long that something must be wrong.
func (u *upkeep) waited(j *job) bool { return u.head.Number >= j.First+4*u.config.Fees.Patience }

// observe looks where a job's versions are now.
func (u *upkeep) observe(ctx context.Context, j *job) error {
	before, mined := j.Landed, j.mined
	look := u.client.receipt
	if u.highest > j.Nonce {
		look = u.client.anyReceipt // for something with this nonce was mined
	}
	by, err := u.find(ctx, j, before, look)
	sure, fault := false, (*Lying)(nil)
	if err == nil {
		sure, fault, err = u.sure(ctx, j, by)
	}
	if err == nil && j.doubted {
		sure, fault, err = u.another(ctx, j, before, by, fault)
	}
	if err != nil {
		j.Landed, j.mined = before, mined
		return err
	}
	u.client.bell.set(fault != nil, j.name(), orNew(fault))
	switch {
	case j.Landed == nil && before != nil:
		u.tell(j)
	case j.Landed == nil:
		return u.displaced(ctx, j)
	case sure:
		u.finish(j)
	case before == nil || before.Hash != j.Landed.Hash:
		u.tell(j)
	}
	if j.mined {
		u.silence(j)
	}
	return nil
}

// find sets where a job landed to what is shown of its newest version, and returns who shows it.
func (u *upkeep) find(ctx context.Context, j *job, before *landing, look func(context.Context, common.Hash) (*types.Receipt, *endpoint, error)) (by *endpoint, err error) {
	j.Landed = nil
	for _, tx := range slices.Backward(j.Sent) {
		receipt, by, err := look(ctx, tx)
		if err != nil {
			return nil, err
		}
		if receipt == nil {
			continue
		}
		j.Landed = u.landing(ctx, j, receipt)
		if before != nil && before.Tx == tx && before.Hash == receipt.BlockHash {
			if j.Landed.alone = before.alone; before.Agreed {
				j.Landed = before
			}
		}
		return by, nil
	}
	return nil, nil
}

// sure reports whether a job's landing is final: deep enough, and at both endpoints. What landed at
// one of them only is sent on.
func (u *upkeep) sure(ctx context.Context, j *job, by *endpoint) (sure bool, fault *Lying, err error) {
	deep := j.Landed != nil && final(j.Landed.Block, u.head.Number, u.config.Confirmations)
	asked := deep || j.Landed != nil && (u.nonce <= j.Nonce || j.doubted)
	if asked {
		var shared uint64
		if sure, shared, fault, err = u.client.landed(ctx, by, j, u.config.Confirmations); err != nil {
			return false, nil, err
		}
		deep = final(j.Landed.Block, shared, u.config.Confirmations) // else it is one's word
	}
	if !deep {
		fault = nil
	}
	enough := sure && u.client.heard(j.Landed)
	j.doubted = asked && !enough
	j.mined = j.Landed != nil && (u.nonce > j.Nonce || sure)
	return deep && enough, fault, nil
}

// another is sure of where the other endpoint shows that a job landed, where that is elsewhere and
// not in doubt: an invented landing of a newer version would hide it.
func (u *upkeep) another(ctx context.Context, j *job, before *landing, by *endpoint, fault *Lying) (sure bool, _ *Lying, err error) {
	shown, mined, other := j.Landed, j.mined, u.client.other(by)
	if other == nil {
		return false, fault, nil
	}
	_, err = u.find(ctx, j, before, func(ctx context.Context, tx common.Hash) (*types.Receipt, *endpoint, error) {
		receipt, _ := u.client.receiptOf(ctx, other, tx) // none where it can't tell
		return receipt, other, ctx.Err()
	})
	if err == nil && j.Landed != nil && (j.Landed.Tx != shown.Tx || j.Landed.Hash != shown.Hash) {
		sure, liar, err := u.sure(ctx, j, other)
		if err != nil || !j.doubted {
			return sure, liar, err
		}
	}
	j.Landed, j.mined = shown, mined
	return false, fault, err
}

func (u *upkeep) tell(j *job) {
	if j.Key != "" {
		u.reports = append(u.reports, j.report())
	}
}

// silence ends the alarms about a job.
func (u *upkeep) silence(j *job) {
	u.client.bell.set(false, j.name(), &DeadlineNear{})
	u.client.bell.set(false, j.name(), &StuckTx{})
	u.client.bell.set(false, j.name(), &FeeSpike{})
	u.client.bell.set(false, j.name(), &EmptyWallet{})
}

// failedInBlock is why a transaction did nothing, as far as its receipt says.
const failedInBlock = "the transaction failed in its block"

func (u *upkeep) landing(ctx context.Context, j *job, receipt *types.Receipt) *landing {
	at := &landing{Tx: receipt.TxHash, Block: receipt.BlockNumber.Uint64(), Hash: receipt.BlockHash, GasUsed: receipt.GasUsed}
	if receipt.EffectiveGasPrice != nil {
		at.Fee.SetFromBig(new(big.Int).Mul(receipt.EffectiveGasPrice, new(big.Int).SetUint64(receipt.GasUsed)))
	}
	if receipt.Status != types.ReceiptStatusSuccessful {
		at.Failed = failedInBlock
		_, err := u.client.call(ctx, u.message(j), new(big.Int).SetUint64(at.Block))
		if refused, is := errors.AsType[*Reverted](u.explain(err)); is {
			at.Failed = refused.Reason.Error()
		}
	}
	return at
}

// finish ends a job whose landing is final.
func (u *upkeep) finish(j *job) {
	o := &outcome{Landed: *j.Landed, Nonce: j.Nonce, For: j.For}
	if j.isCancel(j.Landed.Tx) {
		o.Dropped = j.Why
	}
	u.client.bell.set(false, j.name(), &Lying{}) // an endpoint that denies it is told of
	u.learn(j)
	if u.agreed || j.Nonce <= u.book.Used+maxFillers { // else it is one's word
		u.book.Used = max(u.book.Used, j.Nonce+1)
	}
	u.end(j, o)
}

func (u *upkeep) end(j *job, o *outcome) {
	u.book.Jobs = slices.DeleteFunc(u.book.Jobs, func(other *job) bool { return other == j })
	u.silence(j)
	if j.Key != "" {
		u.over[j.Key] = o
		u.reports = append(u.reports, o.report(j.Key))
	}
}
