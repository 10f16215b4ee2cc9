package node

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ante-games/ante/channel"
)

// A store may be an old copy, put back from a backup: then a signature that it gives can contradict
// one that it has forgotten. The towers know. So the channels that are in the store at the start
// sign nothing until every tower has told what it holds, the node's patience is over, or a clock on
// the chain presses: no tower can stall for longer, or make its player lose.

// askedAtOnce caps the channels that a tower is asked about at a time: more would fill the queue to
// it, and use up what it takes of an account.
const askedAtOnce = 32

// checkStale holds a channel whose records are older than the start, where there are towers to ask.
func (s *channelTowers) checkStale() error {
	if s.node.config.Towers == 0 || s.machine.Restored() {
		return nil
	}
	s.mayBeStale = true
	return s.feed(channel.Hold{On: true})
}

// answered reports whether every tower has said, since the start, what it holds of a channel. The
// lock is held.
func (s *channelTowers) answered() bool {
	return len(s.node.towers.all())-len(s.hold().Towers) >= s.node.config.Towers
}

// hold returns which towers a held channel waits for, and until when. The lock is held.
func (s *channelTowers) hold() *Hold {
	n, all := s.node, s.node.towers.all()
	h := &Hold{Missing: max(0, n.config.Towers-len(all)), Until: n.began.Add(n.config.Policy.Patience)}
	for _, tower := range all {
		if e := s.towers[tower]; e == nil || !e.shown {
			h.Towers = append(h.Towers, tower)
		}
	}
	return h
}

// trustStore releases a held channel, once every tower has answered or no patience is left.
func (s *channelTowers) trustStore() error {
	n := s.node
	s.mu.Lock()
	answered := s.answered()
	s.mayBeStale = s.mayBeStale && !answered
	free := s.machine.Held() && (answered || n.config.Now().Sub(n.began) >= n.config.Policy.Patience || s.defence.pressed())
	s.mu.Unlock()
	if !free {
		return nil
	}
	if err := s.feed(channel.Hold{}); err != nil && !errors.Is(err, ErrEnded) {
		return err
	}
	s.mu.Lock()
	s.remind() // what could not be done was forgotten, and is not asked for again
	s.mu.Unlock()
	n.nudge() // it decides what waited
	return nil
}

// pressed reports whether a clock of this seat's runs out on-chain soon. The lock is held.
func (s *defence) pressed() bool {
	now := s.node.now()
	soon := now + s.disputeCase().Policy.Margin
	return slices.ContainsFunc(s.machine.Matches(), func(m channel.MatchView) bool {
		r := s.watcher.View().Record(m.ID)
		// one that ran out was answered in a block that is still unread, or can't be answered
		return r.Deadline > now && int(r.Mover) == m.Seat && r.Deadline <= soon
	})
}

// askTowers asks the towers about the channels of which they still have to answer, so many at a
// time. Those come first that were not asked for longest: of some there may never be an answer.
func (n *channels) askTowers() {
	for _, tower := range n.towers.all() {
		var due []*question
		for _, s := range n.allSessions() {
			if q := s.unanswered(tower); q != nil {
				due = append(due, q)
			}
		}
		slices.SortStableFunc(due, func(a, b *question) int { return a.asked.Compare(b.asked) })
		for _, q := range due[:min(len(due), askedAtOnce)] {
			if !q.ask(tower, q.show) {
				break
			}
		}
	}
}

// resolveStaleChecks asks towers again that have not answered. It tells the user which channels
// continue without an answer.
func (n *channels) resolveStaleChecks() {
	n.askTowers()
	var standing error
	for _, s := range n.allSessions() {
		n.fault("channel "+s.id.Hex()+" after the start", s.trustStore())
		s.mu.Lock()
		if s.mayBeStale && !s.machine.Held() && s.entrusts() {
			standing = fmt.Errorf("channel %s signs again although not all of your %d towers have said since the start what they hold of it: "+
				"should this store be an old copy, stop the node, and declare it restored", s.id, n.config.Towers)
		}
		s.mu.Unlock()
	}
	n.fault("asking the towers", standing)
}
