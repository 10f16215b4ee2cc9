package node

import (
	"context"
	"errors"
	"fmt"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/protocol"
	"github.com/ethereum/go-ethereum/common"
)

// instructions are what the user decided for a channel beyond what its machine knows. The store
// keeps them, so that they survive a restart.
type instructions struct {
	Exit bool `json:"exit,omitempty"` // close one-sidedly
	// start the peer's clock if it is still this turn
	Demand map[common.Hash]protocol.Turn `json:"demand,omitempty"`
	// matches that the bot plays, or not, whatever the policy says
	Bots map[common.Hash]bool `json:"bots,omitempty"`
	// matches that are conceded, however they went on meanwhile
	Given map[common.Hash]bool `json:"given,omitempty"`
	// the channel that is to take this one's place; nil: none
	Resize *Resize `json:"resize,omitempty"`
}

func (s *member) instructionsKey() string { return s.prefix() + "instructions" }

// instruct changes the instructions durably, and drops those about matches that are gone. The lock
// is held.
func (s *channelState) instruct(change func(*instructions)) error {
	if s.gone {
		return ErrEnded
	}
	next := instructions{Exit: s.instructions.Exit, Demand: alive(s.machine, s.instructions.Demand), Bots: alive(s.machine, s.instructions.Bots), Given: alive(s.machine, s.instructions.Given),
		Resize: s.instructions.Resize}
	change(&next)
	if err := s.node.persist(s.instructionsKey(), next); err != nil {
		return err
	}
	s.instructions = next
	return nil
}

// alive returns a copy of the notes about matches that still exist.
func alive[V any](machine *channel.Machine, noted map[common.Hash]V) map[common.Hash]V {
	next := make(map[common.Hash]V, len(noted)+1)
	for id, v := range noted {
		if _, known := machine.Match(id); known {
			next[id] = v
		}
	}
	return next
}

// Exit closes a channel one-sidedly, now: by a contest and, after the window, the settlement. It
// can't be undone: the node pursues it until the channel is paid out. It fails with ErrNotSent when
// the contest could not be sent; the node retries at every block.
func (n *channels) Exit(ctx context.Context, id common.Hash) error {
	// A peer that sees the contest coming could still accept. That nothing waits, or can be signed
	// now, stops no exit.
	_ = n.WithdrawProposals(id)
	return n.insist(ctx, id, func(w *instructions) { w.Exit = true })
}

// Demand posts the newest position of a match now, and starts the mover's clock if the mover is a
// peer. It fails with ErrNotSent when the transaction could not be sent; the node retries at every
// block until somebody moves.
func (n *channels) Demand(ctx context.Context, matchID common.Hash) error {
	s, m, err := n.matchOf(matchID)
	if err != nil {
		return err
	}
	return n.insist(ctx, s.id, func(w *instructions) { w.Demand[matchID] = m.Turn })
}

func (n *channels) insist(ctx context.Context, id common.Hash, change func(*instructions)) error {
	s, err := n.session(id)
	if err != nil {
		return err
	}
	s.mu.Lock()
	err = s.instruct(change)
	s.mu.Unlock()
	if err != nil {
		return err
	}
	now, err := n.drive.Now(ctx)
	if err != nil {
		return fmt.Errorf("%w yet, it is tried again at every block: %w", ErrNotSent, err)
	}
	plan := s.defend(ctx, now)
	s.decide()
	return notSent(plan.Alarms)
}

// notSent names the steps of a plan that were not sent.
func notSent(alarms []disputes.Alarm) (failed error) {
	for _, a := range alarms {
		if a.Kind == "not sent" || a.Kind == "worthless" {
			failed = errors.Join(failed, fmt.Errorf("%w: %s", ErrNotSent, a.Text))
		}
	}
	return failed
}

// SetBot turns on or off whether the game's bot makes this node's moves in a match.
func (n *channels) SetBot(id common.Hash, on bool) error {
	s, _, err := n.matchOf(id)
	if err != nil {
		return err
	}
	return s.redecide(func(w *instructions) { w.Bots[id] = on })
}

// redecide changes the instructions, and decides anew what waits.
func (s *decider) redecide(change func(*instructions)) error {
	s.mu.Lock()
	err := s.instruct(change)
	s.remind()
	s.mu.Unlock()
	s.decide()
	return err
}

// Dispute is what the chain holds of a channel, and what the node is about to do about it.
type Dispute struct {
	Clock   uint64 // the Arena's
	Plan    disputes.Plan
	Records map[common.Hash]protocol.Record // of the matches that were posted
	Contest *Contest                        // nil: there is none
}

// Contest is a one-sided close that is under way on the chain.
type Contest struct {
	Version  uint64 // of the posted ledger
	Deadline uint64 // when it can be settled, in the Arena's clock
	Settled  bool   // it is: the free balances are paid out
}

// Dispute returns how a channel stands on the chain. With wishes it says what the node would do if
// they were the user's.
func (n *channels) Dispute(ctx context.Context, id common.Hash, wishes *disputes.Wishes) (Dispute, error) {
	s, err := n.session(id)
	if err != nil {
		return Dispute{}, err
	}
	now, err := n.drive.Now(ctx)
	if err != nil {
		return Dispute{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.disputeCase()
	c.Now, c.Chain, c.Evidence = now, s.watcher.View(), disputes.EvidenceOf(s.machine)
	if wishes == nil {
		c.Wishes = s.wishes()
	} else {
		c.Wishes = *wishes
	}
	d := Dispute{Clock: now, Plan: c.Plan(), Records: map[common.Hash]protocol.Record{}}
	for _, m := range s.machine.Matches() {
		if r := c.Chain.Record(m.ID); r.Status != protocol.MatchUnknown {
			d.Records[m.ID] = r
		}
	}
	if ledger, deadline := c.Chain.Ledger(); ledger != nil {
		d.Contest = &Contest{Version: ledger.Version, Deadline: deadline, Settled: c.Chain.Status() == disputes.Settled}
	}
	return d, nil
}
