package sim

import (
	"context"
	"errors"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// margin is every seat's disputes.Policy.Margin, and patience how long it waits for its peers, both
// in blocks.
const (
	margin   = window / 8
	patience = 6
)

// look has a seat that is there look at a new block: time, what it was told while away, what its
// peers owe it, and what to do on-chain.
func (s *seat) look() {
	for len(s.inbox) > 0 {
		n := s.inbox[0]
		s.forgot = false
		s.inbox = s.inbox[1:]
		s.take(n)
	}
	if !s.fresh && s.now() < s.wake && !games.Follows(s.game.Player) {
		return
	}
	s.must(channel.ClockAt{Now: s.now(), Block: s.now()})
	s.must(channel.Tick{})
	s.follows()
	s.propose()
	if s.closing = s.now() >= s.leave; s.closing {
		if wanted, _ := s.machine.Closing(); !wanted {
			_ = s.feed(channel.CloseChannel{}) // refused while matches run
		}
	}
	s.decide()
	s.defend()
}

// must feeds an input that no machine refuses.
func (s *seat) must(in channel.Input) {
	if err := s.feed(in); err != nil {
		s.fail("seat %d refuses %T: %v", s.index, in, err)
	}
}

// take takes in what the chain said.
func (s *seat) take(n news) {
	s.fresh = true
	if n.undone {
		s.must(channel.ChainUndone{Event: n.event})
		if s.forgot {
			s.forgot = false
			s.must(channel.ChainUndone{Event: n.event})
		}
		s.watcher.Unhappened(n.block)
		for len(s.known) > 0 && s.known[len(s.known)-1].block >= n.block {
			s.known = s.known[:len(s.known)-1]
		}
		return
	}
	if !n.final {
		s.known = append(s.known, n)
		s.watcher.Happened(n.block, n.event)
	}
	s.must(channel.ChainSeen{Event: n.event, Final: n.final})
	if s.forgot { // whoever follows the chain is told again what wasn't durable
		s.forgot = false
		s.must(channel.ChainSeen{Event: n.event, Final: n.final})
	}
}

// defend plans and carries out what to do on-chain. A move that only the player's side can make is
// made first, so that the plan can post it.
func (s *seat) defend() {
	if s.machine.Phase() == channel.Ended || s.hooks.passive {
		s.fresh, s.wake = false, s.now()+window
		return
	}
	s.fresh = false
	wishes := s.wishes()
	for _, w := range s.moves(wishes) {
		if s.hooks.late && w.Deadline > s.now()+2 {
			s.wake = w.Deadline - 2
			continue
		}
		s.takeTurn(decision{matchID: w.MatchID, turn: w.Turn})
	}
	plan := s.watcher.Step(context.Background(), s.now(), disputes.EvidenceOf(s.machine), wishes)
	if s.wake <= s.now() {
		s.wake = s.now() + window
	}
	if plan.Next != 0 {
		s.wake = min(s.wake, plan.Next)
	}
	for _, since := range s.waiting {
		if at := uint64(since) + patience; at > s.now() { //nolint:gosec // blocks
			s.wake = min(s.wake, at)
		}
	}
	for _, a := range plan.Alarms {
		if a.Level == disputes.Critical {
			s.note("seat %d is alarmed: %s", s.index, a.Text)
		}
	}
}

// moves lists the moves that the plan lacks. It is for the chain to ask for one, or for somebody
// who wants something of it.
func (s *seat) moves(wishes disputes.Wishes) []disputes.Want {
	if s.watcher.View().Status() < disputes.Contested && len(s.known) == 1 && len(wishes.Demand) == 0 && !wishes.Exit {
		return nil // nothing but the opening happened on the chain, and nobody asks for more
	}
	if !slices.ContainsFunc(s.machine.Matches(), func(m channel.MatchView) bool { return m.MayMove }) {
		return nil
	}
	return s.watcher.Wants(s.now(), disputes.EvidenceOf(s.machine), wishes)
}

// wishes says what a user of some patience wants from the chain. A user who could not close
// together for that long leaves.
func (s *seat) wishes() disputes.Wishes {
	if wanted, _ := s.machine.Closing(); wanted || !s.closing {
		s.barred = 0
	} else if s.barred == 0 {
		s.barred = s.now()
	}
	gone := s.now() >= s.leave+window // it has waited long enough for everything
	return s.wish(gone || s.barred != 0 && s.now() >= s.barred+patience, gone, patience)
}

// wish asks package disputes what a seat wants whose user may want to leave, or not to wait.
func (s *seat) wish(exit, demand bool, patience int64) disputes.Wishes {
	user := disputes.Seat{
		Index: s.index, Machine: s.machine, Exit: exit, Leave: s.index%2 == 1, Demand: func(*channel.MatchView) bool { return demand },
		Sit: func(m *channel.MatchView) (games.Player, games.Table, error) {
			t, err := s.table(m)
			return s.game.Player, t, err
		},
		Now: int64(s.now()), Patience: patience, Owed: s.waiting, //nolint:gosec // blocks
	}
	return user.Wishes()
}

func (h *history) Rules(at common.Address) (games.Rules, error) {
	if at != h.rules {
		return nil, errors.New("no rules there")
	}
	return games.WithFacts(h.game.Rules, h.world), nil
}
