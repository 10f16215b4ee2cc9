package channel

import (
	"bytes"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
)

// learn takes from a support, of a peer or of the chain, what we lack: signatures, moves, or a
// whole line that outranks ours. It keeps proofs that it contains against a seat that signed twice.
// A useless support is no error: the newest position stays.
func (m side) learn(s *protocol.Support) error {
	if !m.plays() || s.Check(len(m.terms.Seats)) != nil {
		return nil
	}
	if l := m.at(s.Turn); l != nil && bytes.Equal(l.state, s.Base) {
		leaves, err := m.follow(s)
		if !leaves {
			return err
		}
	}
	return m.adoptLine(s)
}

// follow applies a support whose base we hold, move by move, until it ends or leaves our line. It
// takes signatures and moves. leaves means that the support must be judged as a whole.
func (m side) follow(s *protocol.Support) (leaves bool, err error) {
	turn := s.Turn
	for at := 0; ; at++ {
		if err := m.takeSignatures(s, at, turn); err != nil {
			return false, nil
		}
		if at == len(s.Moves) {
			return false, m.cascade()
		}
		turn++
		if l := m.at(turn); l != nil {
			if !bytes.Equal(l.move, s.Moves[at]) && m.forks(s, at+1, turn) {
				return true, nil
			}
			continue
		}
		if m.settled() < 0 {
			// A seat may withhold its signature of turn 0 from us. Where it signed a later turn,
			// the support is valid by itself, and the Arena accepts that the match began.
			return true, nil
		}
		if m.full() {
			return false, nil
		}
		l, err := m.next(s.Moves[at])
		if err != nil || l.by != games.Chance && m.checkSignature(&l, s, at+1, int(l.by)) != nil {
			return false, nil
		}
		m.push(l)
		m.moved()
	}
}

// takeSignatures keeps the signatures of one position of a support that we hold.
func (m side) takeSignatures(s *protocol.Support, at int, turn protocol.Turn) error {
	for _, sig := range s.Signatures {
		if int(sig.At) != at {
			continue
		}
		l := m.at(turn)
		if l.sigs[sig.Seat] != (protocol.Signature{}) {
			continue
		}
		if err := m.judge.Verify(turn, l.hash, sig.Seat, sig.Signature); err != nil {
			return err
		}
		m.put(turn, int(sig.Seat), sig.Signature)
	}
	return nil
}

// checkSignature checks that a support carries a seat's signature of a position and puts it into
// the link.
func (m side) checkSignature(l *link, s *protocol.Support, at, seat int) error {
	for _, sig := range s.Signatures {
		if int(sig.At) == at && int(sig.Seat) == seat {
			l.sigs[seat] = sig.Signature
			return m.judge.Verify(l.turn, l.hash, sig.Seat, sig.Signature)
		}
	}
	return protocol.ErrSignature
}

// forks reports whether a support leads elsewhere than our line at a turn, and keeps the proof
// against those who signed both.
func (m side) forks(s *protocol.Support, at int, turn protocol.Turn) bool {
	l := m.at(turn)
	other, err := m.play(m.at(turn-1), s.Moves[at-1])
	if err != nil || other.hash == l.hash {
		return false
	}
	for _, sig := range s.Signatures {
		if int(sig.At) == at && m.judge.Verify(turn, other.hash, sig.Seat, sig.Signature) == nil {
			m.convictable(l, int(sig.Seat), other.hash, sig.Signature)
		}
	}
	return true
}

// adoptLine keeps the proofs against those who signed our line and a support that is valid by
// itself, or on the final record, and replaces our line by that if it outranks ours, unless the
// Arena would not take it in the place of what it has recorded for good. Where it ends within our
// line, what we hold after it stays: our own moves above all, which could not be made again.
func (m side) adoptLine(s *protocol.Support) error {
	if len(s.Moves) > protocol.MaxRun {
		return nil
	}
	stood := m.stood()
	r, err := m.judge.Replay(s, m.final, stood)
	if err != nil {
		return nil
	}
	links := m.line(s, &r)
	m.convict(links)
	if !r.Rank().Above(m.rank()) || !r.Extends && !r.Outranks(m.final, stood, m.cfg.Terms.Window) {
		return nil
	}
	if l := m.at(r.Turn); l != nil && l.hash == r.Hash {
		links = append(links, m.links[r.Turn-m.links[0].turn+1:]...)
		m.edit().links = links
		return m.cascade()
	}
	m.turnTo(links)
	m.mature()
	m.moved()
	return m.cascade()
}

// line converts a replayed support into links.
func (m *match) line(s *protocol.Support, r *protocol.Replayed) []link {
	links := make([]link, len(r.States))
	for at, state := range r.States {
		l := link{turn: s.Turn + protocol.Turn(at), state: state, hash: protocol.StateHash(state), mover: r.Movers[at], by: games.Nobody,
			sigs: make([]protocol.Signature, len(m.terms.Seats))}
		if at > 0 {
			l.move, l.by = s.Moves[at-1], r.Movers[at-1]
		}
		links[at] = l
	}
	for _, sig := range s.Signatures {
		links[sig.At].sigs[sig.Seat] = sig.Signature
	}
	return links
}
