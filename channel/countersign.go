package channel

import (
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
)

// maySign returns why we must not sign a position off-chain, or nil.
func (m side) maySign(l *link) error {
	if err := m.state.silent(); err != nil {
		return err
	}
	if l.turn == 0 {
		if err := m.mayStart(); err != nil {
			return err
		}
	}
	switch {
	case m.released:
		return ErrNoMatch
	case m.bound():
		return ErrBound
	case protocol.MarkOf(l.turn) < m.mark || protocol.MarkOf(l.turn) == m.mark && l.hash != m.markState:
		return ErrSigned
	case len(l.sigs) > 2 && !m.passed(l.turn) && !m.again(m.at(l.turn-1)):
		return ErrWaiting
	}
	return m.inTime(l)
}

// inTime returns an error if a position must be signed before a block that has come, or if the
// machine does not know the current block.
func (m side) inTime(l *link) error {
	before, err := m.judge.SignBefore(l.state)
	if err == nil && before != 0 && (m.state.block == 0 || m.state.block >= before) {
		err = fmt.Errorf("%w: turn %s was to be signed before block %d", ErrLate, l.turn, before)
	}
	return err
}

// mayBeBooked reports whether others may still book the match by a ledger that we signed, or
// contest by a newer one that leaves it out. Once the channel is paid out by another, nobody can
// any more.
func (m side) mayBeBooked() bool {
	full := &m.state.full
	return (m.promised > full.Version || full.Lock(m.id) == nil) && !m.state.chain.settlements.final
}

// bound reports whether a promise keeps us from moving in the match.
func (m side) bound() bool { return m.mayBeBooked() && !m.frozen() }

// passed reports whether every seat signed the position before a turn, or one that follows from it.
// Where none is known to be before it, the turn must be 0, or one that every seat signed or signed
// past: what the chain has recorded is a base too, but nothing that all have agreed to before it
// stood for a window. In matches of three or more seats only such turns are signed, lest two seats
// fork below an honest one's mark.
func (m *match) passed(turn protocol.Turn) bool {
	if turn == m.links[0].turn {
		return turn == 0 || m.agreed() >= 0
	}
	return m.at(turn-1) != nil && int(turn-1-m.links[0].turn) <= m.agreed()
}

// signLink signs a linked position and raises the mark.
func (m side) signLink(turn protocol.Turn) (protocol.Signature, error) {
	l := m.at(turn)
	if err := m.maySign(l); err != nil {
		return protocol.Signature{}, err
	}
	sig, err := m.sign(m.judge.Digest(l.turn, l.hash))
	if err != nil {
		return sig, err
	}
	m.put(turn, m.seat, sig)
	m.mark, m.markState = protocol.MarkOf(turn), l.hash
	return sig, nil
}

// countersign signs a linked position and tells the other seats of the match.
func (m side) countersign(turn protocol.Turn) error {
	sig, err := m.signLink(turn)
	if err != nil {
		return err
	}
	m.tell(message.Countersign{MatchID: m.id, Turn: turn, Seat: uint8(m.seat), State: m.at(turn).hash, Signature: sig})
	return m.cascade()
}

// cascade countersigns what is due: in a match of three or more seats everything, in one of two
// what we can't answer by a move. The rest waits for Idle.
func (m side) cascade() error {
	if !m.plays() || m.frozen() {
		return nil
	}
	if len(m.terms.Seats) == 2 {
		if int(m.last().mover) == m.seat || m.last().mover == games.Chance {
			return nil
		}
		return m.countersignLast()
	}
	for i := max(m.agreed(), 0); i < len(m.links); i++ {
		l := &m.links[i]
		if !l.hasSigned(m.seat) && m.maySign(l) == nil {
			return m.countersign(l.turn) // which comes back here for the next
		}
	}
	return nil
}

// countersignLast signs the newest position where that is allowed and not done.
func (m side) countersignLast() error {
	l := m.last()
	if l.hasSigned(m.seat) || m.frozen() || m.maySign(l) != nil {
		return nil
	}
	return m.countersign(l.turn)
}

// idle countersigns the newest positions: no move of ours follows at once.
func (t *txn) idle() error {
	if !t.state.opened() {
		return nil
	}
	for _, m := range t.matches {
		if !m.plays() {
			continue
		}
		if err := t.side(m).countersignLast(); err != nil {
			return err
		}
	}
	return nil
}

func (t *txn) receiveCountersign(from int, c *message.Countersign) error {
	m := t.find(c.MatchID)
	if m == nil {
		t.catchUp(from)
		return nil
	}
	if !m.plays() || m.decided() {
		return nil
	}
	if int(c.Seat) >= len(m.terms.Seats) {
		return fmt.Errorf("%w: countersignature of seat %d in a match of %d", ErrPeer, c.Seat, len(m.terms.Seats))
	}
	l := m.at(c.Turn)
	if l == nil {
		if c.Turn > m.last().turn {
			t.catchUp(from)
		}
		return nil
	}
	if l.hash == c.State && l.hasSigned(int(c.Seat)) {
		return nil
	}
	if err := m.judge.Verify(l.turn, c.State, c.Seat, c.Signature); err != nil {
		return fmt.Errorf("%w: countersignature of turn %s: %w", ErrPeer, c.Turn, err)
	}
	if l.hash != c.State {
		if l.sigs[c.Seat] == (protocol.Signature{}) {
			return fmt.Errorf("%w: countersignature of another position of turn %s", ErrPeer, c.Turn)
		}
		t.side(m).convictable(l, int(c.Seat), c.State, c.Signature)
		return nil
	}
	m.put(c.Turn, int(c.Seat), c.Signature)
	return t.side(m).cascade()
}

// catchUp sends a seat our versions and turns, so that it sends what we lack.
func (t *txn) catchUp(seat int) { t.send(seat, t.syncMessage(false)) }
