// Package minichain is a small deterministic chain for tests and simulations: go-ethereum's own
// state transition over an in-memory state, under the rules of the Osaka fork, with gas exact to
// the unit of a real receipt. Blocks and time move only when told to. It has no signatures (the
// sender of a transaction is simply named), no fees (gas is counted and costs nothing, so that
// balances stay round), no goroutine, no clock and no randomness.
//
// A Chain is not safe for concurrent use; chains are independent of each other.
package minichain

import (
	"encoding/binary"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/triedb"
	"github.com/holiman/uint256"
)

// Where a new chain stands, and how far apart its blocks are.
const (
	firstBlock   = 1_000
	firstTime    = 1_800_000_000 // Unix seconds
	blockSeconds = 12
)

// Chain is one chain. Its fields say where it stands.
type Chain struct {
	// OnTransaction, if set, is called after every transaction that a block would hold, failed ones
	// included.
	OnTransaction func(*types.Receipt)

	// Tracer, if set, watches the EVM at work.
	Tracer *tracing.Hooks

	history     bool // kept in the contract of EIP-2935
	block, time uint64
	// the block of each Rewind, which enters block hashes, so that a block mined again has another
	// hash
	forks  []uint64
	sent   uint64 // transactions so far, which names them
	state  *state.StateDB
	config *params.ChainConfig
	jumps  vm.JumpDestCache
}

// New returns a chain with an id, at FirstBlock, on which nobody owns anything.
func New(chainID uint64) (*Chain, error) {
	disk := rawdb.NewMemoryDatabase()
	db := state.NewDatabase(triedb.NewDatabase(disk, nil), state.NewCodeDB(disk))
	empty, err := state.New(types.EmptyRootHash, db)
	if err != nil {
		return nil, fmt.Errorf("empty state: %w", err)
	}
	return &Chain{
		block:  firstBlock,
		time:   firstTime,
		state:  empty,
		config: osaka(chainID),
		jumps:  make(jumpDests),
	}, nil
}

// osaka returns the rules of the Osaka fork. Bogota, which the development configuration turns on,
// prices storage by a fork that is not released.
func osaka(chainID uint64) *params.ChainConfig {
	c := *params.AllDevChainProtocolChanges
	c.ChainID = new(big.Int).SetUint64(chainID)
	c.AmsterdamTime, c.BogotaTime = nil, nil
	return &c
}

// ChainID returns the chain's id.
func (c *Chain) ChainID() uint64 { return c.config.ChainID.Uint64() }

// Split gives the chain another id from here on, as one has that parts from another and keeps what
// both had.
func (c *Chain) Split(id uint64) { c.config = osaka(id) }

// Block returns the number of the block that takes the next transaction.
func (c *Chain) Block() uint64 { return c.block }

// Time returns that block's time in Unix seconds.
func (c *Chain) Time() uint64 { return c.time }

// Mine ends the block and as many more as it takes to move on by n.
func (c *Chain) Mine(n uint64) {
	c.block += n
	c.time += n * blockSeconds
	c.remember(c.block - n)
}

// Wait ends the block and starts the next one so many seconds later.
func (c *Chain) Wait(seconds uint64) {
	c.block++
	c.time += seconds
	c.remember(c.block - 1)
}

// Fund gives an account wei out of nothing.
func (c *Chain) Fund(account common.Address, wei *uint256.Int) {
	c.state.AddBalance(account, wei, tracing.BalanceChangeUnspecified)
	c.state.Finalise(c.rules())
}

// Balance returns an account's wei.
func (c *Chain) Balance(account common.Address) *uint256.Int {
	return new(uint256.Int).Set(c.state.GetBalance(account))
}

// Storage returns a word of a contract's storage.
func (c *Chain) Storage(of common.Address, slot common.Hash) common.Hash {
	return c.state.GetState(of, slot)
}

// SetStorage changes a word of a contract's storage, which nothing on a chain can do from outside.
func (c *Chain) SetStorage(of common.Address, slot, word common.Hash) {
	c.state.SetState(of, slot, word)
	c.state.Finalise(c.rules())
}

// Code returns the code at an address.
func (c *Chain) Code(at common.Address) []byte { return c.state.GetCode(at) }

// BlockHash returns the hash of a block that has ended, and zero otherwise or when the EVM's
// horizon of 256 blocks has passed it.
func (c *Chain) BlockHash(number uint64) common.Hash {
	if number >= c.block || number+256 < c.block {
		return common.Hash{}
	}
	return c.hash(number)
}

func (c *Chain) hash(number uint64) common.Hash {
	var id [24]byte
	binary.BigEndian.PutUint64(id[:8], c.ChainID())
	binary.BigEndian.PutUint64(id[8:16], c.fork(number))
	binary.BigEndian.PutUint64(id[16:], number)
	return crypto.Keccak256Hash(id[:])
}

// fork returns how often a block was mined again.
func (c *Chain) fork(number uint64) (times uint64) {
	for _, from := range c.forks {
		if from <= number {
			times++
		}
	}
	return times
}

func (c *Chain) rules() params.Rules {
	return c.config.Rules(new(big.Int).SetUint64(c.block), true, c.time)
}
