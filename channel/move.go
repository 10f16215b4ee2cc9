package channel

import (
	"fmt"
	"slices"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/protocol"
	"github.com/ante-games/ante/protocol/message"
)

// mayMove returns why we cannot move from the newest position, or nil.
func (m side) mayMove() error {
	l := m.last()
	switch {
	case m.state.silent() != nil:
		return m.state.silent()
	case m.released || !m.state.opened():
		return ErrNoMatch
	case m.over() || m.decided() || m.agreement() != nil:
		return ErrOver
	case m.bound():
		return ErrBound
	case l.mover != games.Chance && int(l.mover) != m.seat:
		return ErrNotYourTurn
	case m.frozen() && !m.onMove():
		return ErrFrozen
	case protocol.MarkOf(l.turn+1) <= m.mark:
		return ErrSigned
	case m.full() && !m.onMove():
		return ErrWaiting
	}
	if !l.hasSigned(m.seat) && (l.turn == 0 || len(l.sigs) > 2) {
		if err := m.maySign(l); err != nil {
			return err
		}
	}
	if l.turn == 0 || len(l.sigs) > 2 && !m.again(l) {
		for seat := range l.sigs {
			if seat != m.seat && !l.hasSigned(seat) {
				return ErrWaiting
			}
		}
	}
	return nil
}

func (t *txn) makeMove(in MakeMove) error {
	m := t.find(in.MatchID)
	if m == nil || !m.plays() {
		return ErrNoMatch
	}
	if in.Turn != m.last().turn {
		return ErrStale
	}
	if err := t.side(m).mayMove(); err != nil {
		return err
	}
	secret := in.Secret.Expose()
	if len(secret) > MaxSecret {
		return fmt.Errorf("%w: secret of %d bytes, at most %d", games.ErrIllegal, len(secret), MaxSecret)
	}
	onChain := m.frozen()
	first, err := t.side(m).signBefore(onChain)
	if err != nil {
		return err
	}
	l, err := m.next(in.Move)
	if err != nil {
		return err
	}
	m.push(l)
	sig, err := t.side(m).signLink(l.turn)
	if err != nil {
		return err
	}
	if len(secret) > 0 {
		m.secret = in.Secret
		t.keep(secretKey(m.id), secret)
	}
	if !onChain {
		t.side(m).tell(message.Move{MatchID: m.id, Turn: l.turn, Move: l.move, State: l.hash, Signature: sig, First: first})
	}
	t.side(m).moved()
	return nil
}

// signBefore signs the position that we move from, where the rules of signing want that. Turn 0 of
// a match of two rides on the move.
func (m side) signBefore(onChain bool) (*message.Countersign, error) {
	l := m.last()
	if l.hasSigned(m.seat) || l.turn != 0 && len(l.sigs) == 2 {
		return nil, nil
	}
	turn := l.turn
	sig, err := m.signLink(turn)
	if err != nil {
		return nil, err
	}
	c := message.Countersign{MatchID: m.id, Turn: turn, Seat: uint8(m.seat), State: l.hash, Signature: sig}
	if turn == 0 && len(l.sigs) == 2 {
		return &c, nil
	}
	if !onChain {
		m.tell(c)
	}
	return nil, nil
}

// next plays a move from the newest position.
func (m *match) next(move []byte) (link, error) { return m.play(m.last(), move) }

// recordedAt returns the block since which the Arena has a position recorded, once that is final;
// 0: it has not.
func (m *match) recordedAt(l *link) uint64 {
	if m.final.Holds(l.turn, l.hash) {
		return m.final.Block
	}
	return 0
}

func (m *match) play(from *link, move []byte) (link, error) {
	state, err := m.judge.Play(from.state, move, from.signedBy(), m.recordedAt(from))
	if err != nil {
		return link{}, err
	}
	l, err := newLink(m.judge, from.turn+1, state)
	l.move, l.by = slices.Clone(move), from.mover
	return l, err
}

