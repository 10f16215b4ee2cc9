package minichain

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/params"
)

// KeepHistory has the chain keep the hashes of its blocks from here on in the history contract of
// EIP-2935, as Ethereum does. It costs time at each block, so that only those who need it ask for
// it.
func (c *Chain) KeepHistory() {
	c.history = true
	c.state.SetCode(params.HistoryStorageAddress, params.HistoryStorageCode, tracing.CodeChangeUnspecified)
	c.state.SetNonce(params.HistoryStorageAddress, 1, tracing.NonceChangeUnspecified)
	c.state.Finalise(c.rules())
}

// remember keeps the hashes of the blocks that ended since a block.
func (c *Chain) remember(from uint64) {
	if !c.history {
		return
	}
	for n := max(from, c.block-min(c.block, params.HistoryServeWindow)); n < c.block; n++ {
		var slot common.Hash
		binary.BigEndian.PutUint64(slot[24:], n%params.HistoryServeWindow)
		c.state.SetState(params.HistoryStorageAddress, slot, c.hash(n))
	}
	c.state.Finalise(c.rules())
}
