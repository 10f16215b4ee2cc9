package chain

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"
)

// ErrNoHistory says that an endpoint keeps no state old enough to answer.
var ErrNoHistory = errors.New("the endpoint does not keep the chain's old state")

// Since returns the block since when an account has code. It fails with ErrNoHistory if the
// endpoint doesn't keep state that old.
func (c *Client) Since(ctx context.Context, account common.Address) (uint64, error) {
	head, err := c.Head(ctx)
	if err != nil {
		return 0, err
	}
	first, last, without := uint64(0), head.Number, false // without: the block before first has no code
	for first < last {
		middle := first + (last-first)/2
		code, err := answer(ctx, c, func(ctx context.Context, e *endpoint) ([]byte, error) {
			return e.eth.CodeAt(ctx, account, new(big.Int).SetUint64(middle))
		})
		switch {
		case err != nil && !errors.As(err, new(rpc.Error)):
			return 0, err
		case err == nil && len(code) != 0:
			last = middle
		default:
			first, without = middle+1, err == nil
		}
	}
	if first != 0 && !without {
		return 0, fmt.Errorf("%w: before block %d", ErrNoHistory, first)
	}
	return first, nil
}
