package minichain

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// MaxGas is the most gas that one transaction may use under Osaka (EIP-7825).
const MaxGas = params.MaxTxGas

// coinbase takes part in nothing: it is only no account that a test could mean.
var coinbase = common.HexToAddress("0xc01bba5e00000000000000000000000000000000")

// Tx is a transaction to send.
type Tx struct {
	From  common.Address
	To    *common.Address // nil: create a contract
	Value uint256.Int     // wei
	Data  []byte
	Gas   uint64 // limit; 0: MaxGas
}

// Failure says that a transaction or call failed in the EVM.
type Failure struct {
	Data []byte // what it reverted with, if it reverted
	Err  error  // go-ethereum's
}

func (f *Failure) Error() string { return fmt.Sprintf("%v with %#x", f.Err, f.Data) }
func (f *Failure) Unwrap() error { return f.Err }

// Send runs a transaction in the current block. A transaction that fails has a receipt, as on any
// chain, and a *Failure; one that no block would take has an error only.
func (c *Chain) Send(tx Tx) (*types.Receipt, error) {
	tx.Gas = cmp.Or(tx.Gas, MaxGas)
	nonce := c.state.GetNonce(tx.From)
	hash := c.nextHash()
	c.state.SetTxContext(hash, 0, 0)
	evm := c.evm()
	defer evm.Release()
	res, err := core.ApplyMessage(evm, &core.Message{
		To: tx.To, From: tx.From, Nonce: nonce, Value: &tx.Value, GasLimit: tx.Gas, Data: tx.Data,
		GasPrice: new(uint256.Int), GasFeeCap: new(uint256.Int), GasTipCap: new(uint256.Int),
	}, core.NewGasPool(tx.Gas))
	if err != nil {
		return nil, err
	}
	c.state.Finalise(c.rules())
	r := &types.Receipt{
		Status:            types.ReceiptStatusSuccessful,
		TxHash:            hash,
		GasUsed:           res.UsedGas,
		CumulativeGasUsed: res.UsedGas,
		BlockNumber:       new(big.Int).SetUint64(c.block),
		Logs:              c.state.GetLogs(hash, c.block, common.Hash{}, c.time),
	}
	if tx.To == nil {
		r.ContractAddress = crypto.CreateAddress(tx.From, nonce)
	}
	if res.Failed() {
		r.Status = types.ReceiptStatusFailed
		err = &Failure{Data: res.Revert(), Err: res.Err}
	}
	if c.OnTransaction != nil {
		c.OnTransaction(r)
	}
	return r, err
}

// Deploy sends a contract's creation code with its constructor's arguments appended, and returns
// its address.
func (c *Chain) Deploy(from common.Address, code []byte) (common.Address, *types.Receipt, error) {
	r, err := c.Send(Tx{From: from, Data: code})
	if err != nil {
		return common.Address{}, r, err
	}
	return r.ContractAddress, r, nil
}

// Call runs a read-only call in the current block and changes nothing. Its error is a *Failure.
func (c *Chain) Call(from, to common.Address, data []byte) ([]byte, error) {
	before := c.state.Snapshot()
	defer c.state.RevertToSnapshot(before)
	evm := c.evm()
	defer evm.Release()
	evm.SetTxContext(vm.TxContext{Origin: from, GasPrice: new(uint256.Int)})
	c.state.Prepare(c.rules(), from, coinbase, &to, vm.ActivePrecompiles(c.rules()), nil)
	out, _, err := evm.StaticCall(from, to, data, vm.NewGasBudget(MaxGas, 0))
	if err != nil {
		f := &Failure{Err: err}
		if errors.Is(err, vm.ErrExecutionReverted) {
			f.Data = common.CopyBytes(out)
		}
		return nil, f
	}
	return common.CopyBytes(out), nil
}

func (c *Chain) evm() *vm.EVM {
	evm := vm.NewEVM(vm.BlockContext{
		CanTransfer: core.CanTransfer,
		Transfer:    core.Transfer,
		GetHash:     c.BlockHash,
		Coinbase:    coinbase,
		BlockNumber: new(big.Int).SetUint64(c.block),
		Time:        c.time,
		Difficulty:  new(big.Int),
		BaseFee:     new(big.Int),
		BlobBaseFee: new(big.Int),
		Random:      &common.Hash{},
		GasLimit:    MaxGas,
	}, c.state, c.config, vm.Config{Tracer: c.Tracer})
	evm.SetJumpDestCache(c.jumps)
	return evm
}

func (c *Chain) nextHash() common.Hash {
	c.sent++
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], uint64(len(c.forks)))
	binary.BigEndian.PutUint64(id[8:], c.sent)
	return crypto.Keccak256Hash([]byte("transaction"), id[:])
}

// jumpDests keeps the analysis of contract code between transactions.
type jumpDests map[common.Hash]vm.BitVec

func (j jumpDests) Load(code common.Hash) (vm.BitVec, bool) {
	v, ok := j[code]
	return v, ok
}

func (j jumpDests) Store(code common.Hash, v vm.BitVec) { j[code] = v }
