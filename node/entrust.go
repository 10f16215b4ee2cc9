package node

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ante-games/ante/channel"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
	"github.com/ante-games/ante/store"
	"github.com/ethereum/go-ethereum/common"
)

// entrusted is what one tower holds of one channel, as far as this node knows. The session's lock
// guards it.
//
// A node gives everything that a tower lacks at once: the newest ledger, and the evidence of every
// match that it locks. It gives the next such unit when the tower has confirmed all of the one
// before. So a tower is behind by one unit at most, however fast play goes on, and never holds a
// ledger for long without the evidence of its matches.
//
// A match is kept that the newest ledger leaves out while the channel is contested: an older ledger
// may be paid out. A tower that took that ledger would forget the match, and is not given it then.
type entrusted struct {
	receipt message.TowerReceipt // the newest; zero: none
	given   *message.Holding     // the unit that was sent and is not confirmed; nil: none
	sent    time.Time            // when that was
	since   time.Time            // since when the tower lacks something; zero: it holds everything
	refusal string               // why it took nothing; empty: it did
	waits   bool                 // after a refusal, for the next tick
	due     bool                 // it has not said what it holds since it connected last
	asked   time.Time            // when it was last asked that since then
	shown   bool                 // it did, and this node knows all that
}

const (
	// how often what a tower lacks is looked for, and what it refused is sent again
	towerEvery = 2 * time.Second
	// after which a unit that it did not confirm is made and sent anew
	towerAgain = 4 * time.Second
	// between two messages: a tower takes one every 50 ms of an account, in the long run
	towerPace = 60 * time.Millisecond
	// after which a tower that is behind raises an alarm, if the node's patience is not shorter
	towerLate = time.Minute
)

// serveTowers sends the towers what they lack, until the node closes. Play never waits for it, and
// no tower for another.
func (n *towers) serveTowers(ctx context.Context) {
	ticker := time.NewTicker(towerEvery)
	defer ticker.Stop()
	served := 0
	for {
		for _, tower := range n.channels.towers.all()[served:] {
			n.done.Go(func() { n.serveTower(ctx, tower) })
			served++
		}
		select {
		case <-ctx.Done():
			return
		case <-n.channels.towers.added:
		case <-n.channels.towers.lost:
			n.fault("marking the store as an old copy", n.channels.amnesia(0))
		case <-ticker.C:
			for s := range n.locked() {
				s.retry()
				n.channels.towers.stir(s.id)
			}
			n.channels.resolveStaleChecks()
			n.warnOfTowers()
		}
	}
}

