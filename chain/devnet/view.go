package devnet

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

// View is the state after a block, for whoever reads so much of it that asking over JSON-RPC would
// take longer than making the block. It is not safe for concurrent use.
type View struct {
	state *state.StateDB
	evm   *vm.EVM
}

// View returns the state after a block of the chain. A few blocks later it may be forgotten.
func (c *Chain) View(b *types.Block) (*View, error) {
	chain := c.backend.BlockChain()
	s, err := chain.StateAt(b.Root(), b.Number(), b.Time())
	if err != nil {
		return nil, fmt.Errorf("devnet: the state after block %d: %w", b.NumberU64(), err)
	}
	return &View{s, vm.NewEVM(core.NewEVMBlockContext(b.Header(), chain, nil), s, chain.Config(), vm.Config{})}, nil
}

// Balance returns what an account has, in wei.
func (v *View) Balance(account common.Address) *uint256.Int {
	return v.state.GetBalance(account).Clone()
}

// Call performs an eth_call. It returns nil if there is no code at the address, and fails where the
// contract reverts, or needs more gas than a block has.
func (v *View) Call(to common.Address, data []byte) ([]byte, error) {
	result, _, err := v.evm.StaticCall(common.Address{}, to, data, vm.NewGasBudget(gasLimit, 0))
	if err != nil {
		return nil, fmt.Errorf("devnet: call %v: %w", to, err)
	}
	return result, nil
}
