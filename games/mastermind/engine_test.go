package mastermind

import (
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
	gametest.Board[Params, State, Move]
}

var salt = common.HexToHash("0x5a17")

func newBoard(t *testing.T, r games.Rules, p Params) *board {
	t.Helper()
	return &board{gametest.NewBoard(t, rules{}, r, p, &games.Context{
		Signers: make([]common.Address, 2),
		MatchID: common.HexToHash("0xa1"), Params: p.Bytes(), Stakes: []uint256.Int{*uint256.NewInt(60), *uint256.NewInt(41)},
	})}
}

// started is a board on which the coin has made a seat the first maker.
func started(t *testing.T, r games.Rules, p Params, maker uint8) *board {
	t.Helper()
	b := newBoard(t, r, p)
	return b.play(b.commitment(CoinTag, 0, 0, common.Hash{31: 1})).play(Call(maker)).play(Show{1, salt})
}

// at puts a position on the board.
func (b *board) at(s State) *board {
	b.Put(s)
	return b
}

func (b *board) play(m Move) *board {
	b.T.Helper()
	b.Play(m)
	return b
}

// refuse fails unless the move is illegal.
func (b *board) refuse(m Move) *board {
	b.T.Helper()
	b.Refuse(m)
	return b
}

func (b *board) expire() *board {
	b.T.Helper()
	b.Expire()
	return b
}

func (b *board) commitment(tag commit.Tag, seat uint8, round uint32, secret common.Hash) Commit {
	return Commit(commit.Scope{Tag: tag, MatchID: b.C.MatchID, Seat: seat, Round: round}.Hash(secret, salt))
}

// hide commits the maker of the round to a code.
func (b *board) hide(c Code) *board {
	b.T.Helper()
	s := b.Now()
	return b.play(b.commitment(CodeTag, s.Maker, uint32(s.Round), c.secret()))
}

// round plays guesses at a code, each answered by the truth except where a lie is given, up to the
// reveal.
func (b *board) round(c Code, guesses []Code, lies map[int]Feedback) *board {
	b.T.Helper()
	b.hide(c)
	for i, g := range guesses {
		answer := Answer(c, g, b.P.Pegs)
		if lie, ok := lies[i]; ok {
			answer = lie
		}
		b.play(Guess(g)).play(Reply(answer))
	}
	if s := b.Now(); s.Phase != Revealing {
		b.T.Fatalf("%d guesses do not end the round: %+v", len(guesses), s)
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
