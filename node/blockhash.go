package node

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/ante-games/ante/chain"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ethereum/go-ethereum/common"
)

// ErrForgotten is returned for a block whose hash nobody can tell any more.
var ErrForgotten = errors.New("the hash is forgotten")

// tooNew is chain.ErrUnknownBlock for a block that is to come, or not final yet.
type tooNew struct{ number, head, depth uint64 }

func (e *tooNew) Error() string {
	if e.number > e.head {
		return fmt.Sprintf("there is no block %d yet: the newest is %d", e.number, e.head)
	}
	return fmt.Sprintf("block %d is not final yet: it is once %d blocks stand, itself included, and the newest is %d", e.number, e.depth, e.head)
}

func (e *tooNew) Unwrap() error { return chain.ErrUnknownBlock }

// BlockHash returns the hash of a block that is final, as a game's rules see it: by the chain's
// endpoints or, where those keep no block so old, as the game's contract recorded it. It fails with
// chain.ErrUnknownBlock before the block is final, and with ErrForgotten when it is too old.
func (n *rounds) BlockHash(ctx context.Context, game string, number uint64) (common.Hash, error) {
	head, err := n.drive.Client.Head(ctx)
	if err != nil {
		return common.Hash{}, err
	}
	if number > head.Number || head.Number-number < n.confirmations()-1 {
		return common.Hash{}, &tooNew{number, head.Number, n.confirmations()}
	}
	block, err := n.drive.Client.At(ctx, number)
	if !errors.Is(err, chain.ErrUnknownBlock) {
		return block.Hash, err
	}
	_, rules, err := n.deployed(game)
	if err != nil {
		return common.Hash{}, err
	}
	beacon := bindings.NewRoundBeacon()
	told, err := n.drive.Client.Call(ctx, rules, beacon.PackBlockHash(new(big.Int).SetUint64(number)))
	if err != nil {
		return common.Hash{}, err
	}
	hash, err := beacon.UnpackBlockHash(told)
	if err == nil && hash == (common.Hash{}) {
		err = fmt.Errorf("%w: the endpoint does not keep block %d, and the contract of %s recorded no hash of it", ErrForgotten, number, game)
	}
	return hash, err
}
