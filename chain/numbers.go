package chain

import (
	"context"

	"github.com/ethereum/go-ethereum"
	"github.com/holiman/uint256"
)

// number is init code that returns the number of the block that it runs in.
// NUMBER PUSH0 MSTORE PUSH1 32 PUSH0 RETURN
var number = []byte{0x43, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3}

// apart is how far the two may be from each other where endpoints behind one address differ, in
// blocks. Those of two chains are millions apart.
const apart = 1024

// OtherNumbers is why nothing that counts blocks is used on a chain: see Client.OwnNumbers.
const OtherNumbers = "contracts on this chain are told the numbers of another chain's blocks"

// OwnNumbers reports whether contracts are told the numbers that the chain's headers have. On some
// rollups, Arbitrum's above all, block.number is another chain's: blocks can't be a clock there,
// and no contract knows which of its own blocks are still to come. Where there is a second endpoint
// both must agree, or it fails with *Lying; agreed says whether two endpoints told the same.
func (c *Client) OwnNumbers(ctx context.Context) (own, agreed bool, err error) {
	return both(ctx, c, func(ctx context.Context, e *endpoint) (bool, error) {
		head, err := e.head(ctx)
		if err != nil {
			return false, err
		}
		result, err := e.eth.CallContract(ctx, ethereum.CallMsg{Data: number}, nil)
		if err != nil {
			return false, refusal(err)
		}
		if len(result) != 32 {
			return false, errNoCreation
		}
		told, header := new(uint256.Int).SetBytes(result), uint256.NewInt(head.Number)
		if told.Lt(header) {
			told, header = header, told
		}
		return told.Sub(told, header).LtUint64(apart + 1), nil
	}, func(a, b bool) bool { return a == b }, "the numbers that contracts know blocks by")
}
