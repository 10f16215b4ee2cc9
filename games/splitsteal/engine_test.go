package splitsteal

import (
	"errors"
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
	t     *testing.T
	rules games.Rules
	c     *games.Context
	p     Params
	state []byte
}

// newBoard starts a match; the house stakes just the subsidy.
func newBoard(t *testing.T, r games.Rules, p Params, x, y *uint256.Int) *board {
	t.Helper()
	s := Stakes{X: *x, Y: *y}
	if p.House != NoHouse {
		s.House = *Subsidy(p, x, y)
	}
	b := &board{t: t, rules: r, p: p, c: &games.Context{
		MatchID: common.HexToHash("0xa1"), Params: p.Bytes(), Stakes: s.bySeat(p), Signers: make([]common.Address, seats(p.House)),
	}}
	var err error
	if b.state, err = r.Start(b.c); err != nil {
		t.Fatal(err)
	}
	return b
}

// commitment is what a player commits to a number with.
func (b *board) commitment(r Role, number common.Hash) Commit {
	return Commit(commit.Scope{Tag: Tag, MatchID: b.c.MatchID, Seat: r.Seat(b.p.House)}.Hash(number, salt))
}

// commits plays both commitments.
func (b *board) commits(x, y common.Hash) *board {
	b.t.Helper()
	return b.play(b.commitment(X, x)).play(b.commitment(Y, y))
}

// whole plays a whole match.
func (b *board) whole(x, y common.Hash) *board {
	b.t.Helper()
	return b.commits(x, y).play(Open{x, salt}).play(Open{y, salt})
}

func (b *board) play(m Move) *board {
	b.t.Helper()
	next, err := b.rules.Play(b.c, b.state, m.encode())
	if err != nil {
		b.t.Fatalf("%T in %+v: %v", m, b.now(), err)
	}
	b.state = next
	return b
}

// refuse fails unless the move is illegal.
func (b *board) refuse(m Move) *board {
	b.t.Helper()
	if next, err := b.rules.Play(b.c, b.state, m.encode()); !errors.Is(err, games.ErrIllegal) {
		b.t.Fatalf("%T in %+v: error %v, state 0x%x, want ErrIllegal", m, b.now(), err, next)
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

// fork is another match from the same position.
func (b *board) fork() *board {
	c := *b
	return &c
}

// shares are what the match ends with. It fails unless all that was staked is paid out, and nobody is called guilty.
func (b *board) shares(reason string) Shares {
	b.t.Helper()
	o, err := b.rules.Outcome(b.state, b.c.Stakes)
	if err != nil {
		b.t.Fatalf("outcome of %+v: %v", b.now(), err)
	}
	if o.Guilty != 0 || o.ReasonText() != reason {
		b.t.Errorf("guilty %b, reason %q, want nobody, %q", o.Guilty, o.ReasonText(), reason)
	}
	var in, out uint256.Int
	for i := range o.Payouts {
		in.Add(&in, &b.c.Stakes[i])
		out.Add(&out, &o.Payouts[i])
	}
	if !in.Eq(&out) {
		b.t.Errorf("%s paid of %s", out.Dec(), in.Dec())
	}
	s := Shares{X: o.Payouts[X.Seat(b.p.House)], Y: o.Payouts[Y.Seat(b.p.House)]}
	if b.p.House != NoHouse {
		s.House = o.Payouts[b.p.House]
	}
	return s
}

// ends fails unless the match is over with these payouts.
func (b *board) ends(reason string, x, y, house uint64) {
	b.t.Helper()
	got := b.shares(reason)
	if want := (Shares{*uint256.NewInt(x), *uint256.NewInt(y), *uint256.NewInt(house)}); got != want {
		b.t.Errorf("X %s, Y %s, house %s; want %d, %d, %d", got.X.Dec(), got.Y.Dec(), got.House.Dec(), x, y, house)
	}
}

func wei(v uint64) *uint256.Int { return uint256.NewInt(v) }
