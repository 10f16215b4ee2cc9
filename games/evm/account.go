package evm

import (
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/stateless"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// account is the whole world that a rules contract lives in: its own code, and the facts of one
// call. It implements vm.StateDB; a static call writes nothing, so the writing half is empty.
// Everything is warm, so gas counts no first access. Not safe for concurrent use: each machine has
// its own.
type account struct {
	code []byte
	hash common.Hash

	facts   games.Facts // of the call; nil: none is known
	block   *uint64     // whose hash the call learnt last; nil: none
	unknown bool        // the call read a slot that is not known yet
}

// blockHash is what the chain tells of a block.
func (a *account) blockHash(number uint64) common.Hash {
	hash, known := a.facts.BlockHash(number)
	if known {
		a.block = &number
	}
	return hash
}

// GetState returns what the contract has noted before the block whose hash the call learnt last.
// Without one the storage is empty.
func (a *account) GetState(_ common.Address, slot common.Hash) common.Hash {
	if a.block == nil || a.unknown {
		return common.Hash{}
	}
	word, known := a.facts.Noted(slot, *a.block)
	a.unknown = !known
	return word
}

func (a *account) GetCode(addr common.Address) []byte {
	if addr == self {
		return a.code
	}
	return nil
}

func (a *account) GetCodeHash(addr common.Address) common.Hash {
	if addr == self {
		return a.hash
	}
	return common.Hash{}
}

func (a *account) GetCodeSize(addr common.Address) int { return len(a.GetCode(addr)) }

func (a *account) Exist(addr common.Address) bool { return addr == self }

func (a *account) Empty(addr common.Address) bool { return addr != self }

// The rest of vm.StateDB: nothing is stored, nothing is written, nothing is cold.

func (a *account) CreateAccount(common.Address)  {}
func (a *account) CreateContract(common.Address) {}
func (a *account) SubBalance(common.Address, *uint256.Int, tracing.BalanceChangeReason) uint256.Int {
	return uint256.Int{}
}
func (a *account) AddBalance(common.Address, *uint256.Int, tracing.BalanceChangeReason) uint256.Int {
	return uint256.Int{}
}
func (a *account) GetBalance(common.Address) *uint256.Int                          { return new(uint256.Int) }
func (a *account) GetNonce(common.Address) uint64                                  { return 0 }
func (a *account) SetNonce(common.Address, uint64, tracing.NonceChangeReason)      {}
func (a *account) SetCode(common.Address, []byte, tracing.CodeChangeReason) []byte { return nil }
func (a *account) AddRefund(uint64)                                                {}
func (a *account) SubRefund(uint64)                                                {}
func (a *account) GetRefund() uint64                                               { return 0 }
func (a *account) SetState(common.Address, common.Hash, common.Hash) common.Hash {
	return common.Hash{}
}
func (a *account) GetTransientState(common.Address, common.Hash) common.Hash  { return common.Hash{} }
func (a *account) SetTransientState(common.Address, common.Hash, common.Hash) {}
func (a *account) SelfDestruct(common.Address)                                {}
func (a *account) HasSelfDestructed(common.Address) bool                      { return false }
func (a *account) Touch(common.Address)                                       {}
func (a *account) IsNewContract(common.Address) bool                          { return false }
func (a *account) AddressInAccessList(common.Address) bool                    { return true }
func (a *account) SlotInAccessList(common.Address, common.Hash) (bool, bool)  { return true, true }
func (a *account) AddAddressToAccessList(common.Address)                      {}
func (a *account) AddSlotToAccessList(common.Address, common.Hash)            {}
func (a *account) RevertToSnapshot(int)                                       {}
func (a *account) Snapshot() int                                              { return 0 }
func (a *account) AddLog(*types.Log)                                          {}
func (a *account) AddPreimage(common.Hash, []byte)                            {}
func (a *account) Witness() *stateless.Witness                                { return nil }
func (a *account) AccessEvents() *state.AccessEvents                          { return nil }
func (a *account) Finalise(params.Rules) *bal.ConstructionBlockAccessList     { return nil }
func (a *account) SetTxContext(common.Hash, int, uint32)                      {}
func (a *account) GetStateAndCommittedState(common.Address, common.Hash) (common.Hash, common.Hash) {
	return common.Hash{}, common.Hash{}
}
func (a *account) Prepare(params.Rules, common.Address, common.Address, *common.Address, []common.Address, types.AccessList) {
}
