package channel

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol/message"
)

// sayNote keeps what we say about the newest position, and says it. Notes are not kept through a
// restart.
func (t *txn) sayNote(in SayNote) error {
	m := t.find(in.MatchID)
	switch {
	case m == nil || !m.plays() || m.released:
		return ErrNoMatch
	case in.Turn != m.last().turn:
		return ErrStale
	case len(in.Text) > games.MaxNote || int(in.To) >= len(m.terms.Seats) || int(in.To) == m.seat:
		return fmt.Errorf("%w: a note of %d bytes to seat %d", games.ErrIllegal, len(in.Text), in.To)
	}
	m.note(games.Note{From: uint8(m.seat), To: in.To, Text: bytes.Clone(in.Text)})
	t.side(m).repeatNote()
	return nil
}

// repeatNote says again what we said about the newest position.
func (m side) repeatNote() {
	for _, n := range m.heard() {
		if int(n.From) == m.seat {
			m.send(int(m.terms.Seats[n.To]), message.Note{MatchID: m.id, Turn: m.last().turn, Text: n.Text})
		}
	}
}

// receiveNote keeps the newest note of each seat about the newest position. It passes over notes of
// another turn: the sender repeats its note, or the match has moved on.
func (t *txn) receiveNote(from int, msg *message.Note) error {
	m := t.find(msg.MatchID)
	if m == nil || !m.plays() || m.released || msg.Turn != m.last().turn {
		return nil
	}
	seat := slices.Index(m.terms.Seats, uint8(from))
	if seat < 0 {
		return fmt.Errorf("%w: a note by seat %d, which doesn't play", ErrPeer, from)
	}
	n := games.Note{From: uint8(seat), To: uint8(m.seat), Text: bytes.Clone(msg.Text)}
	for _, had := range m.heard() {
		if had.From == n.From && bytes.Equal(had.Text, n.Text) {
			return nil
		}
	}
	m.note(n)
	t.event(NoteHeard{MatchID: m.id, Turn: msg.Turn, From: n.From})
	return nil
}

// note puts a note in the place of what its seat said before.
func (m *match) note(n games.Note) {
	m.edit().notes = slices.DeleteFunc(slices.Clone(m.heard()), func(o games.Note) bool { return o.From == n.From })
	m.notes, m.noted = append(m.notes, n), m.last().turn
}

// heard returns what was said about the newest position.
func (m *match) heard() []games.Note {
	if m.noted != m.last().turn {
		return nil
	}
	return m.notes
}
