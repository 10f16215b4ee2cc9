package sim

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
	"github.com/ante-games/ante/transport/memory"
	"github.com/ethereum/go-ethereum/common"
)

// history is one channel from its opening to its last payment, and everything that happens to it.
// All chance in it comes from its seed.
type history struct {
	*world
	config    *Config
	seed      uint64
	r         *rand.Rand // what the history is drawn from
	net       *memory.Network
	terms     protocol.Terms
	id        common.Hash
	seats     []*seat
	view      disputes.View // what the chain says
	gang      *gang
	began     uint64 // the block in which the channel is opened
	leave     uint64 // the block from which on honest seats want to leave
	turns     uint64 // the most that a match takes, as the game says; 0: it says nothing
	weather   weather
	positions map[spot][]common.Hash // every position that anybody ever came to know
	states    map[common.Hash][]byte // and its rule state
	disputed  bool                   // something was posted on the chain but for the closing
	progress  bool                   // something happened since the last block

	verdict Verdict
	diary   []string
}

// weather is what happens to everybody.
type weather struct {
	faults memory.Faults
	reorg  uint64 // the block from which on some are taken back; 0: none are
	depth  uint64 // how many
	delay  int    // how many blocks an honest transaction may wait at most
}

// blockTime is how long a block takes in the network's time.
const blockTime = 12 * time.Second

func newHistory(c *Config, g *ground, seed uint64) *history {
	h := &history{
		world: newWorld(g), config: c, seed: seed, r: rand.New(rand.NewPCG(seed, 1)),
		positions: map[spot][]common.Hash{}, states: map[common.Hash][]byte{}, verdict: Verdict{Seed: seed, Game: c.Game.Name},
	}
	h.chain.Mine(h.r.Uint64N(1 << 20)) // so that block hashes differ
	h.began = h.chain.Block()
	h.world.tell = h.told
	h.gang = &gang{history: h, r: rand.New(rand.NewPCG(seed, 2))}
	return h
}

// run plays the history and returns what it came to. Nothing in it may panic.
func (h *history) run() (v *Verdict) {
	defer func() {
		if r := recover(); r != nil {
			h.fail("panic: %v\n%s", r, debug.Stack())
			v = &h.verdict
		}
	}()
	h.draw()
	h.open()
	for blocks := 0; !h.over() && !h.failed(); blocks++ {
		if blocks > mostBlocks {
			if !slices.ContainsFunc(h.seats, (*seat).forgetful) {
				h.lose("nothing came of it in %d blocks: the money is still locked", blocks)
			}
			break
		}
		h.block()
	}
	if !h.failed() {
		h.verdicts()
	}
	h.verdict.finish(h)
	return &h.verdict
}

func (h *history) seatOf(account common.Address) int { return slices.Index(h.terms.Players, account) }

func (h *history) failed() bool { return len(h.verdict.Lost) > 0 }

// lose says that an invariant is broken: somebody lost something that is theirs.
func (h *history) lose(format string, args ...any) {
	h.verdict.Lost = append(h.verdict.Lost, fmt.Sprintf(format, args...))
}

// fail says that the simulation itself, or a game's player side, can't go on.
func (h *history) fail(format string, args ...any) { h.lose(format, args...) }

// note takes down what happens, for whoever looks at a history that failed.
func (h *history) note(format string, args ...any) {
	h.diary = append(h.diary, fmt.Sprintf("block %d: ", h.chain.Block()-h.began)+fmt.Sprintf(format, args...))
	if len(h.diary) > mostNotes {
		h.diary = h.diary[1:]
	}
}

const mostNotes = 400

// mostBlocks is how many blocks in which something happens a history may take.
const mostBlocks = 5_000

// told hands a seat what the chain said, or keeps it for when the seat is back.
func (h *history) told(n news) {
	if _, ok := n.event.(onchain.Banked); ok {
		return
	}
	h.hear(n)
	for _, s := range h.seats {
		s.inbox = append(s.inbox, n)
		s.fresh = true
	}
}

