package chain

import (
	"context"
	"errors"
	"fmt"

	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
)

// priceOracle is where chains of the OP stack say what the data of a transaction costs besides its
// gas: getL1Fee(bytes). Other chains have nothing there.
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
// wei. An endpoint of a chain that has no priceOracle is asked once. If it answers but refuses the
// call, as where it lacks the state, what it told last counts: an answer in a dispute must not wait
// for that.
func (c *Client) byteFee(ctx context.Context, e *endpoint) (fee uint64, err error) {
	e.mu.Lock()
	gasOnly, last := e.gasOnly, e.data
	e.mu.Unlock()
	if gasOnly {
		return 0, nil
	}
	var told []byte
	err = c.ask(ctx, e, func(e *endpoint) error {
		return e.do(ctx, func(ctx context.Context) (err error) {
			told, err = e.eth.CallContract(ctx, ethereum.CallMsg{To: &priceOracle, Data: sample}, nil)
			return err
		})
	})
	if answered := rpc.Error(nil); errors.As(err, &answered) && !isDown(err) {
		return last, nil
	}
	if err != nil {
		return 0, fmt.Errorf("ask what data costs: %w", err)
	}
	if len(told) != 0 && len(told) != common.HashLength {
		return 0, &Lying{Endpoint: e.name, What: fmt.Sprintf("the price of data is said in %d bytes", len(told))}
	}
	wei := new(uint256.Int).SetBytes(told)
	wei.AddUint64(wei, sampleSize-1) // rounded up
	if wei.Div(wei, uint256.NewInt(sampleSize)); !wei.IsUint64() || wei.Uint64() > money.Highest {
		return 0, &Lying{Endpoint: e.name, What: fmt.Sprintf("a byte of data is said to cost %s wei", wei.Dec())}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.gasOnly, e.data = len(told) == 0, wei.Uint64()
	return e.data, nil
}