func (t *txn) receiveMove(from int, msg *message.Move) error {
	m := t.find(msg.MatchID)
	if m == nil {
		t.catchUp(from)
		return nil
	}
	if !m.plays() || m.released || m.decided() {
		return nil
	}
	seat := slices.Index(m.terms.Seats, uint8(from))
	if seat < 0 {
		return fmt.Errorf("%w: a move by seat %d, which doesn't play", ErrPeer, from)
	}
	if msg.First != nil {
		if msg.First.MatchID != m.id || msg.First.Turn != 0 {
			return fmt.Errorf("%w: a first word that isn't of turn 0", ErrPeer)
		}
		if err := t.receiveCountersign(from, msg.First); err != nil {
			return err
		}
	}
	last := m.last()
	switch {
	case msg.Turn > last.turn+1:
		t.catchUp(from)
		return nil
	case msg.Turn <= last.turn:
		return t.side(m).compare(msg, seat)
	case m.settled() < 0:
		t.catchUp(from)
		return nil
	}
	return t.side(m).apply(msg, seat)
}

// apply links the next position after checking that it is signed by who made the move, or, for a
// chance move, by any seat, and that the move is legal and leads there. Replaying costs more than a
// signature, so the signature comes first.
func (m side) apply(msg *message.Move, seat int) error {
	last := m.last()
	if int(last.mover) != seat && last.mover != games.Chance {
		if int(last.mover) == m.seat {
			m.ownPosition(msg.Turn, msg.State, msg.Signature)
		}
		return fmt.Errorf("%w: a move by seat %d, when it was not its turn", ErrPeer, seat)
	}
	if m.full() {
		return fmt.Errorf("%w: more moves that a seat has not signed than one call to the Arena is sure to carry", ErrPeer)
	}
	if err := m.checkMove(msg, seat); err != nil {
		return err
	}
	l, err := m.next(msg.Move)
	if err == nil && l.hash != msg.State {
		err = fmt.Errorf("%w: it leads to another state than the one that is signed", games.ErrIllegal)
	}
	if err != nil {
		return fmt.Errorf("%w: move to turn %s: %w", ErrPeer, msg.Turn, err)
	}
	l.sigs[seat] = msg.Signature
	m.push(l)
	m.moved()
	return m.cascade()
}

// checkMove checks the signature of the position that a move is said to lead to.
func (m side) checkMove(msg *message.Move, seat int) error {
	err := m.judge.Verify(msg.Turn, msg.State, uint8(seat), msg.Signature)
	if err == nil {
		return nil
	}
	m.ownPosition(msg.Turn, msg.State, msg.Signature)
	return fmt.Errorf("%w: move to turn %s: %w", ErrPeer, msg.Turn, err)
}

// moved tells the user of the newest position.
func (m side) moved() {
	l := m.last()
	var before []byte
	if from := m.at(l.turn - 1); from != nil {
		before = from.state
	}
	m.event(Moved{MatchID: m.id, Turn: l.turn, Seat: l.by, Before: before, Move: l.move, State: l.state})
	m.ended()
}

func (m side) ended() {
	if !m.over() {
		return
	}
	if out, err := m.judge.Outcome(m.last().state); err == nil {
		m.event(MatchEnded{MatchID: m.id, Turn: m.last().turn, Outcome: out})
	}
}

// compare handles a move to a turn that is not above the newest: a duplicate, or proof that its
// maker signed twice. It passes over turns whose links are gone.
func (m side) compare(msg *message.Move, seat int) error {
	l := m.at(msg.Turn)
	if l == nil {
		return nil
	}
	if err := m.checkMove(msg, seat); err != nil {
		return err
	}
	if l.hash != msg.State {
		m.convictable(l, seat, msg.State, msg.Signature)
		return nil
	}
	if l.hasSigned(seat) {
		return nil
	}
	m.put(msg.Turn, seat, msg.Signature)
	if ours := m.at(msg.Turn).sigs[m.seat]; ours != (protocol.Signature{}) {
		// Both made the chain's move: the other may have refused ours because it could not check it
		// then.
		m.send(int(m.terms.Seats[seat]), message.Countersign{MatchID: m.id, Turn: msg.Turn, Seat: uint8(m.seat), State: l.hash, Signature: ours})
	}
	return m.cascade()
}
