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

// errEnough ends the reading of logs early.
var errEnough = errors.New("enough")

// logsOf hands over a source's logs in each of the blocks, for as long as more are wanted. Logs are
// asked for by block hash, so that no reorganisation can slip in between: a block that left the
// chain gives an error. What is too much for one answer is asked for in parts, and never more than
// one of them is in memory.
func (e *endpoint) logsOf(ctx context.Context, from source, blocks []Block, take func(i int, logs []types.Log) (more bool)) error {
	err := e.batches.inParts(len(blocks), func(first, end int) error {
		part, err := e.logsAtOnce(ctx, from, blocks[first:end])
		for i, logs := range part {
			if !take(first+i, logs) {
				return errEnough
			}
		}
		return err
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// tooMuch reports whether an error means that the endpoint would answer a smaller request.
// Providers word this differently.
func tooMuch(err error) bool {
	return errors.As(err, new(rpc.Error)) || errors.Is(err, errTooLong) || errors.Is(err, rpc.ErrMissingBatchResponse)
}

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
	last = first + e.ranges.of(last-first+1) - 1
	for refused := false; ; refused = true {
		err = e.do(ctx, func(ctx context.Context) error {
			filter := from.filter()
			filter["fromBlock"], filter["toBlock"] = hexutil.EncodeUint64(first), hexutil.EncodeUint64(last)
			logs = nil
			return e.client.CallContext(ctx, &logs, "eth_getLogs", filter)
		})
		if err == nil {
			e.ranges.took(last-first+1, refused)
			break
		}
		if !tooMuch(err) || first == last {
			return nil, 0, err
		}
		last = first + (last-first)/2
	}
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
