package gametest

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/holiman/uint256"
)

// Board is a match moved by hand with one of a game's engines, for the game's own tests. Its
// failures are the test's.
type Board[P, S, M any] struct {
	T     *testing.T
	Rules games.Rules // the engine at work
	C     *games.Context
	P     P
	State []byte

	typed games.Typed[P, S, M]
}

// NewBoard starts a match; params are those that the context holds as bytes. The context names a
// signer for each stake.
func NewBoard[P, S, M any](t *testing.T, typed games.Typed[P, S, M], r games.Rules, params P, c *games.Context) Board[P, S, M] {
	t.Helper()
	if len(c.Signers) != len(c.Stakes) {
		t.Fatalf("the context has %d Signers for %d Stakes", len(c.Signers), len(c.Stakes))
	}
	state, err := r.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	return Board[P, S, M]{T: t, Rules: r, C: c, P: params, State: state, typed: typed}
}

// Put puts a position on the board.
func (b *Board[P, S, M]) Put(s S) { b.State = b.typed.EncodeState(s) }

// Now returns the current position.
func (b *Board[P, S, M]) Now() S {
	b.T.Helper()
	s, err := b.typed.DecodeState(b.State)
	if err != nil {
		b.T.Fatal(err)
	}
	return s
}

// Mover returns the seat whose turn it is.
func (b *Board[P, S, M]) Mover() uint8 {
	b.T.Helper()
	seat, err := b.Rules.Mover(b.State)
	if err != nil {
		b.T.Fatal(err)
	}
	return seat
}

// Play makes a move.
func (b *Board[P, S, M]) Play(m M) {
	b.T.Helper()
	next, err := b.Rules.Play(b.C, b.State, b.typed.EncodeMove(m))
	if err != nil {
		b.T.Fatalf("%T %v in %+v: %v", m, m, b.Now(), err)
	}
	b.State = next
}

// Refuse fails unless the move is illegal.
func (b *Board[P, S, M]) Refuse(m M) {
	b.T.Helper()
	if next, err := b.Rules.Play(b.C, b.State, b.typed.EncodeMove(m)); !errors.Is(err, games.ErrIllegal) {
		b.T.Fatalf("%T %v in %+v: error %v, state 0x%x, want ErrIllegal", m, m, b.Now(), err, next)
	}
}

// Expire lets the mover's time run out.
func (b *Board[P, S, M]) Expire() {
	b.T.Helper()
	next, err := b.Rules.Expire(b.C, b.State)
	if err != nil {
		b.T.Fatalf("expire in %+v: %v", b.Now(), err)
	}
	b.State = next
}

// Ends returns what the seats are paid. It fails unless the match is over with these guilty and
// this reason.
func (b *Board[P, S, M]) Ends(guilty uint16, reason string) []uint256.Int {
	b.T.Helper()
	o, err := b.Rules.Outcome(b.State, b.C.Stakes)
	if err != nil {
		b.T.Fatalf("outcome of %+v: %v", b.Now(), err)
	}
	if o.Guilty != guilty || o.ReasonText() != reason {
		b.T.Errorf("guilty %b, reason %q, want %b, %q", o.Guilty, o.ReasonText(), guilty, reason)
	}
	return o.Payouts
}

// Pays fails unless the match is over with these guilty and this reason, and pays the seats these
// amounts.
func (b *Board[P, S, M]) Pays(guilty uint16, reason string, payouts ...uint64) {
	b.T.Helper()
	paid := b.Ends(guilty, reason)
	for seat, want := range payouts {
		if !paid[seat].Eq(uint256.NewInt(want)) {
			b.T.Errorf("seat %d is paid %s, want %d", seat, paid[seat].Dec(), want)
		}
	}
}
