package battleships

import (
	"testing"

	"github.com/ante-games/ante/games"
	"github.com/ante-games/ante/games/commit"
	"github.com/ante-games/ante/games/gametest"
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

var (
	proving  = Params{0}
	trusting = Params{1}

	salt    = common.HexToHash("0x5a17")
	secrets = [2]common.Hash{common.HexToHash("0x5ec0"), common.HexToHash("0x5ec1")}

	// fleets are two legal fleets.
	fleets = [2]Cells{mustFleet(exampleFleet), mustFleet("h1-h4 a8-c8 e8-g8 a1-b1 d1-e1 a3-b3 d3-e3")}
)

func mustFleet(text string) Cells {
	fleet, err := parseFleet(text)
	if err != nil {
		panic(err)
	}
	return fleet
}

// engines runs a test with the Go rules and with the contract.
func engines(t *testing.T, test func(t *testing.T, r games.Rules)) {
	t.Helper()
	gametest.Engines(t, Game(), test)
}

// board is a match moved by hand. Its failures are the test's.
type board struct {
	gametest.Board[Params, State, Move]
	trees [2]*tree
}

func newBoard(t *testing.T, r games.Rules, p Params) *board {
	t.Helper()
	return &board{Board: gametest.NewBoard(t, rules{}, r, p, &games.Context{
		Signers: make([]common.Address, 2),
		MatchID: common.HexToHash("0xa1"), Params: p.Bytes(), Stakes: []uint256.Int{*uint256.NewInt(60), *uint256.NewInt(41)},
	})}
}

// started is a board with these fleets, on which the coin has made a seat the first to shoot.
func started(t *testing.T, r games.Rules, p Params, first uint8, fleets [2]Cells) *board {
	t.Helper()
	b := newBoard(t, r, p).hide(fleets)
	return b.play(b.toss(1)).play(Call{first, b.trees[1].root()}).play(Show{1, salt})
}

// hide plants the boards that the seats commit to.
func (b *board) hide(fleets [2]Cells) *board {
	for seat := range uint8(2) {
		b.trees[seat] = plant(b.C.MatchID, seat, fleets[seat], secrets[seat])
	}
	return b
}

func (b *board) toss(side uint8) Commit {
	return Commit{b.trees[0].root(), commit.Scope{Tag: CoinTag, MatchID: b.C.MatchID}.Hash(common.Hash{31: side}, salt)}
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

// answer answers the open shot as the fleet says.
func (b *board) answer(fleet Cells) *board {
	b.T.Helper()
	return b.play(b.reply(uint8(fleet >> b.Now().Cell & 1)))
}

// reply is an answer to the open shot, true or not, with the proof that the cell has.
func (b *board) reply(ship uint8) Answer {
	s := b.Now()
	m := Answer{Ship: ship}
	if b.P.Trusting == 0 {
		m.Proof = b.trees[1-s.Seat].proof(s.Cell)
	}
	return m
}

// shoot shoots at cells and has them answered truly, as long as it is the seat's turn.
func (b *board) shoot(cells Cells) *board {
	b.T.Helper()
	for ; cells != 0; cells &= cells - 1 {
		s := b.Now()
		b.play(Shot(cells.first())).answer(fleets[1-s.Seat])
	}
	return b
}

// open is the move that opens a seat's board as it was committed to.
func (b *board) open(seat uint8, fleet Cells) Reveal { return Reveal{fleet, secrets[seat]} }

// ends fails unless the match is over, lost by a seat that gets nothing of the 101 that were
// staked.
func (b *board) ends(loser uint8, guilty bool, reason string) {
	b.T.Helper()
	var blamed uint16
	if guilty {
		blamed = 1 << loser
	}
	payouts := []uint64{101, 101}
	payouts[loser] = 0
	b.Pays(blamed, reason, payouts...)
}
