package chain

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/money"
	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
)

// oracle is a contract that tells what chains of a kind charge for the data of a transaction. Other
// chains have nothing there.
type oracle struct {
	at    common.Address
	call  []byte
	words int    // that it answers
	word  int    // the one of them that is the price, in wei
	bytes uint64 // so many bytes cost that
	inGas bool   // see money.Market
}

// sampleSize is of how many bytes a fee is asked for that depends on them.
const sampleSize = 1024

// oracles are those of the OP stack (GasPriceOracle.getL1Fee, docs.optimism.io) and of Arbitrum
// (ArbGasInfo.getPricesInWei, see precompiles/ArbGasInfo.go and docs/arbos/gas.md of
// github.com/OffchainLabs/nitro: the second price is that of a byte, and is charged as gas, at the
// base fee).
var oracles = []*oracle{
	{at: common.HexToAddress("0x420000000000000000000000000000000000000F"), call: sample(), words: 1, bytes: sampleSize},
	{at: common.HexToAddress("0x6c"), call: selector("getPricesInWei()"), words: 6, word: 1, bytes: 1, inGas: true},
}

// sample is the call that asks what data costs which can't be compressed.
func sample() []byte {
	call := slices.Concat(selector("getL1Fee(bytes)"), word(32), word(sampleSize))
	for i := range byte(sampleSize / common.HashLength) {
		call = append(call, crypto.Keccak256([]byte{i})...)
	}
	return call
}

func selector(signature string) []byte { return crypto.Keccak256([]byte(signature))[:4] }

// dataFee is what an endpoint told of the price of data.
type dataFee struct {
	known bool
	by    *oracle // nil: the chain charges for nothing but gas
	wei   uint64  // a byte costs
	idle  int     // so many times more it counts without being asked for
}

// believed is how many times it counts that a chain has no oracle. An endpoint that failed is asked
// at once: what answers by then may be something else.
const believed = 255

// lower returns the lower price of what two endpoints told.
func (f dataFee) lower(other dataFee) dataFee {
	if !f.known || other.known && other.wei < f.wei {
		return other
	}
	return f
}

// dataFee returns the price of data by the word of an endpoint. If it answers, and not that, what
// it told last counts, since an answer in a dispute must not wait for it, and an alarm stands. So
// it does if a price is suddenly not told any more.
func (c *Client) dataFee(ctx context.Context, e *endpoint) (dataFee, error) {
	e.mu.Lock()
	last := e.data
	e.data.idle = max(0, last.idle-1)
	e.mu.Unlock()
	if last.idle > 0 {
		return last, nil
	}
	told, err := c.askDataFee(ctx, e, last.by)
	if err != nil && (isDown(err) || !errors.As(err, new(rpc.Error)) && !lies(err)) {
		return dataFee{}, fmt.Errorf("ask what data costs: %w", err)
	}
	if classOf(ctx) != Stranger {
		c.bell.set(err != nil, e.name+", data", &Refusing{Endpoint: e.name, What: "the price of data", Err: err})
	}
	if err != nil {
		return last, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.data = told
	return told, nil
}

// askDataFee asks the oracle that told before, or all of them.
func (c *Client) askDataFee(ctx context.Context, e *endpoint, before *oracle) (dataFee, error) {
	for _, o := range oracles {
		if before != nil && o != before {
			continue
		}
		answer, err := answerOf(ctx, c, e, func(ctx context.Context, e *endpoint) ([]byte, error) {
			return e.eth.CallContract(ctx, ethereum.CallMsg{To: &o.at, Data: o.call}, nil)
		})
		switch {
		case refused(refusal(err)): // another contract
		case err != nil:
			return dataFee{}, err
		case len(answer) == o.words*common.HashLength:
			return o.price(e.name, answer)
		}
	}
	if before != nil {
		return dataFee{}, &Lying{Endpoint: e.name, What: fmt.Sprintf("nothing is at %v any more", before.at)}
	}
	return dataFee{known: true, idle: believed}, nil
}

// price reads an answer.
func (o *oracle) price(endpoint string, answer []byte) (dataFee, error) {
	wei := new(uint256.Int).SetBytes(answer[o.word*common.HashLength:][:common.HashLength])
	rest := new(uint256.Int)
	wei.DivMod(wei, uint256.NewInt(o.bytes), rest)
	if !wei.IsUint64() || wei.Uint64() >= money.Highest {
		return dataFee{}, &Lying{Endpoint: endpoint, What: fmt.Sprintf("a byte of data is said to cost %s wei", wei.Dec())}
	}
	if !rest.IsZero() {
		wei.AddUint64(wei, 1)
	}
	return dataFee{known: true, by: o, wei: wei.Uint64()}, nil
}
