// Package evm plays rule sets that exist as a contract only: it runs their bytecode in
// go-ethereum's EVM, in process, so that one source is both judge and fast path. A call takes some
// 20 µs.
//
// The contract sees nothing but its own code, the call's arguments and games.Context.Facts: the
// hashes of the last 256 blocks, and, once it has asked for one that is known, its storage as it
// was noted before that block. It sees no other contract, no other fact of the block, no value;
// every call is static, and gets the gas that the Arena would give it.
package evm

import (
	"fmt"
	"math/big"
	"sync"

	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// What the Arena allows a rules contract in each call: contracts/src/RulesCalls.sol, which this
// package follows in what it accepts of an answer, too.
const (
	Allowance = 1_000_000 // gas
	MaxReturn = 4192      // bytes
)

// Contract is a rules contract, called by its ABI. Safe for concurrent use.
type Contract struct {
	machines sync.Pool // of *vm.EVM
}

// Position is what start, play and expire return, and the gas that it took.
type Position struct {
	State []byte
	Mover uint8
	Gas   uint64 // execution inside the contract: without the call itself and without calldata
}

var (
	self   = common.Address{18: 0xa7, 19: 0xe0}
	caller = common.Address{18: 0xa7, 19: 0xe1}

	// osaka is Ethereum with every fork up to Osaka, from the first block.
	osaka = func() *params.ChainConfig {
		c := *params.AllDevChainProtocolChanges
		c.BogotaTime = nil
		return &c
	}()
)

// Deploy returns the contract that init code creates. The constructor takes no arguments and must
// not write storage: its immutables are kept, anything else would be lost.
func Deploy(init []byte) (*Contract, error) {
	runtime, err := Runtime(init)
	if err != nil {
		return nil, err
	}
	return At(runtime)
}

// Runtime returns the code that init code leaves on the chain, under the same conditions as Deploy.
func Runtime(init []byte) ([]byte, error) {
	runtime, _, err := load(init).run(nil, nil, deployGas)
	if err != nil {
		return nil, fmt.Errorf("deploy rules: %w", err)
	}
	return runtime, nil
}

// deployGas is the most gas that a transaction may have (EIP-7825).
const deployGas = 16_777_216

// At returns the contract that runs this deployed code.
func At(runtime []byte) (*Contract, error) {
	if len(runtime) == 0 {
		return nil, fmt.Errorf("rules have no code: is the address right?")
	}
	return load(runtime), nil
}

func load(code []byte) *Contract {
	code = common.CopyBytes(code)
	hash := crypto.Keccak256Hash(code)
	c := &Contract{}
	c.machines.New = func() any {
		machine := vm.NewEVM(vm.BlockContext{
			CanTransfer: func(_ vm.StateDB, _ common.Address, amount *uint256.Int) bool { return amount.IsZero() },
			BlockNumber: new(big.Int),
			Difficulty:  new(big.Int),
			BaseFee:     new(big.Int),
			BlobBaseFee: new(big.Int),
			GasLimit:    deployGas,
			Random:      new(common.Hash),
		}, &account{code: code, hash: hash}, osaka, vm.Config{})
		machine.SetTxContext(vm.TxContext{GasPrice: new(uint256.Int)})
		return machine
	}
	return c
}

// call returns what the contract returns within the Arena's bounds, and the gas it used.
func (c *Contract) call(facts games.Facts, input []byte) ([]byte, uint64, error) {
	ret, gas, err := c.run(facts, input, Allowance)
	if len(ret) > MaxReturn {
		return nil, gas, fmt.Errorf("%w: the contract returned %d bytes, at most %d are read", games.ErrIllegal, len(ret), MaxReturn)
	}
	return ret, gas, err
}

// run returns what the contract returns, and the gas it used. Every failure wraps games.ErrIllegal.
func (c *Contract) run(facts games.Facts, input []byte, gas uint64) ([]byte, uint64, error) {
	machine, ok := c.machines.Get().(*vm.EVM)
	if !ok {
		return nil, 0, fmt.Errorf("zero Contract: use evm.Deploy or evm.At")
	}
	defer c.machines.Put(machine)
	account := know(machine, facts)
	ret, left, err := machine.StaticCall(caller, self, input, vm.NewGasBudget(gas, 0))
	used := gas - left.ExecutionGas
	if account.unknown {
		return nil, used, fmt.Errorf("%w: what the contract has noted is not known yet", games.ErrIllegal)
	}
	if err != nil {
		return nil, used, fmt.Errorf("%w: contract: %w %s", games.ErrIllegal, err, revertReason(ret))
	}
	return ret, used, nil
}

// know puts the machine into the block after the newest one, and its contract into what is known.
func know(machine *vm.EVM, facts games.Facts) *account {
	a := machine.StateDB.(*account)
	a.facts, a.block, a.unknown = facts, nil, false
	number := machine.Context.BlockNumber.SetUint64(0)
	machine.Context.GetHash = func(uint64) common.Hash { return common.Hash{} }
	if facts != nil {
		number.SetUint64(facts.Head()).Add(number, common.Big1)
		machine.Context.GetHash = a.blockHash
	}
	return a
}

// Start calls start.
func (c *Contract) Start(ctx *games.Context) (Position, error) {
	return c.position(ctx, encode(startSelector, contextArg{ctx}))
}

// Play calls play.
func (c *Contract) Play(ctx *games.Context, state, move []byte) (Position, error) {
	return c.position(ctx, encode(playSelector, contextArg{ctx}, bytesArg(state), bytesArg(move)))
}

// Expire calls expire.
func (c *Contract) Expire(ctx *games.Context, state []byte) (Position, error) {
	return c.position(ctx, encode(expireSelector, contextArg{ctx}, bytesArg(state)))
}

// Mover calls mover; the second result is the gas.
func (c *Contract) Mover(state []byte) (uint8, uint64, error) {
	ret, gas, err := c.call(nil, encode(moverSelector, bytesArg(state)))
	if err != nil {
		return 0, gas, err
	}
	seat, err := decodeMover(ret, games.MaxSeats)
	return seat, gas, err
}

// Outcome calls outcome; the second result is the gas.
func (c *Contract) Outcome(state []byte, stakes []uint256.Int) (games.Outcome, uint64, error) {
	ret, gas, err := c.call(nil, encode(outcomeSelector, bytesArg(state), uintsArg(stakes)))
	if err != nil {
		return games.Outcome{}, gas, err
	}
	o, err := decodeOutcome(ret, stakes)
	return o, gas, err
}

func (c *Contract) position(ctx *games.Context, input []byte) (Position, error) {
	ret, gas, err := c.call(ctx.Facts, input)
	if err != nil {
		return Position{Gas: gas}, err
	}
	state, seat, err := decodeNext(ret, len(ctx.Signers))
	return Position{state, seat, gas}, err
}