// hear folds in what the chain said.
func (h *history) hear(n news) {
	switch {
	case n.undone:
		h.view.Unhappened(n.block)
	case !n.final:
		h.view.Happened(n.block, n.event)
		switch n.event.(type) {
		case onchain.Contested, onchain.Recorded:
			h.disputed = true
		}
	}
}

// over reports whether everything is paid out, for good.
func (h *history) over() bool {
	if h.unsettled() != 0 || h.view.Status() < disputes.Settled {
		return false
	}
	if h.view.Status() == disputes.Closed {
		return true
	}
	l, _ := h.view.Ledger()
	return !slices.ContainsFunc(l.Locks, func(k protocol.Lock) bool { return !h.view.Paid(k.MatchID) })
}

// block lets time pass until the next block, fills it, and moves on to the block in which something
// happens again.
func (h *history) block() {
	h.progress = false
	h.net.Run(blockTime)
	for _, s := range h.seats {
		if s.present() {
			s.look()
		}
	}
	h.gang.act()
	h.gang.collect()
	h.mine()
	h.chain.Mine(1)
	h.reorganise()
	h.settle()
	h.stirs()
	if !h.progress {
		h.skip()
	}
}

// mine fills the block at hand. The adversary has seen the whole pool: it goes first where it
// likes, and holds honest transactions back for a while.
func (h *history) mine() {
	keep := h.weather.reorg != 0 && h.chain.Block() >= h.weather.reorg
	if keep {
		h.keep()
	}
	waiting := h.pool
	h.pool = nil
	for _, t := range h.gang.order(waiting) {
		if t.not > h.chain.Block() {
			h.pool = append(h.pool, t)
			continue
		}
		h.progress = true
		err := h.execute(t)
		if keep {
			m := &h.past[len(h.past)-1]
			m.txs = append(m.txs, t)
		}
		if err != nil {
			h.note("seat %d's %s is refused: %v", t.from.index, name(t.action), err)
		} else {
			h.note("seat %d's %s is mined", t.from.index, name(t.action))
		}
		h.report(t, err)
	}
}

// report tells a transaction's sender what became of it.
func (h *history) report(t *tx, err error) {
	o := t.from.orders[t.id]
	if o == nil || err == nil {
		return
	}
	o.err = err
	t.from.watcher.Failed(t.id, err)
	t.from.fresh = true
}

// reorganise takes blocks back when it is time to.
func (h *history) reorganise() {
	w := &h.weather
	if w.reorg == 0 || h.chain.Block() < w.reorg+w.depth || len(h.past) == 0 {
		return
	}
	h.note("the last %d blocks are taken back", h.chain.Block()-h.past[0].block)
	lost := h.reorg()
	w.reorg = 0
	h.gang.shuffle(lost)
	h.pool = append(lost, h.pool...)
	for _, s := range h.seats {
		s.wake = 0
	}
	h.progress = true
}

// skip moves on to the next block in which somebody wants to do something.
func (h *history) skip() {
	next := h.chain.Block() + window
	at := func(block uint64) {
		if block >= h.chain.Block() {
			next = min(next, block)
		}
	}
	at(h.unsettled())
	at(h.leave)
	at(h.leave + window)
	at(h.collects())
	at(h.weather.reorg)
	at(h.gang.next())
	for _, t := range h.pool {
		at(t.not)
	}
	for _, s := range h.seats {
		at(s.returns)
		at(s.leaves)
		if s.present() {
			at(s.wake + 1)
			if games.Follows(h.game.Player) && len(s.machine.Matches()) > 0 {
				at(h.chain.Block())
			}
		}
	}
	if n := next - h.chain.Block(); n > 0 {
		h.chain.Mine(n)
		h.settle()
	}
}

// name names an action for people.
func name(a onchain.Action) string {
	if list, ok := a.(onchain.Batch); ok {
		var all []string
		for _, one := range list {
			all = append(all, name(one))
		}
		return strings.Join(all, " and ")
	}
	if a == nil {
		return "upkeep"
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", a), "onchain."))
}

func sortedIDs[V any](m map[common.Hash]V) []common.Hash {
	return slices.SortedFunc(maps.Keys(m), common.Hash.Cmp)
}
