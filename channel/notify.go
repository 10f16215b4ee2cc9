package channel

import (
	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
)

// notify tells the user what a step has made possible: matches that started, turns that are ours or
// the chain's.
func (t *txn) notify() {
	for _, m := range t.matches {
		if (t.all || m.edited) && m.plays() && !m.released {
			t.side(m).notifyMatch()
		}
	}
}

func (m side) notifyMatch() {
	l := m.last()
	mine := m.mayMove() == nil
	if !m.started && (mine || m.agreed() >= 0) {
		m.edit()
		m.started = true
		m.event(MatchStarted{MatchID: m.id})
	}
	if !mine || m.notified == protocol.MarkOf(l.turn) && m.alarmed == m.frozen() {
		return
	}
	m.edit()
	m.notified, m.alarmed = protocol.MarkOf(l.turn), m.frozen()
	if l.mover == games.Chance {
		m.event(ChanceTurn{MatchID: m.id, Turn: l.turn, State: l.state})
		return
	}
	m.event(YourTurn{MatchID: m.id, Turn: l.turn, State: l.state, OnChain: m.alarmed})
}
