package sim

import (
	"context"
	"math"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/onchain"
)

// blocks are what becomes of transactions that wait, and of time.
func (n *node) blocks(l *list) {
	held := false
	for k, t := range n.pool {
		l.add(func(n *node) { n.include(k) }, "include %d's %s", t.from.index, name(t.action))
		held = held || n.moods[t.from.index].held >= mostHeld
	}
	if !held {
		l.add(func(n *node) { n.pass(1) }, "block")
	}
	if len(n.pool) == 0 {
		for _, to := range n.times() {
			l.add(func(n *node) { n.wait(to) }, "wait until %d", to-n.began)
		}
	}
}

// include puts a waiting transaction into the block at hand.
func (n *node) include(k int) {
	t := n.pool[k]
	n.pool = slices.Delete(slices.Clone(n.pool), k, k+1)
	n.moods[t.from.index].held = 0
	err := n.execute(t)
	n.count(t.action, err)
	n.report(t, err)
}

// count counts what the Arena does.
func (n *node) count(a onchain.Action, err error) {
	if err != nil {
		n.note("refused: %v", err)
		n.tally["refused"]++
		return
	}
	all, batch := a.(onchain.Batch)
	if !batch {
		all = onchain.Batch{a}
	}
	for _, one := range all {
		kind := name(one)
		if a, ok := one.(onchain.Advance); ok && a.Demand != nil {
			kind += " with a demand"
		}
		n.tally[kind]++
	}
}

// pass ends the block, and lets some time pass. Everybody looks at the chain then.
func (n *node) pass(blocks uint64) {
	n.chain.Mine(blocks)
	n.settle()
	for _, t := range n.pool {
		n.moods[t.from.index].held++
	}
	n.everybody()
}

func (n *node) everybody() {
	for _, s := range n.seats {
		n.look(s)
	}
}

// times are the blocks to wait for: just before a deadline, at it and after it, and when something
// becomes final.
func (n *node) times() []uint64 {
	var all []uint64
	at := func(deadline uint64) { all = append(all, deadline-1, deadline, deadline+1) }
	if _, deadline := n.view.Ledger(); n.view.Status() == disputes.Contested {
		at(deadline)
	}
	for id := range n.gang.albums {
		r := n.view.Record(id)
		if r.Deadline != 0 && r.Status < protocol.MatchFinal {
			at(r.Deadline)
		}
		if r.Status == protocol.MatchLive && len(n.seats) > 2 {
			at(r.Since + window)
		}
	}
	if final := n.unsettled(); final != 0 {
		all = append(all, final)
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(b uint64) bool { return b <= n.chain.Block() })
}

// wait lets time pass until a block, or until an honest seat has something to send. It looks at the
// next block in any case.
func (n *node) wait(until uint64) {
	n.pass(1)
	for n.chain.Block() < until && len(n.pool) == 0 && !n.failed() {
		n.pass(n.wakes(until) - n.chain.Block())
	}
}

// wakes returns the block in which somebody wants to look at the chain again, at the latest the one
// given.
func (n *node) wakes(latest uint64) uint64 {
	for _, s := range n.seats {
		if s.wake >= n.chain.Block() && (s.honest || n.last) {
			latest = min(latest, s.wake+1)
		}
	}
	return latest
}

// look has a seat take in what the chain said, and an honest one carry out its plan. A move that
// its clock asks for is its user's to choose until the last moment: then it is made for it.
func (n *node) look(s *seat) {
	for len(s.inbox) > 0 {
		said := s.inbox[0]
		s.inbox = s.inbox[1:]
		s.take(said)
	}
	s.must(channel.ClockAt{Now: s.now(), Block: s.now()})
	s.wake, s.todo = 0, nil
	n.moods[s.index].fresh = false
	if !s.honest && !n.last || s.hooks.passive || s.machine.Phase() == channel.Ended {
		return
	}
	mood, patience := &n.moods[s.index], int64(math.MaxInt64)
	if mood.asks {
		patience = 0
	}
	wishes := s.wish(mood.exits, mood.asks, patience)
	for _, w := range s.moves(wishes) {
		if n.last || w.Pressing(s.now(), margin) {
			s.takeTurn(decision{matchID: w.MatchID, turn: w.Turn})
		}
	}
	s.todo = nil
	plan := s.watcher.Step(context.Background(), s.now(), disputes.EvidenceOf(s.machine), wishes)
	s.wake = plan.Next
}
