package nodesim

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/eth/filters"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
)

// api is the part of JSON-RPC that nodes use, as one endpoint tells it.
type api struct {
	*world
	port *port
}

// ChainId answers eth_chainId.
func (a *api) ChainId() hexutil.Uint64 { return chainID }

// GetBlockByNumber answers eth_getBlockByNumber.
func (a *api) GetBlockByNumber(n rpc.BlockNumber, _ bool) map[string]any {
	a.mu.Lock()
	defer a.mu.Unlock()
	newest := a.newest()
	number := newest
	if n >= 0 {
		number = uint64(n)
	}
	if number < a.first || number > newest {
		return nil
	}
	b := &a.blocks[number-a.first]
	return map[string]any{
		"number": hexutil.Uint64(b.number), "hash": b.hash, "parentHash": b.parent, "timestamp": hexutil.Uint64(b.time),
		"baseFeePerGas": hexutil.Uint64(b.base),
	}
}

// newest is the newest block that this endpoint has. The lock is held.
func (a *api) newest() uint64 {
	newest := a.blocks[len(a.blocks)-1].number
	return max(newest-min(newest, a.port.lag()), a.first)
}

// GetLogs answers eth_getLogs.
func (a *api) GetLogs(q filters.FilterCriteria) ([]*types.Log, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := []*types.Log{}
	found := false
	for i := range a.blocks {
		b := &a.blocks[i]
		if b.number > a.newest() {
			break
		}
		if q.BlockHash != nil && b.hash != *q.BlockHash || q.BlockHash == nil && (b.number < q.FromBlock.Uint64() || b.number > q.ToBlock.Uint64()) {
			continue
		}
		found = true
		for _, l := range b.logs {
			for _, at := range q.Addresses {
				if l.Address == at && !a.port.hides() && (len(q.Topics) == 0 || slices.Contains(q.Topics[0], l.Topics[0])) {
					list = append(list, l)
				}
			}
		}
	}
	if q.BlockHash != nil && !found {
		return nil, errors.New("unknown block")
	}
	return list, nil
}

// GetTransactionReceipt answers eth_getTransactionReceipt.
func (a *api) GetTransactionReceipt(hash common.Hash) any {
	a.mu.Lock()
	defer a.mu.Unlock()
	r := a.receipts[hash]
	if r == nil || r.BlockNumber.Uint64() > a.newest() {
		return nil
	}
	return r
}

// GetTransactionCount answers eth_getTransactionCount.
func (a *api) GetTransactionCount(account common.Address, at rpc.BlockNumberOrHash) hexutil.Uint64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	n := a.nonces[account]
	if number, ok := at.Number(); ok && number == rpc.PendingBlockNumber {
		for _, t := range a.pool {
			if t.from == account && t.Nonce() >= n {
				n = t.Nonce() + 1
			}
		}
	}
	return hexutil.Uint64(n)
}

// GetBalance answers eth_getBalance.
func (a *api) GetBalance(account common.Address, _ rpc.BlockNumberOrHash) *hexutil.Big {
	a.mu.Lock()
	defer a.mu.Unlock()
	return (*hexutil.Big)(a.wallet(account).ToBig())
}

// GetCode answers eth_getCode.
func (a *api) GetCode(account common.Address, _ rpc.BlockNumberOrHash) hexutil.Bytes {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mini.Code(account)
}

// MaxPriorityFeePerGas answers eth_maxPriorityFeePerGas.
func (a *api) MaxPriorityFeePerGas() *hexutil.Big { return (*hexutil.Big)(big.NewInt(gwei / 10)) }

// call is what a contract is asked.
type call struct {
	From  common.Address  `json:"from"`
	To    *common.Address `json:"to"`
	Value *hexutil.Big    `json:"value"`
	Input hexutil.Bytes   `json:"input"`
	Data  hexutil.Bytes   `json:"data"`
}

