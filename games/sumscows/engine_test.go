package sumscows

import (
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/games/gametest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// The usual match of these tests: lists of 3 letters out of 6, 5 guesses at 7 each, 10 to start, a
// prize of 100; the player stakes 2 more than it must, the server 5.
var usual = small(6, 3, 5, 10, 7, 100)

const (
	playerStake = 10 + 5*7 + 2
	serverStake = 100 + 5
	pot         = playerStake + serverStake
)

var salt = common.HexToHash("0x5a17")

// engines runs a test with the Go rules and with the contract.
func engines(t *testing.T, test func(t *testing.T, r games.Rules)) {
	t.Helper()
	gametest.Engines(t, Game(), test)
}

// board is a match moved by hand. Its failures are the test's.
type board struct {
	gametest.Board[Params, State, Move]
}

func newBoard(t *testing.T, r games.Rules, p Params) *board {
	t.Helper()
	fees := p.fees(int(p.Guesses))
	return startBoard(t, r, p, fees.AddUint64(&fees, 2), new(uint256.Int).AddUint64(&p.Prize, 5))
}

func startBoard(t *testing.T, r games.Rules, p Params, player, server *uint256.Int) *board {
	t.Helper()
	return &board{gametest.NewBoard(t, rules{}, r, p, &games.Context{
		Signers: make([]common.Address, 2),
		MatchID: common.HexToHash("0xa1"), Params: p.Bytes(), Stakes: []uint256.Int{*player, *server},
	})}
}

// hiding is a board on which the server has committed to a secret.
func hiding(t *testing.T, r games.Rules, p Params, secret common.Hash) *board {
	t.Helper()
	b := newBoard(t, r, p)
	return b.play(b.commitment(secret))
}

func (b *board) commitment(secret common.Hash) Commit {
	return Commit(commit.Scope{Tag: ListTag, MatchID: b.C.MatchID, Seat: Server}.Hash(secret, salt))
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

// guess plays a guess and an answer: the true one if none is given.
func (b *board) guess(hidden, guess List, lie ...Answer) *board {
	b.T.Helper()
	answer := Truth(hidden, guess)
	if len(lie) > 0 {
		answer = lie[0]
	}
	return b.play(Guess(guess)).play(Reply(answer))
}

func (b *board) open(hidden List) *board {
	b.T.Helper()
	return b.play(Reveal{hidden.secret(), salt})
}

// ends fails unless the match is over with these payouts.
func (b *board) ends(guilty uint16, reason string, player, server uint64) {
	b.T.Helper()
	b.Pays(guilty, reason, player, server)
}

// lettered makes a list of letters as people type them.
func lettered(text string) List {
	b := []byte(text)
	for i := range b {
		b[i] -= 'A'
	}
	return List(b)
}
