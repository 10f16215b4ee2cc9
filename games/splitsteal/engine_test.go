package splitsteal

import (
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/games/gametest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var (
	defaults = Params{N1: 1, N2: 3, D1: 4, D2: 2, House: 2}
	closed   = Params{N1: 1, N2: 3, D1: 4, D2: 2, House: NoHouse}
	salt     = common.HexToHash("0x5a17")

	odd  = common.Hash{31: 41}
	even = common.Hash{31: 42}
)

// engines runs a test with the Go rules and with the contract.
func engines(t *testing.T, test func(t *testing.T, r games.Rules)) {
	t.Helper()
	gametest.Engines(t, Game(), test)
}

// bySeat returns the stakes as a match has them.
func (s Stakes) bySeat(p Params) []uint256.Int {
	list := make([]uint256.Int, seats(p.House))
	list[X.Seat(p.House)], list[Y.Seat(p.House)] = s.X, s.Y
	if p.House != NoHouse {
		list[p.House] = s.House
	}
	return list
}

// board is a match moved by hand. Its failures are the test's.
type board struct {
	gametest.Board[Params, State, Move]
}

// newBoard starts a match; the house stakes just the subsidy.
func newBoard(t *testing.T, r games.Rules, p Params, x, y *uint256.Int) *board {
	t.Helper()
	s := Stakes{X: *x, Y: *y}
	if p.House != NoHouse {
		s.House = *Subsidy(p, x, y)
	}
	return &board{gametest.NewBoard(t, rules{}, r, p, &games.Context{
		MatchID: common.HexToHash("0xa1"), Params: p.Bytes(), Stakes: s.bySeat(p), Signers: make([]common.Address, seats(p.House)),
	})}
}

// commitment is what a player commits to a number with.
func (b *board) commitment(r Role, number common.Hash) Commit {
	return Commit(commit.Scope{Tag: Tag, MatchID: b.C.MatchID, Seat: r.Seat(b.P.House)}.Hash(number, salt))
}

// commits plays both commitments.
func (b *board) commits(x, y common.Hash) *board {
	b.T.Helper()
	return b.play(b.commitment(X, x)).play(b.commitment(Y, y))
}

// whole plays a whole match.
func (b *board) whole(x, y common.Hash) *board {
	b.T.Helper()
	return b.commits(x, y).play(Open{x, salt}).play(Open{y, salt})
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

// fork is another match from the same position.
func (b *board) fork() *board {
	c := *b
	return &c
}

// shares are what the match ends with. It fails unless all that was staked is paid out, and nobody
// is called guilty.
func (b *board) shares(reason string) Shares {
	b.T.Helper()
	payouts := b.Ends(0, reason)
	var in, out uint256.Int
	for i := range payouts {
		in.Add(&in, &b.C.Stakes[i])
		out.Add(&out, &payouts[i])
	}
	if !in.Eq(&out) {
		b.T.Errorf("%s paid of %s", out.Dec(), in.Dec())
	}
	s := Shares{X: payouts[X.Seat(b.P.House)], Y: payouts[Y.Seat(b.P.House)]}
	if b.P.House != NoHouse {
		s.House = payouts[b.P.House]
	}
	return s
}

// ends fails unless the match is over with these payouts.
func (b *board) ends(reason string, x, y, house uint64) {
	b.T.Helper()
	got := b.shares(reason)
	if want := (Shares{*uint256.NewInt(x), *uint256.NewInt(y), *uint256.NewInt(house)}); got != want {
		b.T.Errorf("X %s, Y %s, house %s; want %d, %d, %d", got.X.Dec(), got.Y.Dec(), got.House.Dec(), x, y, house)
	}
}

func wei(v uint64) *uint256.Int { return uint256.NewInt(v) }
