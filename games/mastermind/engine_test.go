package mastermind

import (
	"errors"
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/games/gametest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var defaults = Params{4, 6, 4, 12, 6, 0}

// engines runs a test with the Go rules and with the contract.
func engines(t *testing.T, test func(t *testing.T, r games.Rules)) {
	t.Helper()
	gametest.Engines(t, Game(), test)
}

// board is a match moved by hand. Its failures are the test's.
type board struct {
	t     *testing.T
	rules games.Rules
	c     *games.Context
	p     Params
	state []byte
}

var salt = common.HexToHash("0x5a17")

func newBoard(t *testing.T, r games.Rules, p Params) *board {
	t.Helper()
	b := &board{t: t, rules: r, p: p, c: &games.Context{
		Signers: make([]common.Address, 2),
		MatchID: common.HexToHash("0xa1"), Params: p.Bytes(), Stakes: []uint256.Int{*uint256.NewInt(60), *uint256.NewInt(41)},
	}}
	var err error
	if b.state, err = r.Start(b.c); err != nil {
		t.Fatal(err)
	}
	return b
}

// started is a board on which the coin has made a seat the first maker.
func started(t *testing.T, r games.Rules, p Params, maker uint8) *board {
	t.Helper()
	b := newBoard(t, r, p)
	return b.play(b.commitment(CoinTag, 0, 0, common.Hash{31: 1})).play(Call(maker)).play(Show{1, salt})
}

// at puts a position on the board.
func (b *board) at(s State) *board {
	b.state = rules{}.EncodeState(s)
	return b
}

func (b *board) play(m Move) *board {
	b.t.Helper()
	next, err := b.rules.Play(b.c, b.state, m.encode())
	if err != nil {
		b.t.Fatalf("%T %v in %+v: %v", m, m, b.now(), err)
	}
	b.state = next
	return b
}

// refuse fails unless the move is illegal.
func (b *board) refuse(m Move) *board {
	b.t.Helper()
	if next, err := b.rules.Play(b.c, b.state, m.encode()); !errors.Is(err, games.ErrIllegal) {
		b.t.Fatalf("%T %v in %+v: error %v, state 0x%x, want ErrIllegal", m, m, b.now(), err, next)
	}
	return b
}

func (b *board) expire() *board {
	b.t.Helper()
	next, err := b.rules.Expire(b.c, b.state)
	if err != nil {
		b.t.Fatalf("expire in %+v: %v", b.now(), err)
	}
	b.state = next
	return b
}

func (b *board) now() State {
	b.t.Helper()
	s, err := rules{}.DecodeState(b.state)
	if err != nil {
		b.t.Fatal(err)
	}
	return s
}

func (b *board) mover() uint8 {
	b.t.Helper()
	seat, err := b.rules.Mover(b.state)
	if err != nil {
		b.t.Fatal(err)
	}
	return seat
}

// ends fails unless the match is over with these payouts.
func (b *board) ends(guilty uint16, reason string, payouts ...uint64) {
	b.t.Helper()
	o, err := b.rules.Outcome(b.state, b.c.Stakes)
	if err != nil {
		b.t.Fatalf("outcome of %+v: %v", b.now(), err)
	}
	if o.Guilty != guilty || o.ReasonText() != reason {
		b.t.Errorf("guilty %b, reason %q, want %b, %q", o.Guilty, o.ReasonText(), guilty, reason)
	}
	for seat, want := range payouts {
		if o.Payouts[seat] != *uint256.NewInt(want) {
			b.t.Errorf("seat %d is paid %v, want %d", seat, &o.Payouts[seat], want)
		}
	}
}

func (b *board) commitment(tag commit.Tag, seat uint8, round uint32, secret common.Hash) Commit {
	return Commit(commit.Scope{Tag: tag, MatchID: b.c.MatchID, Seat: seat, Round: round}.Hash(secret, salt))
}

// hide commits the maker of the round to a code.
func (b *board) hide(c Code) *board {
	b.t.Helper()
	s := b.now()
	return b.play(b.commitment(CodeTag, s.Maker, uint32(s.Round), c.secret()))
}

// round plays guesses at a code, each answered by the truth except where a lie is given, up to the reveal.
func (b *board) round(c Code, guesses []Code, lies map[int]Feedback) *board {
	b.t.Helper()
	b.hide(c)
	for i, g := range guesses {
		answer := Answer(c, g, b.p.Pegs)
		if lie, ok := lies[i]; ok {
			answer = lie
		}
		b.play(Guess(g)).play(Reply(answer))
	}
	if s := b.now(); s.Phase != Revealing {
		b.t.Fatalf("%d guesses do not end the round: %+v", len(guesses), s)
	}
	return b
}

// digits makes a code of its pegs' colours.
func digits(colours ...uint8) (c Code) {
	for i, d := range colours {
		c |= Code(d) << (3 * i)
	}
	return c
}