func (m *call) tx() minichain.Tx {
	tx := minichain.Tx{From: m.From, To: m.To, Data: m.Input}
	if len(tx.Data) == 0 {
		tx.Data = m.Data
	}
	if m.Value != nil {
		value, _ := uint256.FromBig(m.Value.ToInt())
		tx.Value = *value
	}
	return tx
}

// Call answers eth_call.
func (a *api) Call(m call, _ rpc.BlockNumberOrHash) (hexutil.Bytes, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.port.is(illMute) {
		return nil, errors.New("missing trie node")
	}
	tx := m.tx()
	if tx.To == nil { // the code of the contract that it makes
		mini := a.mini.Copy()
		r, err := mini.Send(tx)
		if err != nil {
			return nil, reverted(err)
		}
		return mini.Code(r.ContractAddress), nil
	}
	if len(a.mini.Code(*tx.To)) == 0 {
		return nil, nil
	}
	out, err := a.mini.Call(tx.From, *tx.To, tx.Data)
	// a call that changes something
	if err != nil && strings.Contains(err.Error(), vm.ErrWriteProtection.Error()) {
		_, err = a.mini.Copy().Send(tx)
	}
	return out, reverted(err)
}

// EstimateGas answers eth_estimateGas: the least limit, to some percent, with which the call works.
// A contract may refuse to run with less than it asks for, although it then uses little of it.
func (a *api) EstimateGas(m call) (hexutil.Uint64, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	tx := m.tx()
	try := func(limit uint64) (*types.Receipt, error) {
		tx.Gas = limit
		return a.mini.Copy().Send(tx)
	}
	r, err := try(minichain.MaxGas)
	if err != nil {
		return 0, reverted(err)
	}
	least, enough := r.GasUsed, minichain.MaxGas
	for limit := least + least/10; enough > least+least/32; limit = least + min((enough-least)/2, least) {
		if _, err := try(limit); err != nil {
			least = limit
		} else {
			enough = limit
		}
	}
	return hexutil.Uint64(enough), nil
}

// SendRawTransaction answers eth_sendRawTransaction.
func (a *api) SendRawTransaction(raw hexutil.Bytes) (common.Hash, error) {
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(raw); err != nil {
		return common.Hash{}, err
	}
	from, err := types.Sender(types.LatestSignerForChainID(big.NewInt(chainID)), tx)
	if err != nil || a.port.loses() {
		return tx.Hash(), err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return tx.Hash(), a.take(pooled{tx, from})
}

// take puts a transaction into the pool as go-ethereum's does. The lock is held.
func (w *world) take(t pooled) error {
	switch {
	case t.Nonce() < w.nonces[t.from]:
		return errors.New("nonce too low")
	case !w.pays(t):
		return fmt.Errorf("insufficient funds for gas * price + value: balance %v, tx cost %v", w.wallet(t.from), t.Cost())
	}
	for i, old := range w.pool {
		if old.from != t.from || old.Nonce() != t.Nonce() {
			continue
		}
		if old.Hash() == t.Hash() {
			return errors.New("already known")
		}
		if !dearer(t.GasFeeCap(), old.GasFeeCap()) || !dearer(t.GasTipCap(), old.GasTipCap()) {
			return errors.New("replacement transaction underpriced")
		}
		w.pool[i] = t
		return nil
	}
	w.pool = append(w.pool, t)
	return nil
}

// dearer reports whether a price is a tenth above another.
func dearer(price, than *big.Int) bool {
	return new(big.Int).Mul(price, big.NewInt(10)).Cmp(new(big.Int).Mul(than, big.NewInt(11))) >= 0
}

// revert is a refusal by a contract, as JSON-RPC tells it.
type revert struct{ data []byte }

func (r revert) Error() string          { return "execution reverted" }
func (r revert) ErrorCode() int         { return 3 }
func (r revert) ErrorData() interface{} { return hexutil.Encode(r.data) }

func reverted(err error) error {
	var failed *minichain.Failure
	if errors.As(err, &failed) && errors.Is(err, vm.ErrExecutionReverted) {
		return revert{failed.Data}
	}
	return err
}

var _ rpc.DataError = revert{}