// serveTower sends a tower what it lacks.
func (n *towers) serveTower(ctx context.Context, tower common.Address) {
	news := n.channels.towers.awaits(tower)
	for {
		select {
		case <-ctx.Done():
			return
		case <-news:
			for _, id := range n.channels.towers.take(tower) {
				if s, err := n.channels.session(id); err == nil {
					pause(ctx, time.Duration(s.entrust(tower))*towerPace)
				}
			}
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// entrust gives a tower what it lacks of a channel, and returns how many messages that is.
func (s *channelTowers) entrust(tower common.Address) int {
	list := s.lacking(tower)
	for _, m := range list {
		if err := s.node.net.Send(tower, message.Envelope(s.id, m)); err != nil {
			s.node.config.Log.Debug("not given to the tower; tried again", "channel", s.id, "tower", tower, "error", err)
			s.mu.Lock()
			s.entrusted(tower).given = nil
			s.mu.Unlock()
			break
		}
	}
	return len(list)
}

// lacking returns the unit that a tower is to be given now: none while it has not answered the one
// before.
func (s *channelTowers) lacking(tower common.Address) []message.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.entrusts() {
		return nil
	}
	e := s.entrusted(tower)
	now := s.node.config.Now()
	list, unit := s.choose(&e.receipt.Holding)
	switch {
	case len(list) == 0 && (!e.due || e.asked.IsZero()): // which may have to wait for other channels
		e.since, e.refusal, e.given = time.Time{}, "", nil
		return nil
	case e.since.IsZero():
		e.since = now
	}
	// a held channel waits for what the tower shows, and would take a receipt for its end
	if len(list) == 0 || e.given != nil || e.waits || s.machine.Held() && !e.shown {
		return nil
	}
	mark, err := s.storeMark()
	if err != nil {
		s.node.config.Log.Error("not given to the tower", "channel", s.id, "error", err)
		return nil
	}
	e.given, e.sent = unit, now
	out := make([]message.Message, len(list))
	for i := range list {
		list[i].Mark = mark
		out[i] = list[i]
	}
	return out
}

// choose returns what a tower with these holdings lacks, and its holdings once it has taken that.
func (s *channelTowers) choose(held *message.Holding) (list []message.TowerEvidence, unit *message.Holding) {
	ledger := s.machine.Ledger()
	unit = new(message.Holding)
	matches := s.machine.Matches()
	kept := func(m channel.MatchView) bool { return m.Locked && ledger.Lock(m.ID) == nil }
	if ledger.Version > max(held.Version, 1) && !slices.ContainsFunc(matches, kept) {
		piece := message.TowerEvidence{Ledger: ledger}
		for i := range matches {
			if ledger.Lock(matches[i].ID) != nil {
				piece.Matches = append(piece.Matches, matches[i].Terms)
			}
		}
		unit.Version = ledger.Version
		list = append(list, piece)
	}
	for i := range matches {
		m := &matches[i]
		started := m.Rank.Agreed > 0 // else no position proves anything
		if m.Ledger == nil || !m.Locked || !started && m.Agreement == nil {
			continue
		}
		mark := message.TowerMark{MatchID: m.ID}
		piece := message.TowerEvidence{
			Ledger: *m.Ledger, Matches: []protocol.MatchTerms{m.Terms}, MatchID: m.ID, Agreement: m.Agreement, Proofs: m.Proofs,
		}
		if started {
			mark.Rank, piece.Support = m.Rank, m.Support
		}
		if m.Agreement != nil {
			mark.Agreement = protocol.MarkOf(m.Agreement.Turn)
		}
		for _, proof := range m.Proofs {
			mark.Proved |= 1 << proof.Seat
		}
		if held.Match(m.ID).Covers(mark) {
			continue
		}
		unit.SetMatch(mark)
		list = append(list, piece)
	}
	return list, unit
}

// confirmed takes a receipt. When it confirms the whole unit, the tower lacks only what came after
// that was sent. The lock is held.
func (e *entrusted) confirmed(m *message.TowerReceipt) {
	e.receipt, e.refusal, e.due = *m, "", false
	if e.given == nil || m.Version < e.given.Version {
		return
	}
	for _, mark := range e.given.Matches {
		if !m.Match(mark.MatchID).Covers(mark) {
			return
		}
	}
	e.given, e.since = nil, e.sent
}

// refused notes why a tower took nothing. The node makes the unit again and sends it at the next
// tick.
func (s *channelTowers) refused(tower common.Address, why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e := s.towers[tower]; e != nil {
		e.refusal, e.given, e.waits = why, nil, true
	}
}

// retry makes again the units that towers refused or did not answer. The lock is held.
func (s *channelTowers) retry() {
	for _, e := range s.towers {
		if e.waits = false; s.node.config.Now().Sub(e.sent) >= towerAgain {
			e.given = nil
		}
	}
}

func (s *channelTowers) storeMark() (message.StoreMark, error) {
	generation, err := store.Generation(s.node.config.Store)
	if err != nil {
		return message.StoreMark{}, err
	}
	return message.SignStoreMark(s.node.domain, s.id, generation, s.signer)
}

// warnOfTowers raises an alarm while a tower is behind for long, in any channel.
func (n *towers) warnOfTowers() {
	now := n.config.Now()
	for _, tower := range n.channels.towers.all() {
		var err error
		for s := range n.locked() {
			if e := s.towers[tower]; e != nil && !e.since.IsZero() && now.Sub(e.since) >= min(towerLate, n.config.Policy.Patience) && s.entrusts() {
				why := cmp.Or(e.refusal, "it does not answer")
				err = fmt.Errorf("it lags behind in channel %s, holding version %d where this node has %d: %s",
					s.id, e.receipt.Version, s.machine.Ledger().Version, why)
			}
		}
		n.fault("tower "+tower.Hex(), err)
	}
}
