package chain

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// sign makes the newest version of a job.
func (s *Sender) sign(ctx context.Context, j *job, head Block) error {
	chainID := new(big.Int).SetUint64(s.client.ChainID())
	fields := &types.DynamicFeeTx{
		ChainID: chainID, Nonce: j.Nonce, Gas: j.Gas, To: &j.To, Data: j.Data, Value: j.Value.ToBig(),
		GasTipCap: new(big.Int).SetUint64(j.Price.Tip), GasFeeCap: new(big.Int).SetUint64(j.Price.Cap),
	}
	if j.cancelled() {
		self := s.Address()
		fields.To, fields.Data, fields.Value = &self, nil, new(uint256.Int).ToBig()
	}
	unsigned := types.NewTx(fields)
	tx, err := s.config.Signer.SignTx(ctx, unsigned, chainID)
	if err == nil {
		err = asAsked(unsigned, tx, s.Address(), chainID)
	}
	if err != nil {
		return fmt.Errorf("cannot sign with account %v: %w: unlock it, or approve the request at its signer", s.Address(), err)
	}
	raw, err := tx.MarshalBinary()
	if err != nil {
		return err
	}
	if len(j.Raw) > 0 && !j.cancelling() {
		j.Earlier = append(j.Earlier, shortened(j.Raw))
		j.Earlier = j.Earlier[max(0, len(j.Earlier)-maxEarlier):]
	}
	j.Raw = raw
	j.Sent, j.Priced, j.idle = append(j.Sent, tx.Hash()), head.Number, 0
	return nil
}

// broadcast sends the newest version of a job that an endpoint finds the account able to pay. A
// failure is no error: the next step sends it again.
func (s *Sender) broadcast(ctx context.Context, j *job) {
	j.failure, j.taken = nil, false
	list, err := j.versions()
	for i, tx := range list {
		taken := false
		taken, err = s.client.broadcast(ctx, tx)
		j.taken = j.taken || taken
		if err == nil || isDown(err) || ctx.Err() != nil {
			return
		}
		if i == 0 {
			j.failure = err
		}
		// which no pool drops for one that bids hardly more
		before := slices.ContainsFunc(list[i+1:], func(old *types.Transaction) bool { return !bidOf(tx).Replaces(bidOf(old)) })
		if !says(err, poor) && !(before && says(err, cheap)) {
			break
		}
	}
	if !j.taken {
		s.client.bell.set(true, j.name(), &StuckTx{Key: j.name(), Tx: j.Sent[len(j.Sent)-1], Err: err})
	}
}

// bidOf returns what a transaction that was signed here bids.
func bidOf(tx *types.Transaction) money.Bid {
	return money.Bid{Tip: tx.GasTipCap().Uint64(), Cap: tx.GasFeeCap().Uint64()}
}

// harmless reports whether an endpoint refuses what it has, or what is mined.
func harmless(err error) bool { return says(err, known) && !says(err, []string{"unknown"}) }

// What the nodes of several makers say of a transaction: that they have it, or that it is mined;
// that the account can't pay for it; that it bids too little.
var (
	known = []string{"already known", "known transaction", "already imported", "nonce too low", "alreadyknown", "oldnonce"}
	poor  = []string{"insufficient funds", "insufficientfunds", "upfront cost exceeds"}
	cheap = []string{"underpriced", "gas price below", "feetoolow", "replacementnotallowed"}
)

// says reports whether an error has one of the words, in large or small letters.
func says(err error, words []string) bool {
	said := strings.ToLower(err.Error())
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(said, word) })
}
