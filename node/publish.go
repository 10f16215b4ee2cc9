package node

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// countable reports whether the score board takes the result: all its seats signed it, or the Arena
// paid the match and somebody won.
func (r *Result) countable() bool {
	_, whole := r.signed()
	return whole || r.decided()
}

// decided reports whether the Arena's record of the match shows who won, so that the loser's
// signature is not needed.
func (r *Result) decided() bool {
	return r.Settled && r.Record != nil && r.Free == nil && r.result().Winners != 0
}

// Unpublished returns the results that the score board would accept and does not count yet, by
// channel.
func (n *scores) Unpublished(ctx context.Context) (map[common.Hash][]Result, error) {
	results, err := n.channels.Results()
	if err != nil {
		return nil, err
	}
	byChannel := map[common.Hash][]Result{}
	for i := range results {
		r := &results[i]
		if !r.countable() {
			continue
		}
		counts, err := n.counts(ctx, r)
		if err != nil {
			return nil, err
		}
		if !counts {
			byChannel[r.Channel] = append(byChannel[r.Channel], *r)
		}
	}
	return byChannel, nil
}

// counts asks the score board whether it counts a result.
func (n *scores) counts(ctx context.Context, r *Result) (bool, error) {
	out, err := n.askBoard(ctx, scoreboard().PackIsRecorded(r.Channel, r.Terms.Nonce))
	if err != nil {
		return false, err
	}
	counts, err := scoreboard().UnpackIsRecorded(out)
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrNoScoreboard, err)
	}
	return counts, nil
}

// PublishScore sends what Unpublished returns to the score board. It returns the reports of the
// transactions, and how many results they hold; Events says when they are mined.
func (n *scores) PublishScore(ctx context.Context) ([]chain.Report, int, error) {
	byChannel, err := n.Unpublished(ctx)
	if err != nil {
		return nil, 0, err
	}
	var reports []chain.Report
	count := 0
	for id, results := range byChannel {
		list, e := n.publish(ctx, id, results)
		for _, p := range list {
			if p.refused != nil {
				e = errors.Join(e, p.refused)
				continue
			}
			reports, count = append(reports, p.Report), count+len(p.results)
		}
		err = errors.Join(err, e)
	}
	return reports, count, err
}

// publication is a transaction to the score board.
type publication struct {
	chain.Report
	data    []byte
	results []*Result
	refused error // by the score board, so that it was not sent
}

// publish sends results of one channel to the score board. It returns what was sent or refused
// before any other error.
func (n *scores) publish(ctx context.Context, id common.Hash, results []Result) ([]publication, error) {
	list, err := n.publications(id, results)
	if err != nil {
		return nil, err
	}
	for i := range list {
		p := &list[i]
		p.Report, err = n.drive.Sender.Submit(ctx, chain.Request{
			Key: "score/" + crypto.Keccak256Hash(p.data).Hex(),
			Why: fmt.Sprintf("put %d results on the score board", len(p.results)),
			To:  n.config.Scoreboard, Data: p.data,
		})
		if errors.As(err, new(*chain.Reverted)) {
			p.refused = err
		} else if err != nil {
			return list[:i], err
		}
	}
	return list, nil
}

// maxBatch is the most results in one transaction.
const maxBatch = 100

// publications makes the transactions for results of one channel: those that all signed go
// together, each other one goes by its record.
func (n *scores) publications(id common.Hash, results []Result) (list []publication, err error) {
	m, err := n.channels.member(id)
	if err != nil {
		return nil, err
	}
	var whole []*Result
	for i := range results {
		r := &results[i]
		if _, all := r.signed(); all {
			whole = append(whole, r)
			continue
		}
		data, err := codec.RecordPaid(&m.terms, &r.Terms, r.Record)
		if err != nil {
			return nil, err
		}
		list = append(list, publication{data: data, results: []*Result{r}})
	}
	for batch := range slices.Chunk(whole, maxBatch) {
		signed := make([]protocol.SignedResult, len(batch))
		for i, r := range batch {
			signed[i], _ = r.signed()
		}
		data, err := codec.Record(&m.terms, signed)
		if err != nil {
			return nil, err
		}
		list = append(list, publication{data: data, results: batch})
	}
	return list, nil
}
