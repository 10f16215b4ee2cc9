package channel

import (
	"fmt"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
)

// maySign says why we must not sign a position off-chain, if so.
func (t *txn) maySign(m *match, l *link) error {
	if l.turn == 0 {
		if err := t.mayStart(m); err != nil {
			return err
		}
	}
	switch {
	case t.state.silent() != nil:
		return t.state.silent()
	case m.released:
		return ErrNoMatch
	case t.bound(m):
		return ErrOver
	case protocol.MarkOf(l.turn) < m.mark || protocol.MarkOf(l.turn) == m.mark && l.hash != m.markState:
		return ErrSigned
	case len(l.sigs) > 2 && !m.passed(l.turn) && !m.again(m.at(l.turn-1)):
		return ErrWaiting
	}
	return t.inTime(m, l)
}

// inTime says whether it is too late to sign a position that is worth something only if it is
// signed before a block. Where the machine wasn't told how late it is, it is too late.
func (t *txn) inTime(m *match, l *link) error {
	before, err := m.judge.SignBefore(l.state)
	if err == nil && before != 0 && (t.state.block == 0 || t.state.block >= before) {
		err = fmt.Errorf("%w: turn %s was to be signed before block %d", ErrLate, l.turn, before)
	}
	return err
}

// promised reports whether others may still book the match by an agreement that we signed into a
// ledger. Once the channel is paid out by another, nobody can any more.
func (t *txn) promised(m *match) bool {
	return m.promised > t.state.full.Version && !t.state.chain.settlements.final
}

// bound reports whether a promise keeps us from going on with the match.
func (t *txn) bound(m *match) bool { return t.promised(m) && !m.frozen() }

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
func (t *txn) signLink(m *match, turn protocol.Turn) (protocol.Signature, error) {
	l := m.at(turn)
	if err := t.maySign(m, l); err != nil {
		return protocol.Signature{}, err
	}
	sig, err := t.sign(m.judge.Digest(l.turn, l.hash))
	if err != nil {
		return sig, err
	}
	m.put(turn, m.seat, sig)
	m.mark, m.markState = protocol.MarkOf(turn), l.hash
	return sig, nil
}

// countersign signs a linked position and tells the other seats of the match.
func (t *txn) countersign(m *match, turn protocol.Turn) error {
	sig, err := t.signLink(m, turn)
	if err != nil {
		return err
	}
	t.tell(m, message.Countersign{MatchID: m.id, Turn: turn, Seat: uint8(m.seat), State: m.at(turn).hash, Signature: sig})
	return t.cascade(m)
}

// cascade countersigns what is due by itself: in a match of three or more seats everything, in one
// of two what we can't answer by a move. The rest waits for Idle.
func (t *txn) cascade(m *match) error {
	if !m.plays() || m.frozen() {
		return nil
	}
	if len(m.terms.Seats) == 2 {
		if int(m.last().mover) == m.seat || m.last().mover == games.Chance {
			return nil
		}
		return t.countersignLast(m)
	}
	for i := max(m.agreed(), 0); i < len(m.links); i++ {
		l := &m.links[i]
		if !l.hasSigned(m.seat) && t.maySign(m, l) == nil {
			return t.countersign(m, l.turn) // which comes back here for the next
		}
	}
	return nil
}

// countersignLast signs the newest position where that is allowed and not done.
func (t *txn) countersignLast(m *match) error {
	l := m.last()
	if l.hasSigned(m.seat) || m.frozen() || t.maySign(m, l) != nil {
		return nil
	}
	return t.countersign(m, l.turn)
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
		if err := t.countersignLast(m); err != nil {
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
		t.convictable(m, l, int(c.Seat), c.State, c.Signature)
		return nil
	}
	m.put(c.Turn, int(c.Seat), c.Signature)
	return t.cascade(m)
}

// catchUp asks a seat for what it knows more.
func (t *txn) catchUp(seat int) { t.send(seat, t.syncMessage(false)) }
