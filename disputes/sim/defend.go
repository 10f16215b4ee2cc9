package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// margin is every seat's disputes.Policy.Margin, and patience how long it waits for its peers, both in blocks.
const (
	margin   = window / 8
	patience = 6
)

// look has a seat that is there look at a new block: time, what it was told while away, what its peers owe it, and what to
// do on-chain.
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

// defend plans and carries out what to do on-chain. A move that only the player's side can make is made first, so that the
// plan can post it.
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
		if at := since + patience; at > s.now() {
			s.wake = min(s.wake, at)
		}
	}
	for _, a := range plan.Alarms {
		if a.Level == disputes.Critical {
			s.note("seat %d is alarmed: %s", s.index, a.Text)
		}
	}
}

// moves lists the moves that the plan lacks. It is for the chain to ask for one, or for somebody who wants something of it.
func (s *seat) moves(wishes disputes.Wishes) []disputes.Want {
	if s.watcher.View().Status() < disputes.Contested && len(s.known) == 1 && len(wishes.Demand) == 0 && !wishes.Exit {
		return nil // nothing but the opening happened on the chain, and nobody asks for more
	}
	if !slices.ContainsFunc(s.machine.Matches(), func(m channel.MatchView) bool { return m.MayMove }) {
		return nil
	}
	c := disputes.Case{
		Domain: s.domain, Terms: s.terms, Seat: s.index, Rules: s.Rules, Policy: disputes.Policy{Margin: margin},
		Now: s.now(), Chain: s.watcher.View(), Evidence: disputes.EvidenceOf(s.machine), Wishes: wishes,
	}
	return c.Plan().Wants
}

// wishes says what a user of some patience wants from the chain.
func (s *seat) wishes() disputes.Wishes {
	w := disputes.Wishes{Exit: s.gone(), Demand: map[common.Hash]bool{}, Post: map[common.Hash]string{}}
	owed := map[string]bool{}
	for _, m := range s.machine.Matches() {
		if m.Seat < 0 || !m.Locked {
			continue
		}
		if why := s.post(&m); why != "" {
			w.Post[m.ID] = why
		}
		switch {
		case m.Outcome != nil || m.Agreement != nil || m.Decided:
			w.Exit = s.tired("booking "+m.ID.Hex(), owed) || w.Exit
		case m.Mover == games.Chance && m.Started && !m.Support.Full() && !s.undrawn(&m): // time has to pass
		case int(m.Mover) != m.Seat || !m.Started || !m.MayMove && (len(m.Terms.Seats) > 2 || m.Support.Full()):
			w.Demand[m.ID] = s.tired(fmt.Sprintf("move %s %s", m.ID.Hex(), m.Turn), owed) || s.gone()
		}
	}
	if wanted, signed := s.machine.Closing(); wanted {
		late := s.tired("closing", owed)
		w.Exit = w.Exit || late && signed == nil
		w.Close = signed != nil && (late || int(signed.Version%uint64(len(s.seats))) == s.index)
	} else if s.closing {
		w.Exit = s.tired("leaving", owed) || w.Exit
	}
	for key := range s.waiting {
		if !owed[key] {
			delete(s.waiting, key)
		}
	}
	return w
}

// gone reports whether the seat has waited long enough for everything.
func (s *seat) gone() bool { return s.now() >= s.leave+window }

// tired notes that peers owe the seat something, and reports whether they have for longer than its patience.
func (s *seat) tired(what string, owed map[string]bool) bool {
	owed[what] = true
	since, known := s.waiting[what]
	if !known {
		s.waiting[what], since = s.now(), s.now()
	}
	return s.now() >= since+patience
}

// undrawn reports whether the chain is on move and nobody can make that, so that its clock has to be started.
func (s *seat) undrawn(m *channel.MatchView) bool {
	chained, follows := games.As[games.Chained](s.game.Player)
	t, err := s.table(m)
	if err != nil || !follows {
		return true
	}
	move, err := chained.Chance(t)
	return move == nil && err == nil
}

// post says why the game wants a position recorded now.
func (s *seat) post(m *channel.MatchView) string {
	chained, follows := games.As[games.Chained](s.game.Player)
	if !follows || m.State == nil {
		return ""
	}
	t, err := s.table(m)
	if err != nil {
		return ""
	}
	why, err := chained.Post(t)
	if err != nil {
		return ""
	}
	return why
}

// Rules implements channel.Resolver.
func (h *history) Rules(at common.Address) (games.Rules, error) {
	if at != h.rules {
		return nil, errors.New("no rules there")
	}
	return games.WithFacts(h.game.Rules, h.world), nil
}
