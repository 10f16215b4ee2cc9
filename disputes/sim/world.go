package sim

import (
	"errors"
	"fmt"

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

// world is the chain of one history: the real contracts in a real EVM, transactions that wait for a
// block, and blocks whose order the adversary chooses. Its clock is the block number. It implements
// games.Facts and audit.Source.
type world struct {
	*ground
	chain   *minichain.Chain
	codec   *codec.Codec
	auditor *audit.Auditor
	sent    []onchain.Action       // what was mined so far, for whoever likes to repeat it
	log     []said                 // what the Arena said, in order, on the chain as it is
	pool    []*tx                  // what waits for a block
	past    []mined                // what could still be undone
	hashes  map[uint64]common.Hash // of blocks that somebody asked for
	storage map[slot]common.Hash   // of the rules contract that somebody asked for
	fault   error                  // of the books, after the first transaction that broke them
	tell    func(news)             // everybody who follows the chain
}

// slot names what the rules contract has in one before a block.
type slot struct {
	at     common.Hash
	before uint64
}

// said is an event of the Arena with its block.
type said struct {
	block uint64
	event onchain.Event
	final bool
}

// news is an event at one stage, as a follower of the chain hears of it.
type news struct {
	said
	undone bool
}

// tx is a transaction. What it carries counts, not who sends it.
type tx struct {
	from   *seat
	id     string
	action onchain.Action
	call   codec.Call
	gas    uint64 // limit; 0: as much as a transaction may have
	to     common.Address
	not    uint64 // before this block no miner takes it
	first  bool   // the adversary puts it before all others
}

// mined is a block that a reorganisation may take back.
type mined struct {
	block   uint64
	before  *minichain.Checkpoint
	auditor *audit.Auditor
	txs     []*tx
}

func newWorld(g *ground) *world {
	w := &world{ground: g, hashes: map[uint64]common.Hash{}, storage: map[slot]common.Hash{}, chain: g.chain.Copy(), codec: codec.New(g.domain)}
	w.auditor = audit.New(w)
	w.chain.OnTransaction = w.audit
	return w
}

func (w *world) Held(common.Address) (*uint256.Int, error) {
	return w.chain.Balance(w.domain.Arena), nil
}

func (w *world) Bank(account, asset common.Address) (*uint256.Int, error) {
	out, err := w.chain.Call(account, w.domain.Arena, arenaABI.PackBalanceOf(asset, account))
	return new(uint256.Int).SetBytes(out), err
}

func (w *world) Head() uint64 { return w.now() }

func (w *world) Sure() uint64 { return w.now() }

// BlockHash implements games.Facts: only of blocks that no reorganisation takes back. What was ever
// known stays known.
func (w *world) BlockHash(number uint64) (common.Hash, bool) {
	if hash, known := w.hashes[number]; known {
		return hash, true
	}
	if number+confirmed > w.chain.Block() {
		return common.Hash{}, false
	}
	hash := w.chain.BlockHash(number)
	if hash == (common.Hash{}) {
		return hash, false
	}
	w.hashes[number] = hash
	return hash, true
}

// Noted implements games.Facts, of blocks as BlockHash.
func (w *world) Noted(at common.Hash, before uint64) (common.Hash, bool) {
	s := slot{at, before}
	word, known := w.storage[s]
	if !known && before+confirmed <= w.chain.Block() {
		word, known = w.chain.Storage(w.rules, at), true
		w.storage[s] = word
	}
	return word, known
}

// now is the newest block, which is the Arena's clock for everybody who plans.
func (w *world) now() uint64 { return w.chain.Block() - 1 }

// audit checks the books after every transaction, whoever sent it and whatever came of it.
func (w *world) audit(r *types.Receipt) {
	events, err := w.read(r)
	if err == nil {
		err = w.auditor.Post(events...)
	}
	if err == nil {
		err = w.auditor.Check()
	}
	if w.fault == nil && err != nil {
		w.fault = fmt.Errorf("block %d: %w", w.chain.Block(), err)
	}
}

func (w *world) read(r *types.Receipt) ([]onchain.Event, error) {
	var list []onchain.Event
	for _, log := range r.Logs {
		if log.Address != w.domain.Arena {
			continue
		}
		ev, err := w.codec.Decode(*log)
		if err != nil {
			return nil, fmt.Errorf("the Arena said what nobody can read: %w", err)
		}
		list = append(list, ev)
	}
	return list, nil
}

// submit puts a call of the Arena into the pool.
func (w *world) submit(from *seat, id string, a onchain.Action) (*tx, error) {
	call, err := w.codec.Encode(a)
	if err != nil {
		return nil, err
	}
	t := &tx{from: from, id: id, action: a, call: call, to: w.domain.Arena}
	w.pool = append(w.pool, t)
	return t, nil
}

// execute runs a transaction in the block at hand. The error says why the contract refused it.
func (w *world) execute(t *tx) error {
	r, err := w.chain.Send(minichain.Tx{From: t.from.player.Address(), To: &t.to, Value: t.call.Value, Data: t.call.Data, Gas: t.gas})
	if r == nil {
		return err
	}
	t.from.bill.add(r.GasUsed, err == nil)
	if t.action != nil {
		w.sent = append(w.sent, t.action)
	}
	var failed *minichain.Failure
	if errors.As(err, &failed) {
		return codec.Explain(failed.Data)
	}
	events, err := w.read(r)
	if err != nil {
		w.fault = err
	}
	for _, ev := range events {
		s := said{block: w.chain.Block(), event: ev}
		w.log = append(w.log, s)
		w.tell(news{said: s})
	}
	return nil
}

// settle tells of the events that no reorganisation takes back any more.
func (w *world) settle() {
	for i := range w.log {
		if e := &w.log[i]; !e.final && e.block+confirmed <= w.chain.Block() {
			e.final = true
			w.tell(news{said: *e})
		}
	}
	for len(w.past) > 0 && w.past[0].block+confirmed <= w.chain.Block() {
		w.past = w.past[1:]
	}
}

// unsettled returns the block from which on the next event is final, 0 if there is none.
func (w *world) unsettled() uint64 {
	for i := range w.log {
		if !w.log[i].final {
			return w.log[i].block + confirmed
		}
	}
	return 0
}

// keep makes the block at hand one that reorg can take back.
func (w *world) keep() {
	w.past = append(w.past, mined{block: w.chain.Block(), before: w.chain.Checkpoint(), auditor: w.auditor.Clone()})
}

// reorg takes back everything from the oldest block that was kept, and returns what was mined
// since, which waits for another block now.
func (w *world) reorg() []*tx {
	height := w.chain.Block()
	from := w.past[0]
	var lost []*tx
	for _, m := range w.past {
		lost = append(lost, m.txs...)
	}
	w.past = nil
	w.chain.Rewind(from.before)
	w.auditor = from.auditor
	for i := len(w.log) - 1; i >= 0 && w.log[i].block >= from.block; i-- {
		w.tell(news{said: w.log[i], undone: true})
		w.log = w.log[:i]
	}
	w.chain.Mine(height - w.chain.Block()) // the other branch is as long
	return lost
}
