package chain

import (
	"context"
	"fmt"

	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// priceOracle is where chains of the OP stack say what the data of a transaction costs besides its
// gas: getL1Fee(bytes).
var priceOracle = common.HexToAddress("0x420000000000000000000000000000000000000F")

// sampleSize is of how many bytes the fee is asked for.
const sampleSize = 1024

// sample is the call that asks it, for what can't be compressed.
var sample = func() []byte {
	call := crypto.Keccak256([]byte("getL1Fee(bytes)"))[:4]
	call = append(call, common.LeftPadBytes([]byte{32}, 32)...)
	call = append(call, common.LeftPadBytes(uint256.NewInt(sampleSize).Bytes(), 32)...)
	for i := range byte(sampleSize / common.HashLength) {
		call = append(call, crypto.Keccak256([]byte{i})...)
	}
	return call
}()

// byteFee returns what a byte of a transaction costs besides its gas by the word of an endpoint, in
// wei.
func (c *Client) byteFee(ctx context.Context, e *endpoint) (fee uint64, err error) {
	if !c.config.OPStack {
		return 0, nil
	}
	var answer []byte
	err = c.ask(ctx, e, func(e *endpoint) error {
		return e.do(ctx, func(ctx context.Context) (err error) {
			answer, err = e.eth.CallContract(ctx, ethereum.CallMsg{To: &priceOracle, Data: sample}, nil)
			return err
		})
	})
	if err != nil {
		return 0, fmt.Errorf("ask what data costs: %w", err)
	}
	if len(answer) != common.HashLength {
		return 0, fmt.Errorf("ask what data costs: nothing at %v says so: this is no chain of the OP stack, so set chain.op_stack to false", priceOracle)
	}
	wei := new(uint256.Int).SetBytes(answer)
	wei.AddUint64(wei, sampleSize-1) // rounded up
	if wei.Div(wei, uint256.NewInt(sampleSize)); !wei.IsUint64() || wei.Uint64() > money.Highest {
		return 0, &Lying{Endpoint: e.name, What: fmt.Sprintf("a byte of data is said to cost %s wei", wei.Dec())}
	}
	return wei.Uint64(), nil
}
