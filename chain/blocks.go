package chain

import (
	"context"
	"fmt"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
)

func (e *endpoint) head(ctx context.Context) (Block, error) {
	return e.block(ctx, "latest")
}

func (e *endpoint) at(ctx context.Context, number uint64) (Block, error) {
	block, err := e.block(ctx, hexutil.EncodeUint64(number))
	if err == nil && block.Number != number {
		return Block{}, &Lying{Endpoint: e.name, Number: number, What: fmt.Sprintf("it answered with block %d", block.Number)}
	}
	return block, err
}

func (e *endpoint) block(ctx context.Context, which string) (Block, error) {
	return once(ctx, e, func(ctx context.Context, e *endpoint) (Block, error) {
		var raw *header
		if err := e.client.CallContext(ctx, &raw, "eth_getBlockByNumber", which, false); err != nil {
			return Block{}, err
		}
		block, ok := raw.block()
		if !ok {
			return block, ErrUnknownBlock
		}
		return block, nil
	})
}

// blocks returns the blocks from first to last, as far as the endpoint has them and tells them at
// once, each the child of the one before.
func (e *endpoint) blocks(ctx context.Context, first, last uint64) (found []Block, err error) {
	var list []*header
	_, err = e.batches.ask(last-first+1, isBatchTooBig, func(n uint64) error {
		list = make([]*header, n)
		return e.batch(ctx, len(list), func(ctx context.Context) error {
			batch := make([]rpc.BatchElem, n)
			for i := range batch {
				list[i] = nil
				batch[i] = rpc.BatchElem{Method: "eth_getBlockByNumber", Args: []any{rpc.BlockNumber(first + uint64(i)), false}, Result: &list[i]}
			}
			return all(batch, e.client.BatchCallContext(ctx, batch))
		})
	})
	if err != nil {
		return nil, err
	}
	for i, raw := range list {
		block, ok := raw.block()
		if !ok || block.Number != first+uint64(i) || i > 0 && block.Parent != found[i-1].Hash {
			// a reorganisation between two answers, or an endpoint that lags: the rest comes with
			// the next call
			break
		}
		found = append(found, block)
	}
	return found, nil
}

// all returns the first error of a batch.
func all(batch []rpc.BatchElem, err error) error {
	for i := range batch {
		if err == nil {
			err = batch[i].Error
		}
	}
	return err
}
