package node

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/ante-games/ante/disputes"
	"github.com/ante-games/ante/games"
	"github.com/ethereum/go-ethereum/common"
)

// Waiting is what a channel's peers owe this node, and what the node does if they stay silent; or
// the block for which a match waits.
type Waiting struct {
	Seats []int // of the channel, for whom is waited; none: for a block, and nobody is late
	Since time.Time
	Until time.Time // when patience ends; zero where none runs
	Text  string
	Plan  *disputes.Plan // what the node does then; nil: not asked for
}

// WaitingFor returns what peers owe this node in a match, and what the node does on-chain when its
// patience ends; nil if they owe nothing.
func (n *channels) WaitingFor(ctx context.Context, id common.Hash) (*Waiting, error) {
	s, m, err := n.matchOf(id)
	if err != nil {
		return nil, err
	}
	now, err := n.drive.Now(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	match := s.match(m)
	if match.Waiting == nil || len(match.Waiting.Seats) == 0 {
		return match.Waiting, nil
	}
	match.Waiting.Plan = s.planOf(now, func(w *disputes.Wishes) {
		maps.DeleteFunc(w.Demand, func(other common.Hash, _ bool) bool { return other != id })
	})
	return match.Waiting, nil
}

// planOf returns what the node would do if its patience had ended. The lock is held.
func (s *defence) planOf(now uint64, only func(*disputes.Wishes)) *disputes.Plan {
	seat := s.asSeat()
	seat.Patience, seat.Owed = 0, maps.Clone(s.owed)
	wishes := seat.Wishes()
	only(&wishes)
	c := s.disputeCase()
	c.Now, c.Chain, c.Evidence, c.Wishes = now, s.watcher.View(), disputes.EvidenceOf(s.machine), wishes
	plan := c.Plan()
	return &plan
}

// waitsFor returns what of a match peers owe this node, or the block that it waits for; nil if
// nothing. The lock is held.
func (s *defence) waitsFor(m *Match) *Waiting {
	move := fmt.Sprintf("move %s %s", m.ID, m.Turn)
	for _, owed := range []struct{ what, text string }{
		{move, "to move"},
		{fmt.Sprintf("booking %s", m.ID), "to sign how the match ended"},
		{fmt.Sprintf("ledger %s", m.ID), "to sign the ledger after the draw"},
	} {
		since, waits := s.owed[owed.what]
		if !waits {
			continue
		}
		w := s.waiting(since, owed.text, s.absentees(m))
		if owed.what == move && s.machine.Restored() && s.watcher.View().Status() != disputes.Settled {
			w.Text = "nothing is signed in this channel any more, and this node starts no clock before the channel is paid out on-chain: channeld dispute exit leads there"
		}
		return w
	}
	if seat := s.asSeat(); m.Seat >= 0 && m.Locked {
		if block := seat.Until(&m.MatchView); block != 0 {
			return &Waiting{Since: s.node.config.Now(), Text: fmt.Sprintf("waits for block %d", block)}
		}
	}
	return nil
}

// absentees are the seats of the channel for whom a match waits.
func (s *member) absentees(m *Match) []int {
	var list []int
	others := m.Mover == games.Chance || m.Mover == games.Nobody || int(m.Mover) == m.Seat
	for i, seat := range m.Terms.Seats {
		if i != m.Seat && (others || int(m.Mover) == i) {
			list = append(list, int(seat))
		}
	}
	return list
}

// waitsToClose returns what peers owe this node in a channel that is to be closed. The lock is
// held.
func (s *defence) waitsToClose() *Waiting {
	for what, since := range s.owed {
		if strings.HasPrefix(what, "clos") {
			return s.waiting(since, "to close", s.ownFirst()[1:])
		}
	}
	return nil
}

// waiting says since when and until when peers are waited for. The lock is held.
func (s *member) waiting(since int64, what string, seats []int) *Waiting {
	now := s.node.config.Now()
	waited := s.node.running() - time.Duration(since)
	names := make([]string, len(seats))
	for i, seat := range seats {
		names[i] = s.name(seat)
	}
	return &Waiting{
		Seats: seats, Since: now.Add(-waited), Until: now.Add(s.node.config.Policy.Patience - waited),
		Text: fmt.Sprintf("%s is waited for %s; when this node's patience ends, it goes to the chain by itself", strings.Join(names, ", "), what),
	}
}
