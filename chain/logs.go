package chain

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
)

// source is whose logs are read, and which.
type source struct {
	contract common.Address
	kinds    []common.Hash // their first topics; nil: all
}

// filter returns what eth_getLogs is asked for, but for the blocks.
func (s *source) filter() map[string]any {
	filter := map[string]any{"address": s.contract}
	if s.kinds != nil {
		filter["topics"] = [][]common.Hash{s.kinds}
	}
	return filter
}

// has reports whether a log is one that was asked for.
func (s *source) has(log *types.Log) bool {
	return log.Address == s.contract && !log.Removed && (s.kinds == nil || len(log.Topics) > 0 && slices.Contains(s.kinds, log.Topics[0]))
}

// logsOf returns a source's logs in each of the blocks, or in the first of them, as many as fit
// into one answer; there is one at least. Logs are asked for by block hash, so that no
// reorganisation can slip in between: a block that left the chain gives an error.
func (e *endpoint) logsOf(ctx context.Context, from source, blocks []Block) (logs [][]types.Log, err error) {
	_, err = e.batches.ask(uint64(len(blocks)), isBatchTooBig, func(n uint64) error {
		logs, err = e.logsAtOnce(ctx, from, blocks[:n])
		return err
	})
	return logs, err
}

// tooMuch reports whether an error means that the endpoint would answer a smaller request.
// Providers word this differently.
func tooMuch(err error) bool {
	return errors.As(err, new(rpc.Error)) || errors.Is(err, errTooLong) || errors.Is(err, rpc.ErrMissingBatchResponse)
}

// isBatchTooBig is tooMuch of a batch: one that costs more than an endpoint allows in a second is
// refused for coming too often, however long it is waited.
func isBatchTooBig(err error) bool { return tooMuch(err) || isTooOften(err) }

func (e *endpoint) logsAtOnce(ctx context.Context, from source, blocks []Block) (logs [][]types.Log, err error) {
	logs = make([][]types.Log, len(blocks))
	err = e.batch(ctx, len(blocks), func(ctx context.Context) error {
		batch := make([]rpc.BatchElem, len(blocks))
		for i := range batch {
			filter := from.filter()
			filter["blockHash"] = blocks[i].Hash
			logs[i] = nil
			batch[i] = rpc.BatchElem{Method: "eth_getLogs", Args: []any{filter}, Result: &logs[i]}
		}
		return all(batch, e.client.BatchCallContext(ctx, batch))
	})
	if err != nil {
		return nil, err
	}
	for i := range blocks {
		for j := range logs[i] {
			if logs[i][j].BlockHash != blocks[i].Hash || logs[i][j].BlockNumber != blocks[i].Number {
				return nil, &Lying{Endpoint: e.name, Number: blocks[i].Number, What: "it tells logs of another block"}
			}
		}
		if err := e.vet(from, logs[i]); err != nil {
			return nil, err
		}
	}
	return logs, nil
}

// logsIn returns a source's logs from a range of blocks that are too deep to change. The range is
// halved for as long as the endpoint refuses it, having too many results or too many blocks, and
// what fits is remembered; it returns the last block covered.
func (e *endpoint) logsIn(ctx context.Context, from source, first, last uint64) (logs []types.Log, covered uint64, err error) {
	blocks, err := e.ranges.ask(last-first+1, tooMuch, func(n uint64) error {
		return e.do(ctx, func(ctx context.Context) error {
			filter := from.filter()
			filter["fromBlock"], filter["toBlock"] = hexutil.EncodeUint64(first), hexutil.EncodeUint64(first+n-1)
			logs = nil
			return e.client.CallContext(ctx, &logs, "eth_getLogs", filter)
		})
	})
	if err != nil {
		return nil, 0, err
	}
	last = first + blocks - 1
	for i := range logs {
		if logs[i].BlockNumber < first || logs[i].BlockNumber > last {
			return nil, 0, &Lying{Endpoint: e.name, Number: logs[i].BlockNumber, What: fmt.Sprintf("it tells logs outside of the blocks %d to %d asked for", first, last)}
		}
	}
	return logs, last, e.vet(from, logs)
}

// vet checks that logs are of the source, and in order.
func (e *endpoint) vet(from source, logs []types.Log) error {
	for i := range logs {
		switch {
		case !from.has(&logs[i]):
			return &Lying{Endpoint: e.name, Number: logs[i].BlockNumber, What: "it tells logs that were not asked for"}
		case i > 0 && (logs[i].BlockNumber < logs[i-1].BlockNumber ||
			logs[i].BlockNumber == logs[i-1].BlockNumber && logs[i].Index <= logs[i-1].Index):
			return &Lying{Endpoint: e.name, Number: logs[i].BlockNumber, What: "it tells logs out of order"}
		}
	}
	return nil
}
