package chain

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// DefaultConfirmations is the default number of blocks, its own included, that make a block final.
const DefaultConfirmations = 12

// MaxConfirmations is the most that a Follower waits for.
const MaxConfirmations = 10_000

// final reports whether a block is when another one is the newest. Any number may be named.
func final(number, newest, confirmations uint64) bool {
	return number <= newest && newest-number >= confirmations-1
}

// Block is what the node needs to know of a block.
type Block struct {
	Number  uint64      `json:"number"`
	Hash    common.Hash `json:"hash"`
	Parent  common.Hash `json:"parent"`
	Time    uint64      `json:"time"`    // seconds since 1970
	BaseFee uint64      `json:"baseFee"` // wei per gas; 0 on a chain without one
}

// header is a block in JSON-RPC. Its hash is taken from the endpoint: chains whose headers have
// other fields than Ethereum's hash them differently.
type header struct {
	Number  *hexutil.Uint64 `json:"number"`
	Hash    *common.Hash    `json:"hash"`
	Parent  common.Hash     `json:"parentHash"`
	Time    hexutil.Uint64  `json:"timestamp"`
	BaseFee hexutil.Uint64  `json:"baseFeePerGas"`
}

// block returns false for a header without number or hash: that of a pending block.
func (h *header) block() (Block, bool) {
	if h == nil || h.Number == nil || h.Hash == nil {
		return Block{}, false
	}
	return Block{Number: uint64(*h.Number), Hash: *h.Hash, Parent: h.Parent, Time: uint64(h.Time), BaseFee: uint64(h.BaseFee)}, true
}
