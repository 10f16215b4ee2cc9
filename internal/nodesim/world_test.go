package nodesim

import (
	"cmp"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/ante-games/ante/chain/codec"
	"github.com/ante-games/ante/contracts/bindings"
	"github.com/ante-games/ante/contracts/minichain"
	"github.com/ante-games/ante/internal/audit"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

var arenaABI = bindings.NewArena() // making one reads its whole ABI

// world is the chain of one history: the real contracts in a real EVM, accounts that pay for their
// gas, a pool of signed transactions, and blocks that are made when the history says so. Its clock
// is the block number. Safe for concurrent use.
type world struct {
	*ground
	trace *trace
	codec *codec.Codec
	mu    sync.Mutex // guards all below
	mini  *minichain.Chain
	r     *rand.Rand // orders transactions
	first uint64     // the number of blocks[0]

	blocks   []block
	receipts map[common.Hash]*types.Receipt
	pool     []pooled
	mined    []pooled // in this order
	rewound  int      // how often blocks were taken back
	nonces   map[common.Address]uint64
	fees     map[common.Address]*uint256.Int // what each account paid for gas
	base     uint64                          // fee of the next block, wei per gas

	auditor *audit.Auditor
	said    []onchain.Event
	tell    func(onchain.Event)
	fault   error // the first thing that was wrong with the Arena's money
}

// block is a block that was made.
type block struct {
	number, time, base uint64
	hash, parent       common.Hash
	txs                []common.Hash
	logs               []*types.Log
}

// pooled is a transaction that waits for a block.
type pooled struct {
	*types.Transaction
	from common.Address
}

// gwei is a billion wei.
const gwei = 1_000_000_000

func newWorld(g *ground, seed uint64) *world {
	w := &world{
		ground: g, mini: g.chain.Copy(), codec: codec.New(g.domain), r: rand.New(rand.NewPCG(seed, 2)), base: gwei,
		receipts: map[common.Hash]*types.Receipt{}, nonces: map[common.Address]uint64{}, fees: map[common.Address]*uint256.Int{},
	}
	w.mini.Mine(1 + rand.New(rand.NewPCG(seed, 3)).Uint64N(1<<16)) // so that block hashes differ
	w.first = w.mini.Block()
	w.auditor = audit.New(w)
	w.seal(nil, nil)
	return w
}

func (w *world) Held(common.Address) (*uint256.Int, error) {
	return w.mini.Balance(w.domain.Arena), nil
}

func (w *world) Bank(account, asset common.Address) (*uint256.Int, error) {
	out, err := w.mini.Call(account, w.domain.Arena, arenaABI.PackBalanceOf(asset, account))
	return new(uint256.Int).SetBytes(out), err
}

// endow gives an account ETH of its own and ETH in the bank.
func (w *world) endow(account common.Address, own, bank *uint256.Int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.mini.Fund(account, new(uint256.Int).Add(own, bank))
	if bank.IsZero() {
		return nil
	}
	call, err := w.codec.Encode(onchain.Deposit{Account: account, Amount: *bank})
	if err != nil {
		return err
	}
	r, err := w.mini.Send(minichain.Tx{From: account, To: &w.domain.Arena, Value: call.Value, Data: call.Data})
	if err != nil {
		return err
	}
	w.nonces[account]++
	w.audit(r.Logs)
	return nil
}

// bank returns what an account has free in the Arena.
func (w *world) bank(account common.Address) *uint256.Int {
	w.mu.Lock()
	defer w.mu.Unlock()
	free, err := w.Bank(account, common.Address{})
	if err != nil {
		w.wrong(err)
	}
	return free
}

// wallet returns what an account has outside the Arena.
func (w *world) wallet(account common.Address) *uint256.Int {
	has := w.mini.Balance(account)
	if paid := w.fees[account]; paid != nil {
		if has.Lt(paid) {
			return new(uint256.Int)
		}
		has.Sub(has, paid)
	}
	return has
}

func (w *world) wrong(err error) {
	if w.fault == nil {
		w.fault = fmt.Errorf("block %d: %w", w.mini.Block(), err)
	}
}

// audit checks the Arena's money by what it said.
func (w *world) audit(logs []*types.Log) {
	for _, l := range logs {
		if l.Address != w.domain.Arena {
			continue
		}
		e, err := w.codec.Decode(*l)
		if err == nil {
			if w.tell != nil {
				w.tell(e)
			}
			w.said = append(w.said, e)
			err = w.auditor.Post(e)
		}
		if err != nil {
			w.wrong(err)
		}
	}
	if err := w.auditor.Check(); err != nil {
		w.wrong(err)
	}
}

// mine makes a block of what waits and pays its base fee, each account's transactions in their
// order and the accounts in any.
func (w *world) mine() {
	w.mu.Lock()
	defer w.mu.Unlock()
	slices.SortFunc(w.pool, func(a, b pooled) int { return cmp.Or(a.from.Cmp(b.from), cmp.Compare(a.Nonce(), b.Nonce())) })
	var accounts []common.Address
	for _, t := range w.pool {
		if !slices.Contains(accounts, t.from) {
			accounts = append(accounts, t.from)
		}
	}
	w.r.Shuffle(len(accounts), func(i, j int) { accounts[i], accounts[j] = accounts[j], accounts[i] })
	var rest []pooled
	var txs []common.Hash
	var logs []*types.Log
	for _, account := range accounts {
		for _, t := range w.pool {
			if t.from != account || t.Nonce() < w.nonces[account] {
				continue
			}
			if r := w.execute(t, uint(len(logs))); r != nil {
				txs, logs = append(txs, t.Hash()), append(logs, r.Logs...)
			} else {
				rest = append(rest, t)
			}
		}
	}
	w.pool = rest
	w.seal(txs, logs)
}

// execute runs a transaction, nil if this block doesn't take it.
func (w *world) execute(t pooled, index uint) *types.Receipt {
	if t.Nonce() != w.nonces[t.from] || t.GasFeeCap().Uint64() < w.base || !w.pays(t) {
		return nil
	}
	value, _ := uint256.FromBig(t.Value())
	r, _ := w.mini.Send(minichain.Tx{From: t.from, To: t.To(), Value: *value, Data: t.Data(), Gas: t.Gas()})
	if r == nil {
		return nil
	}
	w.nonces[t.from]++
	w.mined = append(w.mined, t)
	price := min(t.GasFeeCap().Uint64(), w.base+t.GasTipCap().Uint64())
	fee := new(uint256.Int).Mul(uint256.NewInt(r.GasUsed), uint256.NewInt(price))
	if w.fees[t.from] == nil {
		w.fees[t.from] = new(uint256.Int)
	}
	w.fees[t.from].Add(w.fees[t.from], fee)
	r.Type, r.TxHash, r.EffectiveGasPrice = t.Type(), t.Hash(), new(big.Int).SetUint64(price)
	if r.Logs == nil {
		r.Logs = []*types.Log{} // which JSON-RPC doesn't leave out
	}
	for i, l := range r.Logs {
		l.TxHash, l.Index = t.Hash(), index+uint(i) //nolint:gosec // few
	}
	w.receipts[t.Hash()] = r
	w.audit(r.Logs)
	return r
}

// pays reports whether an account can pay for a transaction at its dearest.
func (w *world) pays(t pooled) bool {
	most, _ := uint256.FromBig(t.Cost())
	return !w.wallet(t.from).Lt(most)
}

// seal ends the block at hand.
func (w *world) seal(txs []common.Hash, logs []*types.Log) {
	b := block{number: w.mini.Block(), time: w.mini.Time(), base: w.base, txs: txs, logs: logs}
	w.mini.Mine(1)
	b.hash = w.mini.BlockHash(b.number)
	b.parent = w.mini.BlockHash(b.number - 1)
	for _, l := range logs {
		l.BlockHash, l.BlockNumber = b.hash, b.number
	}
	for _, tx := range txs {
		r := w.receipts[tx]
		r.BlockHash, r.BlockNumber = b.hash, new(big.Int).SetUint64(b.number)
	}
	w.blocks = append(w.blocks, b)
}

func (w *world) head() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.blocks[len(w.blocks)-1].number
}

// events returns what the Arena has said.
func (w *world) events() []onchain.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.said)
}
